"""`certify` says "never loses" of a function only if its whole code was read and is pure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import plyscope as ps
from plyscope.faces.cli import run
from plyscope.lab.people.purity import not_pure
from plyscope.pythonrun import load_named
from sentences import says

GAME = "3,2,2"
"""On which every line of play is short."""
DRAWN = "3,1,3"
"""On which nobody can win."""

PURE = '''
import math
from itertools import product
from functools import reduce

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
SCORES = {1: 1, 2: -1}
CELLS = {0, 2, 6, 8}

def first(p):
    """Take the 100 % first move."""
    return p.moves[0]

def won(cells, player):
    return any(all(cells[c] == player for c in line) for line in LINES)

def best(cells, player, depth=0):
    """Return the value for 1, and the move, by minimax."""
    other = 3 - player
    if won(cells, other):
        return (SCORES[other] * (10 - depth), None)
    free = [i for i, c in enumerate(cells) if c == 0]
    if not free:
        return 0, None
    found, move = -math.inf if player == 1 else math.inf, None
    for i in free:
        cells[i] = player
        value, _ = best(cells, other, depth + 1)
        cells[i] = 0
        if (value > found) if player == 1 else (value < found):
            found, move = value, i
    return found, move

def minimax(board, player):
    cells = [c for row in reversed(board) for c in row]
    return best(cells, player)[1]

def sorted_by_key(p):
    def key(move):
        return (move not in CELLS, -move)
    return min(p.moves, key=key)

def with_local_memory(p):
    seen = {}
    def visit(n):
        if n not in seen:
            seen[n] = n if n < 2 else visit(n - 1) + visit(n - 2)
        return seen[n]
    try:
        return p.moves[visit(10) % len(p.moves)]
    except (IndexError, KeyError):
        return p.moves[0]

def counted(board, player):
    rows = [len(set(row)) == 1 and row[0] == player for row in board]
    total = reduce(lambda a, b: a + b, map(int, rows), 0)
    free = [(r, c) for r, c in product(range(len(board)), range(len(board[0]))) if board[r][c] == 0]
    if total < 0 or not isinstance(total, int):
        raise ValueError(f"a total of {total}")
    return free[total]

def prints(p):
    print("moves:", len(p.moves), f"of {p.side}")
    return p.moves[-1]
'''
NAMES = ("first", "minimax", "sorted_by_key", "with_local_memory", "counted", "prints")

HEAD = """
import array, builtins, collections, contextlib, contextvars, ctypes, datetime, decimal
import functools, gc, hashlib, io, itertools, json, math, operator, os, queue, random, secrets
import signal, sys, threading, time, uuid, warnings, weakref, zlib
from _random import Random as Bare
from collections import Counter, defaultdict, deque
from functools import lru_cache, partial
import numpy as np
import plyscope as ps
from plyscope.rules.position import Position
def either(p, is_lucky): return p.moves[-1] if is_lucky else p.moves[0]
"""
LUCKY = {
    # chance and clocks called by C code
    "default": "def f(p): return either(p, defaultdict(time.time)[0] % 1 < 1e-5)",
    "partial": "def f(p): return either(p, partial(os.urandom, 2)() == b'aa')",
    "mapped": "def f(p): return either(p, next(map(os.urandom, [2])) == b'aa')",
    "iterated": "def f(p): return either(p, next(iter(time.time_ns, None)) % 10**5 == 7)",
    "clock in a partial": "tick = partial(time.perf_counter_ns)\ndef f(p): return either(p, tick() % 10**5 == 7)",
    "sorted by id": "def f(p): return either(p, sorted([object(), object()], key=id) == 1)",
    "filtered": "def f(p): return either(p, list(filter(os.path.exists, ['/tmp/x'])))",
    # sources of chance
    "random": "def f(p): return either(p, random.random() < 1e-5)",
    "choice": "def f(p): return random.choice(p.moves)",
    "bare random": "B = Bare(3)\ndef f(p): return either(p, B.random() < 1e-5)",
    "new bare random": "def f(p): return either(p, Bare().random() < 1e-5)",
    "timer": "def f(p): return either(p, signal.getitimer(signal.ITIMER_REAL)[0] > 0)",
    "file system": "def f(p): return either(p, os.statvfs('/').f_bfree % 10**5 == 7)",
    "objects": "def f(p): return either(p, len(gc.get_objects()) % 10**5 == 7)",
    "stat": "def f(p): return either(p, os.stat(__file__).st_mtime % 10**5 == 7)",
    "clock": "def f(p): return either(p, time.time() % 1 < 1e-5)",
    "now": "def f(p): return either(p, datetime.datetime.now().microsecond == 7)",
    "token": "def f(p): return either(p, secrets.randbelow(10**5) == 7)",
    "uuid": "def f(p): return either(p, uuid.uuid4().int % 10**5 == 7)",
    "numpy": "def f(p): return either(p, np.random.rand() < 1e-5)",
    "uninitialised": "def f(p): return either(p, np.empty(3)[0] > 0)",
    "opened": "def f(p):\n    file = open('/proc/uptime', 'rb', 0)\n    found = file.read(9)[0] == 7\n    file.close()\n    return either(p, found)",
    "environment": "def f(p): return either(p, 'BOT' in os.environ)",
    "import inside": "def f(p):\n    import random\n    return either(p, random.random() < 1e-5)",
    "import by name": "def f(p): return either(p, __import__('random').random() < 1e-5)",
    "eval": "def f(p): return either(p, eval('time.time()') % 1 < 1e-5)",
    "getattr": "def f(p): return either(p, getattr(time, 'time')() % 1 < 1e-5)",
    "globals": "def f(p): return either(p, globals()['time'].time() % 1 < 1e-5)",
    "by frame": "def f(p): return either(p, (x for x in ()).gi_frame.f_builtins['id'](p) % 7 == 1)",
    "by builtins": "def f(p): return either(p, __builtins__['id'](p) % 7 == 1)",
    "in a table": "TABLE = [time.time]\ndef f(p): return either(p, TABLE[0]() % 1 < 1e-5)",
    "in a dict": "TABLE = {'t': time.time}\ndef f(p): return either(p, TABLE['t']() % 1 < 1e-5)",
    "as a default": "def f(p, t=time.time): return either(p, t() % 1 < 1e-5)",
    "in a closure": "def make(t):\n    def f(p): return either(p, t() % 1 < 1e-5)\n    return f\nf = make(time.time)",
    "as an attribute": "def f(p): return either(p, f.t() % 1 < 1e-5)\nf.t = time.time",
    "a clock of the search": "def f(p): return either(p, ps.search(p, depth=1).seconds > 1)",
    # order and addresses
    "set of texts": "def f(p): return either(p, list({'a', 'b', 'c'})[0] == 'b')",
    "made set": "def f(p): return either(p, list(set('abc'))[0] == 'b')",
    "popped set": "def f(p): return either(p, set('abc').pop() == 'b')",
    "set of objects": "def f(p): return either(p, min({object(): 1}, key=str) == 1)",
    "set comprehension": "def f(p): return either(p, [*{c for c in 'abc'}][0] == 'b')",
    "known set": "S = {'a', 'b', 'c'}\ndef f(p): return either(p, [*S][0] == 'b')",
    "repr": "def f(p): return either(p, '77' in repr(object()))",
    "text of a function": "def f(p): return either(p, '77' in str(f))",
    "formatted": "def f(p): return either(p, '77' in f'{f}')",
    "formatted by %": "def f(p): return either(p, '77' in '%s' % f)",
    "formatted by a known text": "T = '%s'\ndef f(p): return either(p, '77' in T % f)",
    "formatted by format": "def f(p): return either(p, '77' in '{}'.format(f))",
    "hash": "def f(p): return either(p, hash('a') % 10**5 == 7)",
    "same": "def f(p): return either(p, (len(p.moves) + 10**3) is (len(p.moves) + 10**3))",
    # state
    "counter": "N = 0\ndef f(p):\n    global N\n    N += 1\n    return either(p, N == 10**5)",
    "list": "N = [0]\ndef f(p):\n    N[0] += 1\n    return either(p, N[0] == 10**5)",
    "memory": "M = {}\ndef f(p):\n    M[p.moves] = M.get(p.moves, 0) + 1\n    return either(p, M[p.moves] == 10**5)",
    "there and back": "N = [0, 0]\ndef f(p):\n    N[0] = (N[0] + 1) % 1000\n    return either(p, N[0] == 7)",
    "default list": "def f(p, n=[0]):\n    n[0] += 1\n    return either(p, n[0] == 10**5)",
    "nonlocal": "def make():\n    n = 0\n    def f(p):\n        nonlocal n\n        n += 1\n        return either(p, n == 10**5)\n    return f\nf = make()",
    "attribute": "def f(p):\n    f.n += 1\n    return either(p, f.n == 10**5)\nf.n = 0",
    "array": "A = array.array('q', [0])\ndef f(p):\n    A[0] += 1\n    return either(p, A[0] == 10**5)",
    "bytearray": "A = bytearray(9)\ndef f(p):\n    A[0] = (A[0] + 1) % 200\n    return either(p, A[0] == 7)",
    "memoryview": "A = memoryview(bytearray(9))\ndef f(p):\n    A[0] = (A[0] + 1) % 200\n    return either(p, A[0] == 7)",
    "text stream": "A = io.StringIO()\ndef f(p):\n    A.write('x')\n    return either(p, A.tell() == 10**5)",
    "queue": "A = queue.SimpleQueue()\ndef f(p):\n    A.put(1)\n    return either(p, A.qsize() == 10**5)",
    "c number": "A = ctypes.c_int(0)\ndef f(p):\n    A.value += 1\n    return either(p, A.value == 10**5)",
    "digest": "A = hashlib.sha256()\ndef f(p):\n    A.update(b'x')\n    return either(p, A.digest()[0] == 7)",
    "compressor": "A = zlib.compressobj()\ndef f(p):\n    A.compress(b'x')\n    return either(p, False)",
    "context": "A = contextvars.ContextVar('A', default=0)\ndef f(p):\n    A.set(A.get() + 1)\n    return either(p, A.get() == 10**5)",
    "iterator": "A = iter(range(10**5))\ndef f(p): return either(p, next(A) == 9999)",
    "counted": "A = itertools.count()\ndef f(p): return either(p, next(A) == 10**5)",
    "generator": "A = (x for x in range(10**6))\ndef f(p): return either(p, next(A) == 10**5)",
    "cached list": "@lru_cache\ndef box(): return [0]\ndef f(p):\n    box()[0] += 1\n    return either(p, box()[0] == 10**5)",
    "cache": "@lru_cache\ndef g(n): return n\ndef f(p):\n    g(len(p.moves))\n    return either(p, g.cache_info().hits == 10**5)",
    "environ": "def f(p):\n    os.environ['N'] = os.environ.get('N', '') + 'x'\n    return either(p, len(os.environ['N']) == 10**5)",
    "module": "math.N = 0\ndef f(p):\n    math.N += 1\n    return either(p, math.N == 10**5)",
    "sys": "sys.N = [0]\ndef f(p):\n    sys.N[0] += 1\n    return either(p, sys.N[0] == 10**5)",
    "builtins": "builtins.N = [0]\ndef f(p):\n    N[0] += 1\n    return either(p, N[0] == 10**5)",
    "class of plyscope": "Position.n = 0\ndef f(p):\n    Position.n += 1\n    return either(p, Position.n == 10**5)",
    "game": "def f(p):\n    vars(p.game)['n'] = vars(p.game).get('n', 0) + 1\n    return either(p, vars(p.game)['n'] == 10**5)",
    "filters": "def f(p):\n    warnings.simplefilter('ignore', append=True)\n    return either(p, len(warnings.filters) == 10**5)",
    "precision": "def f(p):\n    decimal.getcontext().prec += 1\n    return either(p, decimal.getcontext().prec == 10**5)",
    "recursion limit": "def f(p):\n    sys.setrecursionlimit(sys.getrecursionlimit() + 1)\n    return either(p, sys.getrecursionlimit() == 10**5)",
    "an object": "class Bot:\n    def __init__(self): self.n = 0\n    def __call__(self, p):\n        self.n += 1\n        return either(p, self.n == 10**5)\nf = Bot()",
    "a method": "class Bot:\n    n = 0\n    def play(self, p):\n        Bot.n += 1\n        return either(p, Bot.n == 10**5)\nf = Bot().play",
    # the stack, exceptions, and code that ran before
    "stack": "def deep(n):\n    try: return deep(n + 1)\n    except RecursionError: return n\ndef f(p): return either(p, deep(0) == 900)",
    "every exception": "def deep(n):\n    try: return deep(n + 1)\n    except Exception: return n\ndef f(p): return either(p, deep(0) == 900)",
    "bare": "def deep(n):\n    try: return deep(n + 1)\n    except: return n\ndef f(p): return either(p, deep(0) == 900)",
    "finally": "def deep(n):\n    try: return deep(n + 1)\n    finally: return n\ndef f(p): return either(p, deep(0) == 900)",
    "suppressed": "def deep(n):\n    with contextlib.suppress(RecursionError): deep(n + 1)\n    return n\ndef f(p): return either(p, deep(0) == 900)",
    "exception renamed": "ValueError = RecursionError\ndef deep(n):\n    try: return deep(n + 1)\n    except ValueError: return n\ndef f(p): return either(p, deep(0) == 900)",
    "bound by a default": "def f(p, x=(g := random.choice)): return g(p.moves)",
    "bound by a lambda in a comprehension": "g = random.choice\ndef f(p):\n    [(lambda: (g := 1))() for _ in p.moves]\n    return g(p.moves)",
    "bound by a lambda in a default": "g = random.choice\ndef f(p, k=lambda g: g): return g(p.moves)",
    "declared global inside": "g = random.choice\ndef f(p):\n    g = len\n    def h():\n        global g\n        return g(p.moves)\n    return h()",
    "format of a printed text": "def f(p):\n    print(f'{1:{time.time() % 1 * 0:.0f}}', end='')\n    return p.moves[0]",
    "text of an exception": "def f(p):\n    seen = []\n    def keep(text):\n        seen.append(text)\n        return ValueError()\n    try: raise keep(f'{f}')\n    except ValueError: return either(p, '77' in seen[0])",
    "value of an iteration": "def f(p):\n    def stop(x): raise StopIteration(f'{f}')\n    seen = []\n    def run(): seen.append((yield from map(stop, [1])))\n    list(run())\n    return either(p, '77' in seen[0])",
    "set of numbers that are none": "def f(p):\n    nan = [float('nan') for _ in range(3)]\n    a = sorted(set([*nan, 1.0, 2.0, 3.0]))\n    return either(p, a[0] == 2.0)",
    "percent by its number": "def f(p): return either(p, '77' in (chr(37) + 's') % f)",
    "builtin replaced": "def len(x): return random.randrange(2)\ndef f(p): return p.moves[-len(p.moves)]",
    "lambda default": "def f(p):\n    g = lambda t=time.time(): t\n    return either(p, g() % 1 < 1e-5)",
    "annotation": "def f(p):\n    def g(x: time.time()): return 1\n    return either(p, g.__annotations__['x'] % 1 < 1e-5)",
    "shadowed name": "def f(p):\n    g = lambda time: time\n    return either(p, time.time() % 1 < 1e-5)",
    "shadowed in a comprehension": "def f(p):\n    [time for time in p.moves]\n    return either(p, time.time() % 1 < 1e-5)",
    "class inside": "def f(p):\n    class A:\n        t = time.time()\n    return either(p, A.t % 1 < 1e-5)",
    "decorated inside": "def f(p):\n    @defaultdict\n    def g(): return time.time()\n    return p.moves[0]",
    "compiled from text": "exec('def f(p): return p.moves[0]')",
    "wrapped": "def wrap(g):\n    @functools.wraps(g)\n    def inner(p): return either(p, random.random() < 1e-5)\n    return inner\n@wrap\ndef f(p): return p.moves[0]",
    "unbound": "def f(p): return either(p, Position.__hash__(p) % 10**5 == 7)",
    "string of a position": "def f(p): return either(p, '77' in str(p))",
    "itemgetter of a clock": "G = operator.attrgetter('time')\ndef f(p): return either(p, G(time)() % 1 < 1e-5)",
    "deque": "D = deque([0])\ndef f(p):\n    D[0] += 1\n    return either(p, D[0] == 10**5)",
    "counter object": "C = Counter()\ndef f(p):\n    C['n'] += 1\n    return either(p, C['n'] == 10**5)",
}
OF_FILES = {
    "a thread": "N = [0]\ndef work():\n    while True: N[0] += 1\nthreading.Thread(target=work, daemon=True).start()\ndef f(p): return p.moves[0]",
    "a seed": "START = [time.time()]\ndef f(p): return p.moves[int(START[0]) % 2 * 0]",
    "a drawn table": "TABLE = [random.random() for _ in range(9)]\ndef f(p): return min(p.moves, key=lambda m: TABLE[m])",
    "a patched library": "def evil(x): return 1\nmath.floor = evil\ndef f(p): return p.moves[0]",
    "a trace": "sys.settrace(lambda *a: None)\ndef f(p): return p.moves[0]",
    "a call in a default": "def f(p, t=random.random()): return either(p, t < 1e-5)",
    "a decorator": "@functools.wraps(print)\ndef f(p): return p.moves[0]",
}


def loaded(folder: Path, source: str, name: str = "f") -> Any:
    file = folder / "bot.py"
    file.write_text(source)
    return load_named(f"{file}:{name}", "agent", "a function")[1]


@pytest.mark.parametrize("name", NAMES)
def test_a_pure_function_is_read(tmp_path: Path, name: str) -> None:
    function = loaded(tmp_path, PURE, name)
    assert not_pure(function, str(tmp_path / "bot.py")) == ""


@pytest.mark.parametrize("name", LUCKY)
def test_no_function_with_chance_or_state_is_certified(tmp_path: Path, name: str) -> None:
    found = ps.certify(ps.Agent(loaded(tmp_path, HEAD + LUCKY[name])), DRAWN)
    assert found.never_loses is not True
    assert found.doubt or found.losing_line
    assert "never loses" not in found.answer


@pytest.mark.parametrize("name", OF_FILES)
def test_no_file_whose_other_code_has_chance_is_certified(tmp_path: Path, name: str) -> None:
    function = loaded(tmp_path, HEAD + OF_FILES[name])
    assert not_pure(function, str(tmp_path / "bot.py")) != ""


def test_a_pure_function_never_loses_in_this_process_and_in_another(tmp_path: Path) -> None:
    function = loaded(tmp_path, PURE, "sorted_by_key")
    for agent in (ps.Agent(function), f"agent:{tmp_path / 'bot.py'}:sorted_by_key"):
        found = ps.certify(agent, DRAWN)
        assert (found.never_loses, found.doubt) == (True, None)
        says(found.answer)
    assert ps.certify(ps.Agent(function)).never_loses is False


def test_a_function_that_was_not_read_has_a_number_of_calls(tmp_path: Path, capsys: Any) -> None:
    loaded(tmp_path, HEAD + LUCKY["clock"])
    agent = f"agent:{tmp_path / 'bot.py'}:f"
    found = ps.certify(agent, DRAWN)
    assert (found.never_loses, found.asked, found.asked_positions) == (None, 3, 6)
    assert found.calls == 18
    says(found.answer)
    assert run(["certify", agent, "-g", DRAWN, "--json"]) == 1
    assert '"never_loses": null' in capsys.readouterr().out
    sure = ps.certify("two-ply")
    assert (sure.answer, sure.asked, sure.as_dict()["calls"]) == ("never loses", None, None)


def test_a_search_with_a_pure_heuristic_is_certified_and_with_another_is_not() -> None:
    def pure(board: Any, player: Any) -> int:
        return sum(cell == player for row in board for cell in row)

    def lucky(board: Any) -> int:
        return hash("a") % 2

    found = ps.certify(ps.Agent(heuristic=pure, depth=2), DRAWN)
    assert (found.never_loses, found.asked) == (True, None)
    found = ps.certify(ps.Agent(heuristic=lucky, depth=2), DRAWN)
    assert (found.never_loses, found.asked) == (None, 1)
    assert "hash" in found.answer


def test_a_function_on_a_game_of_its_own_is_not_certified() -> None:
    def first(position: Any) -> Any:
        return position.moves[0]

    class Nim(ps.Game):
        name = "nim"

        def start(self) -> int:
            return 2

        def side(self, left: int) -> int:
            return left & 1

        def moves(self, left: int) -> list[int]:
            return [1]

        def play(self, left: int, taken: int) -> int:
            return left - taken

        def payoff(self, left: int) -> int | None:
            return None if left else 0

    found = ps.certify(first, Nim())
    assert found.never_loses is None
    says(found.answer)


def test_a_function_that_answers_by_the_order_of_questions_is_asked_in_another() -> None:
    seen: set[Any] = set()

    def by_order(position: Any) -> Any:
        """Answer by whether a position of more stones was seen."""
        seen.add(position)
        later = any(len(each.moves) < len(position.moves) for each in seen)
        return position.moves[-1] if later else position.moves[0]

    found = ps.certify(by_order, GAME)
    assert found.never_loses is not True
    says(str(found.doubt))
