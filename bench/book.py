"""Make the opening book of Connect Four, in some twenty minutes: `python bench/book.py`. Stopped,
it goes on from where it was."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

MEGABYTES = 1024


def main() -> None:
    import plyscope.solving
    from plyscope import parse_game
    from plyscope.solving import book
    from plyscope.solving.ask import Ask
    from plyscope_fast.solving.connect import ConnectSolver

    path = Path(plyscope.solving.__file__).parent / book.FILE
    done = (
        {line.split()[0] for line in path.read_text(encoding="utf-8").splitlines()}
        if path.exists()
        else set()
    )
    solver = ConnectSolver(parse_game(book.GAME), MEGABYTES)
    solver.prepare()
    left = sorted(
        (moves, position) for position, moves in book.openings().items() if moves not in done
    )
    began = perf_counter()
    with path.open("a", encoding="utf-8") as file:
        for number, (moves, position) in enumerate(left, 1):
            file.write(f"{moves} {solver.score(Ask(position))}\n")
            file.flush()
            print(
                f"\r{number} of {len(left)} positions, {perf_counter() - began:.0f} s",
                end="",
                flush=True,
            )
    print()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on from here")
