"""The page without a server: a folder that `python -m http.server` serves from a sub-path, in
Chromium, without a network after the first visit."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any
from zipfile import ZipFile

import msgspec
import pytest

from commands import python, refusal
from looking import IN_A_WORKER, SCRIPT, SIZES, expect, first_places, served, settle
from plyscope.errors import OptionError
from plyscope_web import site as made
from plyscope_web.endpoints import answer, read
from plyscope_web.endpoints.inputs import text_reader
from plyscope_web.endpoints.writing import written_heuristic
from plyscope_web.outcome import outcome
from sentences import refuses, says
from waiting import until

from .test_looks import EVERYTHING, axe

__all__ = ["axe"]
ROOT = Path(__file__).parents[3]
PLACE = "lab"
"""The sub-path of the site."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder above a site, which is made once for all processes of the tests."""
    import fcntl

    shared = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        shared = shared.parent
    folder = shared / "served"
    with (shared / "served.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / PLACE / made.NOTE).is_file():
            try:
                made.write_site(folder / PLACE, None, print, builds=False)
            except OptionError as error:
                if "cannot download" not in str(error):
                    raise
                pytest.skip(str(error))
    return folder


KEPT = """async () => {
  const site = await (await fetch("site.json")).json();
  const names = await caches.keys();
  const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  const addresses = new Set(kept.flat().map(({ url }) => url));
  return site.files.filter((name) => !/^service\\.js$/.test(name))
    .filter((name) => !addresses.has(new URL(name, location.href).href));
}"""
"""Returns the names of the files that the service worker does not keep."""


MEMORY = """async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith("plyscope memory "));
  const found = await Promise.all(names.map(async (name) => {
    const cache = await caches.open(name);
    return Promise.all((await cache.keys()).map(async (request) => {
      const kept = (await cache.match(request)) ?? new Response(); // deleted since
      const digest = await crypto.subtle.digest("SHA-256", await kept.arrayBuffer());
      const isWhole = `${new Uint8Array(digest)}` === kept.headers.get("digest");
      return [new URL(request.url).pathname.split("/").at(-1), isWhole];
    }));
  }));
  return found.flat();
}"""
"""Returns the script of each kept memory of a started Python, and whether it is whole."""


@pytest.fixture(scope="module")
def visited(browser: Any, site: Path) -> Iterator[tuple[Any, str]]:
    """A browser's context after the first visit, without a network, and the address."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(120_000)
    with served(site / PLACE) as (address, process):
        page = context.new_page()
        page.goto(f"{address}#room=analyze&position=.X./O../X.O")
        page.get_by_text("X wins").first.wait_for()  # Python answers
        until(lambda: page.evaluate(KEPT) == [] and len(page.evaluate(MEMORY)) == 1)
        page.close()
        process.kill()
        process.wait()
        yield context, address
    context.close()


@pytest.fixture
def page(visited: tuple[Any, str]) -> Iterator[Any]:
    """A page of that context; nothing was wrong on its console at the end."""
    page = visited[0].new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    yield page
    page.close()
    assert wrong == []


@pytest.mark.parametrize("lacking", ["**/*.wasm", "**/*.so"])
def test_draws_the_first_screen_without_python(browser: Any, site: Path, lacking: str) -> None:
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.route(lacking, lambda route: route.abort())
    with served(site / PLACE) as (address, _):
        page.goto(address)
        expect(page.locator(".hero .drawing").first).to_be_visible()
        expect(page.locator(".offer .picture")).to_have_count(3)  # the puzzle needs Python
        expect(page.get_by_text("plyscope cannot start in this browser").first).to_be_visible()
    context.close()


def test_opens_each_room_without_a_network(page: Any, visited: tuple[Any, str]) -> None:
    page.goto(f"{visited[1]}#room=analyze&position=.X./O../X.O")
    expect(page.get_by_text("X wins").first).to_be_visible()
    assert page.evaluate("crossOriginIsolated")
    for room, there in (
        ("Play", page.get_by_role("gridcell", name=re.compile("^b2"))),
        ("Trees", page.locator(".tree-view, svg.tree, .tree").first),
        ("Quiz", page.get_by_text(re.compile("minimax value|value of", re.IGNORECASE)).first),
        ("Lab", page.get_by_role("button", name=re.compile("^(Test|Measure)")).first),
    ):
        page.get_by_role("tab", name=room, exact=True).click()
        expect(there).to_be_visible()


DAMAGE = """async (end) => {
  const name = (await caches.keys()).find((name) => name.startsWith("plyscope memory "));
  const cache = await caches.open(name);
  const [request] = await cache.keys();
  const kept = await cache.match(request);
  const memory = await kept.blob();
  const parts = [memory.slice(0, 2e7), "damage", memory.slice(2e7 + 6)];
  await cache.put(request, new Response(new Blob(parts).slice(0, end), { headers: kept.headers }));
}"""
"""Writes over six bytes of the kept memory, and cuts it at `end`."""


@pytest.mark.parametrize("end", [40_000_000, 10_000_000])
def test_starts_without_a_damaged_memory_and_keeps_another(
    page: Any, visited: tuple[Any, str], end: int
) -> None:
    page.goto(f"{visited[1]}#room=analyze&position=.X./O../X.O")
    [[script, is_whole]] = page.evaluate(MEMORY)
    assert is_whole
    page.evaluate(DAMAGE, end)
    assert page.evaluate(MEMORY) == [[script, False]]
    page.reload()
    expect(page.get_by_text("X wins").first).to_be_visible()
    until(lambda: page.evaluate(MEMORY) == [[script, True]])


def test_starts_where_no_memory_can_be_kept(page: Any, visited: tuple[Any, str]) -> None:
    context, address = visited
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{address}#room=analyze&position=.X./O../X.O")
    page.evaluate(DAMAGE, 10)
    quota = {"origin": page.evaluate("location.origin")}
    session = context.new_cdp_session(page)
    session.send("Storage.overrideQuotaForOrigin", {**quota, "quotaSize": 1_000_000})
    page.reload()
    expect(page.get_by_text("X wins").first).to_be_visible()
    until(lambda: any("plyscope keeps no memory" in text for text in said))
    assert page.evaluate(MEMORY) == []
    session.send("Storage.overrideQuotaForOrigin", quota)
    page.reload()
    until(lambda: len(page.evaluate(MEMORY)) == 1)


def printed(page: Any, text: str) -> str:
    """Return what a text of Python prints in a new worker."""
    return str(page.evaluate(IN_A_WORKER, text)["shown"][0]["text"])


def test_random_numbers_differ_between_workers_of_one_memory(
    page: Any, visited: tuple[Any, str]
) -> None:
    page.goto(visited[1])
    assert page.evaluate(MEMORY)
    text = "import random; print(random.random())"
    assert printed(page, text) != printed(page, text)


TABLES = """
from plyscope_fast.machine.memory import pages
from plyscope_fast.searching.buckets import BucketTable
print(len(BucketTable(1 << 16)._memory) >> 20)
try:
    pages(1 << 32)
except MemoryError:
    print("no memory")
print(len(BucketTable(1)._memory) >> 20)
"""


def test_makes_smaller_tables_in_a_tab(page: Any, visited: tuple[Any, str]) -> None:
    page.goto(visited[1])
    assert printed(page, TABLES).split() == ["64", "no", "memory", "1"]


def test_is_right_by_the_rules_of_axe_and_no_wider_than_the_window(
    page: Any, visited: tuple[Any, str], axe: str
) -> None:
    page.add_init_script(path=SCRIPT)
    page.emulate_media(reduced_motion="reduce")
    for room, place in first_places().items():
        page.goto(f"{visited[1]}#{place}")
        page.locator(f".inside.{room}").wait_for()
        page.evaluate(axe)
        for size in ("laptop", "phone"):
            page.set_viewport_size(SIZES[size])
            settle(page)
            found = page.evaluate("options => axe.run(document, options)", EVERYTHING)
            assert found["passes"], (room, size)
            assert found["violations"] == [], (room, size)
            assert page.evaluate("looking.overhang()")[0] <= 0, (room, size)


def where(page: Any) -> str:
    return str(page.evaluate("decodeURIComponent(location.href)"))


def test_two_tabs_answer_and_a_link_leads_to_its_position(
    page: Any, visited: tuple[Any, str]
) -> None:
    context, address = visited
    page.goto(f"{address}#room=play&position=tictactoe&o=human")
    page.get_by_role("gridcell", name=re.compile("^b2")).click()
    until(lambda: "moves=b2" in where(page))
    other = context.new_page()
    other.goto(where(page))
    expect(other.get_by_role("gridcell", name=re.compile("^b2.*X"))).to_be_visible()
    page.get_by_role("gridcell", name=re.compile("^a1")).click()
    other.get_by_role("gridcell", name=re.compile("^c3")).click()
    until(lambda: "moves=b2,a1" in where(page) and "moves=b2,c3" in where(other))
    other.close()


ASK = """async ([asked, long, after]) => {
  const files = JSON.parse(document.getElementById("files").textContent);
  const worker = new Worker(files.worker, { type: "module" });
  const interrupt = new Uint8Array(new SharedArrayBuffer(1));
  const send = (message, isAnswer, hear = () => {}) => new Promise((resolve) => {
    worker.onmessage = ({ data }) => {
      const heard = JSON.parse(data);
      hear(heard);
      if (isAnswer(heard)) resolve(heard);
    };
    worker.postMessage(message);
  });
  const ask = ([endpoint, text], hear) => send({ id: 1, endpoint, arguments: text },
    ({ found, error, fault }) => found ?? error ?? fault, hear);
  await send({ ...files.python, interrupt }, () => true);
  const answers = [];
  for (const each of asked) answers.push(await ask(each));
  const stop = ({ told }) => { if (told) interrupt[0] = 2; };
  answers.push(await ask(long, stop));
  interrupt[0] = 0;
  answers.push(await ask(after));
  worker.terminate();
  return answers;
}"""
"""Asks a worker, then stops a long request at its first partial result, and asks again."""
LONG = ("analyze", '{"position": "15,15,5 h8 i9", "algorithm": "alphabeta", "seconds": 30}')
AFTER = ("show", '{"position": "tictactoe"}')
UNEQUAL = {"seconds", "total_seconds", "form", "microseconds"}
"""What is measured, and whether there is machine code."""
MEASURED = re.compile(r"[\d.]+ µs")
NEED_NUMPY = re.compile('"game": "4,[34],[34]"|"sprt"')
"""Games whose tablebases need NumPy, and sequential tests."""
ARRAYS = {
    "tune": "tuning needs numpy, which this site does not have; expected plyscope on a computer: ",
    "why": "conflicts needs numpy, which this site does not have; expected plyscope on a computer: ",
}
"""How each endpoint refuses, without NumPy, a request that is right."""
SLOW_SECONDS = 0.5
"""Answers that take longer here may be cut short by the request's own time limit there."""


def test_answers_word_for_word_as_a_server_and_stops(page: Any, visited: tuple[Any, str]) -> None:
    asked, compared = questions(), 0
    page.goto(visited[1])
    *found, stopped, after = page.evaluate(ASK, [asked, LONG, AFTER])
    # between two depths of the search the request ends without a result, as on a server
    assert stopped.get("error") == "stopped" or stopped["found"]["stopped"] == "interrupted"
    assert after["found"]["cells"] == "." * 9
    before = text_reader.set(written_heuristic)  # as in a browser
    for (endpoint, text), there in zip(asked, found, strict=True):
        if endpoint in ARRAYS and there.get("error", "").startswith(ARRAYS[endpoint]):
            continue
        began = perf_counter()
        kind, here = outcome(endpoint, lambda e=endpoint, t=text: _answered(e, t))  # type: ignore[misc]
        assert kind != "failed"
        expected = {"id": 1, kind: json.loads(here)}
        is_same_form = _form(there) == _form(expected)  # else a limit of nodes ends it elsewhere
        if perf_counter() - began < SLOW_SECONDS and is_same_form:
            compared += 1
            _compare(there, expected, f"{endpoint} {text}")
    text_reader.reset(before)
    assert compared > 180


def _form(said: dict[str, Any]) -> object:
    """Return the form of the search in an answer, None if there is none."""
    found = said.get("found")
    return found.get("form") if isinstance(found, dict) else None


def _answered(endpoint: str, text: str) -> bytes:
    request = read(endpoint, text.encode())
    return msgspec.json.encode(answer(endpoint, request, lambda told: None))


def _compare(there: Any, here: Any, where: str) -> None:
    """Compare answers; the last digits of floats may differ, and 1.0 is 1 in a browser."""
    if isinstance(here, dict):
        assert there.keys() == here.keys(), where
        for key in here.keys() - UNEQUAL:
            _compare(there[key], here[key], f"{where}: {key}")
    elif isinstance(here, list):
        assert len(there) == len(here), where
        for number, (one, other) in enumerate(zip(there, here, strict=True)):
            _compare(one, other, f"{where}[{number}]")
    elif isinstance(here, float):
        assert there == pytest.approx(here, rel=1e-12), where
    else:
        assert MEASURED.sub("", str(there)) == MEASURED.sub("", str(here)), where


def questions() -> list[tuple[str, str]]:
    """Return valid requests of the endpoints, and invalid ones made from them."""
    sys.path.insert(0, str(ROOT / "bench"))
    try:
        from fuzz_questions import ARGUMENTS
        from fuzz_questions import questions as drawn
    finally:
        sys.path.pop(0)
    draw = Random(5)
    changed = [each for each in (drawn(draw) for _ in range(250)) if each[0] not in SLOW]
    changed += [drawn(draw, name) for name in ("follow", *ARRAYS) for _ in range(20)]
    asked = [
        (name, json.dumps({**each, **({"seconds": 5} if name in LIMITED else {})}))
        for name, all_ in ARGUMENTS.items()
        for each in all_
    ]
    asked += [(name, text.decode(errors="replace")) for name, text in changed]
    deep = "[" * 20  # a browser's stack is small
    return [each for each in asked if deep not in each[1] and not NEED_NUMPY.search(each[1])]


LIMITED = ("certify", "report", "match")
SLOW = (*LIMITED, "trace", "differ", "analyze", "solve", "why", "tune")
"""Endpoints whose changed requests may take seconds."""


WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = None
from plyscope_web.browser import BrowserWorker
said = []
BrowserWorker(said.append).hear(1, {!r}, "{{}}")
print(said[-1])
"""


@pytest.mark.parametrize("endpoint", ARRAYS)
def test_says_that_a_site_has_no_numpy(endpoint: str) -> None:
    found = json.loads(python("-c", WITHOUT_NUMPY.format(endpoint)).stdout)
    assert found["error"].startswith(ARRAYS[endpoint])
    assert found["error"].endswith('`pip install "plyscope[fast]"`')


STATES = """async () => {
  const { active, installing } = (await navigator.serviceWorker.getRegistration()) ?? {};
  const names = (await caches.keys()).filter((name) => !name.startsWith("plyscope memory "));
  return [installing ? "" : active?.state, names.length];
}"""


def test_a_new_version_replaces_the_old_one_at_the_next_visit(
    browser: Any, site: Path, tmp_path: Path
) -> None:
    import shutil

    folder = tmp_path / PLACE
    shutil.copytree(site / PLACE, folder)
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(60_000)
    with served(folder) as (address, _):
        page.goto(address)
        until(lambda: page.evaluate(STATES) == ["activated", 1])
        until(lambda: page.evaluate(KEPT) == [])
        [worker] = folder.glob("worker.*.js")
        until(lambda: page.evaluate(MEMORY) == [[worker.name, True]])
        worker.rename(folder / "worker.new.js")
        for name, text, new in (
            ("index.html", "<main", '<p id="new">new</p><main'),
            ("service.js", '"version": "', '"version": "2'),
        ):
            written = (folder / name).read_text().replace(worker.name, "worker.new.js")
            (folder / name).write_text(written.replace(text, new, 1))
        page.goto("about:blank")
        page.goto(address)  # still the old page, while the new one is kept
        until(lambda: page.evaluate(STATES) == ["activated", 2])
        page.goto("about:blank")
        page.goto(address)
        page.locator("#new").wait_for()
        until(lambda: page.evaluate(MEMORY) == [["worker.new.js", True]])
    context.close()


# The folder


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    """A folder that looks like Pyodide's and has a wheel of msgspec."""
    folder = tmp_path / "parts"
    folder.mkdir()
    for name in made.PYODIDE_FILES:
        (folder / name).write_text(name)
    (folder / "package.json").write_text(json.dumps({"version": made.PYODIDE}))
    (folder / made.LOCK).write_text('{"info": {}, "packages": {"numpy": {}}}')
    with ZipFile(folder / made.WHEEL.replace("*", "cp314-"), "w") as wheel:
        wheel.writestr("msgspec/_core.so", "a library")
    return folder


def write(folder: Path, parts: Path | None) -> dict[str, Any]:
    return made.write_site(folder, parts, lambda line: None, builds=False)


BLOCK = '<div class="language-{} highlight"><pre><code>{}</code></pre></div>'
DOCUMENT = (
    (
        "pycon",
        "&gt;&gt;&gt; import plyscope as ps\n&gt;&gt;&gt; tree = ps.parse_tree('[[3,5],[2,9]]')",
    ),
    ("pycon", "&gt;&gt;&gt; ps.search(tree).value\n99"),
    ("python", "ps.trace(tree)"),
    ("console", "$ plyscope eval .X./O../X.O\nprinted before"),
    ("console", "$ plyscope web"),
)
"""Blocks as the documents have them; the last one serves a page, and cannot run there."""


def test_runs_examples_of_the_documents(browser: Any, site: Path) -> None:
    (site / "scripts").mkdir(exist_ok=True)
    for script in (ROOT / "docs" / "scripts").iterdir():
        shutil.copy(script, site / "scripts")
    blocks = "".join(BLOCK.format(*each) for each in DOCUMENT)
    head = '<!doctype html><script type="module" src="scripts/examples.js"></script>'
    (site / "document.html").write_text(head + blocks, encoding="utf-8")
    page = browser.new_page()
    page.set_default_timeout(120_000)
    with served(site / PLACE) as (address, _):
        page.goto(f"{address}../document.html")
        buttons, shown = page.locator(".example-run"), page.locator(".example-output")
        expect(buttons).to_have_count(4)
        buttons.nth(1).click()  # what stands above it runs first
        expect(shown.first).to_have_text("3\n")
        page.locator("textarea").first.fill("ps.search(tree).best_move")
        buttons.nth(1).click()
        expect(shown.first).to_have_text("0\n")
        buttons.nth(2).click()
        expect(shown.nth(1)).to_contain_text("is not searched")
        buttons.nth(3).click()
        expect(shown.nth(2)).to_contain_text("counted-lines")
        page.locator("textarea").first.fill("while True: pass")
        buttons.nth(1).click()
        expect(buttons.nth(1)).to_have_text("Stop")
        buttons.nth(1).click()
        expect(shown.first).to_have_text("stopped\n")
        buttons.nth(2).click()  # Python is started again
        expect(shown.nth(1)).to_contain_text("is not searched")
    page.close()


def test_writes_files_that_name_no_other_place(tmp_path: Path, parts: Path) -> None:
    folder = tmp_path / "site"
    found = write(folder, parts)
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert written == {each["name"] for each in found["files"]} | {made.NOTE}
    assert found["bytes"] == sum((folder / each["name"]).stat().st_size for each in found["files"])
    page = (folder / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'(?:src|href)="([^"]+)"', page)
    style = next(link for link in links if link.endswith(".css"))
    assert len(links) == 5
    assert set(links) <= written
    assert not re.search(r'"/|https?:|url\("?/', page + (folder / style).read_text())
    assert "script-src 'self';" in page
    assert "frame-ancestors" not in page  # a page cannot say it
    (folder / "old.js").write_text("of a version before")
    note = json.loads((folder / made.NOTE).read_text())
    (folder / made.NOTE).write_text(json.dumps({**note, "files": [*note["files"], "old.js"]}))
    assert write(folder, parts)["files"] == found["files"]
    assert not (folder / "old.js").exists()


def test_takes_the_versions_that_npm_installs() -> None:
    package = json.loads((ROOT / "package.json").read_text())
    assert package["devDependencies"]["pyodide"] == made.PYODIDE


def test_refuses_a_folder_with_something_else(tmp_path: Path, parts: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with refuses(OptionError):
        write(tmp_path / "mine", parts)
    with refuses(OptionError):
        write(parts / "package.json", parts)
    (tmp_path / "mine" / made.NOTE).write_text('{"files": ["../letter.txt", "/etc/passwd"]}')
    write(tmp_path / "mine", parts)
    assert (tmp_path / "mine" / "letter.txt").read_text() == "dear"


def test_refuses_options_that_need_a_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = str(tmp_path / "site")
    says(refusal(capsys, "web", "--static", site, "--leaderboard", "class"))
    says(refusal(capsys, "web", "--pyodide", "x"))
    assert not (tmp_path / "site").exists()


def test_takes_nothing_from_a_cache_that_others_can_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYSCOPE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "cache" / "browser").mkdir(parents=True)
    (tmp_path / "cache" / "browser").chmod(0o777)
    with pytest.raises(OptionError, match="can be written by others, mode 777"):
        write(tmp_path / "site", None)


def test_says_what_is_missing(tmp_path: Path, parts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (parts / made.PYODIDE_FILES[2]).unlink()
    with pytest.raises(OptionError) as caught:
        write(tmp_path / "site", parts)
    says(str(caught.value).replace(str(parts), "FOLDER"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLYSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OptionError) as caught:
        write(tmp_path / "site", None)
    says(str(caught.value))
    assert not (tmp_path / "site").exists()
