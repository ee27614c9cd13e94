"""Wins by threats, on boards of any size: proof-number search whose leaves are wins by fours.

A *four* is a line that lacks one cell, whatever its length; the opponent has to reply on that cell.
A *three* is a move that threatens to win by fours only. Every search for fours also finds a zone:
the cells of the fours and their replies, and the open cells of every line on which the defender
would have a four with one more stone. Against a reply outside the zone the same fours win, so only
replies inside it are searched. The tree is therefore much narrower than that of the game, and a win
that is found is proved.

Quiet moves are tried after threats. So if the search ends without a win for either side, the game
is a draw. That takes long: this solver is good at wins.

If lines must be exact, this is checked for the attacker's lines. The ends of the defender's lines
are ignored, which favours the defender: a win is still proved, but a draw is not.

Sources: Allis, van den Herik & Huntjens 1996 (threats); Thomsen 2000 (their order); `kernels/wins`
(the search).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from ctypes import addressof, c_char
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from plyscope.errors import OptionError
from plyscope.randomness import GOLDEN, mix
from plyscope.rules.game import SIDES
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits, by_cell
from plyscope.rules.position import Position
from plyscope.rules.symmetry import symmetries
from plyscope.searching.limit import SearchStopped
from plyscope.solving.accelerated import THREATS
from plyscope.solving.ask import Ask
from plyscope.solving.verdict import Verdict, ended
from plyscope_fast.machine.block import Words, signed
from plyscope_fast.machine.memory import pages, table_bytes
from plyscope_fast.searching.layout import zeros
from plyscope_fast.solving.kernels import short, wins
from plyscope_fast.solving.kernels import threats as kernel
from plyscope_fast.solving.running import KernelSolver, raise_if_late, wipe

TABLE_MEGABYTES = 256
"""The size of the transposition table."""
FRESH_MEGABYTES = 4
"""The size of the table if solvers start with empty tables."""
BUCKET_BYTES = 64
"""Bytes of a bucket of that table."""
FOURS_NODES = 2_000
"""The node limit of one search for a win by fours."""
FAILED_BITS = 20
"""The binary logarithm of the number of stored positions without a win by fours."""
FIRST_NODES, NODES_FACTOR = 2_000, 4
"""The node limit of the first search for each side, and the factor from round to round."""
MAX_SHARED_STONES = 6
"""The number of stones up to which symmetric positions share an entry."""
MAX_SYMMETRIES, MAX_SYMMETRIC_CELLS = 400, 100
"""The greatest number of symmetries used, and of cells of a board whose symmetries are found."""
MAX_SMALL_CELLS, ZONE_BITS = 100, 18
"""On boards of more cells wins by threes answer replies far from quiet moves; and the binary
logarithm of the number of zones that are stored."""
PV_PLIES, PV_NODES = 15, 50_000
"""The length of the winning line that is shown, and the node limit of the search for each of its
moves."""


class Fours(NamedTuple):
    """A win by fours."""

    line: tuple[int, ...]
    """The moves and replies."""
    zone: int
    """The relevance zone: one more stone of the defender outside of it would change nothing."""


class Known(NamedTuple):
    """The result of a search for one attacker."""

    wins: bool | None
    """Whether the attacker wins; None if that is unknown."""
    move: int | None
    """A move that achieves the result, if it is good for the side to move."""
    work: int
    """The logarithm of the nodes visited."""


def solve(ask: Ask) -> Verdict | None:
    """Return the verdict on a position, None if it is not found."""
    if ask.is_fresh:
        return threat_solver(ask.position.game, FRESH_MEGABYTES).emptied().solve(ask)
    return threat_solver(ask.position.game).solve(ask)


@lru_cache(maxsize=4)
def threat_solver(game: LineGame, megabytes: int = TABLE_MEGABYTES) -> ThreatSolver:
    """Return the solver of a game, the same object each time: its tables stay valid."""
    return ThreatSolver(game, megabytes)


class ThreatSolver(KernelSolver):
    """A solver of one game by threats; raises OptionError for a game without threats."""

    entries = (*kernel.ENTRIES, *wins.ENTRIES, *short.ENTRIES)

    def __init__(self, game: LineGame, megabytes: int = TABLE_MEGABYTES) -> None:
        THREATS.require(game.start())
        self._board = _Board(game, megabytes)
        super().__init__(game, [self._board])

    @property
    def _expanded(self) -> int:
        """The nodes of the proof-number searches, which `Ask.limit` limits."""
        return self._board.block.expanded

    def solve(self, ask: Ask) -> Verdict | None:
        """Return the verdict on a position, None if the nodes were not enough.

        The search looks for a win of each side in turn, with more nodes each round. Raises Late and
        KeyboardInterrupt; if a win is already proved, its verdict is returned instead.
        """
        position = ask.position
        if position.is_over:
            return ended(position)
        ask.use(self)
        last, share = self._expanded + ask.limit, FIRST_NODES
        open_ = [position.side, 1 - position.side]
        holding: tuple[int, ...] = ()
        while open_:
            if self._expanded >= last:
                return None
            for attacker in tuple(open_):
                left = last - self._expanded
                known = self.wins(replace(ask, limit=min(share, left)), attacker)
                if known.wins:
                    return self._win(ask, attacker, known.move)
                if known.wins is False and self.game.exactly:
                    open_.remove(attacker)
                    if not open_:
                        raise SearchStopped(
                            "no win was proved for either side, which proves no draw"
                        )
                elif known.wins is False:
                    open_.remove(attacker)
                    holding = holding if known.move is None else (known.move,)
            share *= NODES_FACTOR
        return self._verdict(ask, None, holding)

    def _win(self, ask: Ask, attacker: int, first: int | None) -> Verdict:
        """Return the verdict on a proved win, with a line of play that may be incomplete."""
        pv: list[int] = []
        with ask.until_stopped() as stop:  # the win is proved without it
            self._follow(pv, ask, attacker, first)
        moves = tuple(pv) or (() if first is None else (first,))
        interrupted = stop.reason if stop.reason == "interrupted" else None
        return self._verdict(ask, attacker, moves, interrupted)

    def _verdict(
        self, ask: Ask, winner: int | None, pv: tuple[int, ...], stopped: str | None = None
    ) -> Verdict:
        """Return the verdict for a proved win of `winner`, None for a proved draw, with the line of
        play in the proof."""
        position = ask.position
        value = 0 if winner is None else 1 if winner == position.side else -1
        proof = (
            "proof-number search with wins by fours as leaves,"
            " against every reply that could matter"
        )
        if value and pv:
            names = " ".join(self.game.format_cell(cell) for cell in pv[:PV_PLIES])
            proof += f": {names}{' ...' if len(pv) > PV_PLIES else ''}"
        return Verdict(
            value=value,
            best_moves=tuple(position.moves) if value < 0 else pv[:1],
            method=THREATS.name,
            proof=proof,
            stopped=stopped,
            **ask.cost(self),
        )

    def wins(
        self, ask: Ask, attacker: int, in_place: bool = False, is_short: bool = False
    ) -> Known:
        """Search at most `ask.limit` nodes for a win of `attacker`, and return the result.

        With `is_short` a win is found later, and its move leads to a shorter proof. Raises Late or
        KeyboardInterrupt; with `in_place`, where the search runs in this thread, only after the
        search has ended.
        """
        board, position = self._board, ask.position
        side = kernel.ATTACKER if position.side == attacker else kernel.DEFENDER
        with self._thread_runner.alone:
            self._thread_runner.end()
            raise_if_late(ask.deadline)
            board.place(position.stones(attacker), position.stones(1 - attacker))
            board.block.stop = 0

            def prove() -> int:
                search = short.shorten if is_short else wins.prove
                return search(board.block, side, ask.limit)

            def poll() -> None:
                nodes = self.nodes - ask.nodes_before
                ask.report(f"{nodes:,} nodes, can {SIDES[attacker].upper()} win?")

            word = prove() if in_place else self._thread_runner.run(prove, ask.deadline, poll)
            numbers = wins.Numbers.of(word)
            if board.block.stop or word == 0 or (numbers.own and numbers.other):
                return Known(None, None, 0)
            succeeds, move = numbers.own == 0, board.block.best
            known_move = move if succeeds and move != kernel.NONE else None
            return Known(succeeds == (side == kernel.ATTACKER), known_move, numbers.work)

    def by_fours(self, position: Position, attacker: int) -> Fours | None:
        """Return a win by fours of the attacker, as if it were to move; None if none is found."""
        board = self._board
        with self._thread_runner.alone:
            self._thread_runner.end()
            board.place(position.stones(attacker), position.stones(1 - attacker))
            if not kernel.fours(board.block, FOURS_NODES):
                return None
            return board.fours()

    def _follow(self, pv: list[int], ask: Ask, attacker: int, first: int | None) -> None:
        """Add the moves of a proved win to `pv`, as far as short searches find them.

        The attacker begins with `first`, if it is to move; the defender plays the replies whose
        refutation took most work. Raises Late and KeyboardInterrupt.
        """
        position = ask.position
        while len(pv) <= PV_PLIES and not position.is_over:
            fours = self.by_fours(position, attacker)
            if position.side != attacker:
                move = self._hardest_reply(ask, position, attacker, fours)
            elif fours is not None:
                pv.extend(fours.line)
                return
            else:
                move = self.wins(ask.about(position, PV_NODES), attacker).move if pv else first
            if move is None:
                return
            pv.append(move)
            position = position.play(move)

    def _hardest_reply(
        self, ask: Ask, position: Position, attacker: int, fours: Fours | None
    ) -> int | None:
        """Return the reply whose refutation took most work, None if none is refuted quickly."""
        most, move = -1, None
        for reply in position.moves:
            if fours is None or fours.zone >> reply & 1:
                after = ask.about(position.play(reply), FIRST_NODES)
                known = self.wins(after, attacker, in_place=True)
                if known.wins and known.work > most:
                    most, move = known.work, reply
        return move


class _Board:
    """The board of the kernels: their block and its tables."""

    def __init__(self, game: LineGame, megabytes: int) -> None:
        lines, size, group = [line.cells() for line in game.lines], game.size, _symmetries(game)
        numbers, longest = range(len(lines)), game.longest_line
        through = by_cell(size, game.masks, numbers)
        most_through = max(map(len, through)) + 1
        ending = by_cell(size, [line.ends for line in game.lines], numbers)
        most_ending = max(map(len, ending)) + 1
        self._owners = [kernel.HOLE * (game.holes >> cell & 1) for cell in range(size)]
        zobrist = [signed(mix((cell + 1) * GOLDEN)) for cell in range(2 * size)]
        bucket_bits = (table_bytes(megabytes) // BUCKET_BYTES).bit_length() - 1
        is_large = size > MAX_SMALL_CELLS
        zone_words, zone_bits = (size + 63) // 64, ZONE_BITS if is_large else 1
        sizes = 8 << FAILED_BITS, BUCKET_BYTES << bucket_bits, 8 * (1 + zone_words) << zone_bits
        self._failed, self._table, self._zones = map(pages, sizes)
        self.megabytes = sum(sizes) / (1 << 20)
        self.block = wins.Tree(
            owners=self._owners,
            attacks=zeros(len(lines)),
            defences=zeros(len(lines)),
            held=zeros(len(lines)),
            pairs=zeros(len(lines) // 64 + 1),
            zone=zeros(size),
            wide=zeros(size),
            pv=zeros(size + 2),
            cells=size,
            count=len(lines),
            lengths=list(map(len, lines)),
            members=_table(longest, 0, lines),
            longest=longest,
            through=_table(most_through, kernel.NONE, through),
            most_through=most_through,
            exactly=game.exactly,
            ending=_table(most_ending, kernel.NONE, ending),
            most_ending=most_ending,
            zobrist=zobrist,
            failed=addressof(c_char.from_buffer(self._failed)),
            shift=64 - FAILED_BITS,
            moves=zeros(size * (size + 2)),
            keys=zeros(size * (size + 2)),
            weights=zeros(size),
            hashes=zeros(len(group) * (size + 2)),
            table=addressof(c_char.from_buffer(self._table)),
            table_shift=64 - bucket_bits,
            symmetries=len(group),
            images=_images(zobrist, group),
            alike=MAX_SHARED_STONES if len(group) > 1 else -1,
            fours=FOURS_NODES,
            is_large=is_large,
            zones=addressof(c_char.from_buffer(self._zones)),
            zone_shift=64 - zone_bits,
            zone_words=zone_words,
        )

    @property
    def nodes(self) -> int:
        """The nodes visited so far, including searches for fours."""
        return self.block.nodes + self.block.expanded

    def forget(self) -> None:
        """Clear the tables."""
        for table in (self._failed, self._table, self._zones):
            wipe(table)

    def stop(self) -> None:
        """Stop the kernel."""
        self.block.stop = 1

    def place(self, attack: int, defence: int) -> None:
        """Put the stones of both sides on the board."""
        owners = array("q", self._owners)
        for side, stones in ((kernel.ATTACKER, attack), (kernel.DEFENDER, defence)):
            for cell in bits(stones):
                owners[cell] = side + 1
        self.block.words[self._slice(self.block.owners, len(owners))] = owners

    def fours(self) -> Fours:
        """Return the win by fours that the kernel has found."""
        block = self.block
        line = block.words[self._slice(block.pv, block.pv_length)]
        zone = block.words[self._slice(block.zone, block.cells)]
        return Fours(tuple(line), sum(1 << cell for cell, is_in in enumerate(zone) if is_in))

    def _slice(self, words: Words, count: int) -> slice:
        """Return the slice of the block's words that holds `words`."""
        begin = (words.address - self.block.address) // 8
        return slice(begin, begin + count)


def _images(zobrist: Sequence[int], group: Sequence[Sequence[int]]) -> list[int]:
    """Return the words that a stone adds to the keys of a position [side, cell, symmetry]."""
    size = len(zobrist) // 2
    return [
        zobrist[side + image[cell]] for side in (0, size) for cell in range(size) for image in group
    ]


def _table(width: int, filler: int, rows: Sequence[Sequence[int]]) -> array[int]:
    """Return rows of numbers, padded to one width [row, place]."""
    table = array("q")
    for row in rows:
        table.extend([*row, *[filler] * (width - len(row))])
    return table


def _symmetries(game: LineGame) -> tuple[tuple[int, ...], ...]:
    """Return the symmetries of the lines or, if these are too many, of the board.

    On large boards return only the identity: finding the others takes longer than they save.
    """
    if game.size > MAX_SYMMETRIC_CELLS:
        return (tuple(range(game.size)),)
    try:
        group = symmetries(game, "lines")
    except OptionError:
        group = symmetries(game)
    return group if len(group) <= MAX_SYMMETRIES else group[:1]
