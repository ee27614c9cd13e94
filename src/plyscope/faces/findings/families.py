"""A comparison of families: weights, wrong moves and depth, as a table and a chart."""

from __future__ import annotations

from collections.abc import Iterator

from plyscope.faces.findings.section import Section
from plyscope.faces.findings.tuning import (
    Data,
    asked_about,
    percent,
    percents,
    tuning_sections,
    tuning_title,
)
from plyscope.faces.report.charts import Dot, dots_chart
from plyscope.faces.wording import CONFIDENCE, INTERVALS


def families_title(data: Data) -> str:
    """Return the title of a comparison."""
    return f"Families on {data['game']}, tuned from {data['start']} for depth {data['depth']}"


def families_sections(data: Data) -> Iterator[Section]:
    """Yield the comparison and the card of each family."""
    yield comparison_section(data)
    for result in data["results"]:
        yield from tuning_sections(result, heading=tuning_title(result))


def comparison_section(data: Data, is_brief: bool = False) -> Section:
    """Return the families by size; a brief table has intervals only at the depth of use."""
    of = asked_about(data, data["choices"])
    where = (
        "" if data["is_whole"] else f" ({CONFIDENCE}{' at the depth of use' if is_brief else ''})"
    )
    words = [
        f"Wrong moves in per cent, by depth, in {of} critical positions{where}. "
        "★: no family with as few weights has fewer wrong moves (Pareto front)"
        + (
            "."
            if data["is_whole"]
            else "; ☆: on the front, but not significantly better than the best smaller family."
        )
    ]
    if data["is_interrupted"]:
        words.append("Interrupted: the other families were not tuned.")
    depths = range(1, 1 + len(data["rows"][0]["wrong"]))
    rows = tuple(
        (
            row["family"],
            f"{row['weights']}",
            *(
                _cell(share, star, is_brief and depth != data["depth"])
                for depth, share, star in zip(depths, row["wrong"], _stars(row), strict=True)
            ),
        )
        for row in data["rows"]
    )
    head = ("family", "weights", *(f"depth {depth}" for depth in depths))
    return Section(
        1, "Weights and wrong moves", tuple(words), head, rows, "" if is_brief else chart(data)
    )


def chart(data: Data) -> str:
    """Return the chart of the comparison."""
    rows = [
        (
            f"{row['family']}: {row['weights']}",
            [
                Dot(*percents(share), is_on_front=star == "★")
                for share, star in zip(row["wrong"], _stars(row), strict=True)
            ],
        )
        for row in data["rows"]
    ]
    series = [f"depth {at + 1}" for at in range(len(data["rows"][0]["wrong"]))]
    title = f"Weights and wrong moves by depth, with {INTERVALS}; full and joined: the Pareto front"
    return dots_chart(title, "wrong moves, in per cent", rows, series)


def _stars(row: Data) -> list[str]:
    """Return the mark of each depth: on the Pareto front, on it without significance, or not on
    it."""
    fronts, shown = row["is_on_front"], row.get("is_shown", row["is_on_front"])
    return [
        "★" if is_shown else "☆" if is_on else " "
        for is_on, is_shown in zip(fronts, shown, strict=True)
    ]


def _cell(share: Data, star: str, is_bare: bool) -> str:
    text = percent(share, unit="")
    text = text.split()[0] if is_bare else text
    return f"{text} {star}"
