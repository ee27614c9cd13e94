"""Tic-tac-toe and a game of taking, in the forms of other libraries, right and wrong."""

from collections import namedtuple
from copy import deepcopy

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def has_row(cells, mark):
    return any(all(cells[cell] == mark for cell in row) for row in ROWS)


State = namedtuple("State", "to_move, cells, moves")


class Book:
    """Rules over states: a named tuple with a dict and a list."""

    def __init__(self):
        self.initial = State("X", dict.fromkeys(range(9)), list(range(9)))

    def to_move(self, state):
        return state.to_move

    def actions(self, state):
        return state.moves

    def result(self, state, move):
        cells = state.cells | {move: state.to_move}
        return State("XO"[state.to_move == "X"], cells, [m for m in state.moves if m != move])

    def terminal_test(self, state):
        return has_row(state.cells, "X") or has_row(state.cells, "O") or not state.moves

    def utility(self, state, player):
        other = "XO"[player == "X"]
        return float(has_row(state.cells, player) - has_row(state.cells, other))

    def display(self, state):
        cells = [state.cells[cell] or "." for cell in range(9)]
        print("\n".join(" ".join(cells[at : at + 3]) for at in (0, 3, 6)))


class BookWithoutPlayer(Book):
    """Its utility forgets the player."""

    def utility(self, state, player):
        return super().utility(state, "X")


class BookThatChanges(Book):
    """Its result changes the state."""

    def result(self, state, move):
        state.cells[move] = state.to_move
        return super().result(state, move)


class BookTree:
    """A tree of points: MAX has three moves, MIN three replies."""

    initial = "A"

    def __init__(self):
        self.leaves = dict(zip("BCD", ((3, 12, 8), (2, 4, 6), (14, 5, 2)), strict=True))

    def actions(self, state):
        return list("BCD") if state == "A" else [0, 1, 2]

    def result(self, state, move):
        return move if state == "A" else self.leaves[state][move]

    def is_terminal(self, state):
        return isinstance(state, int)

    def utility(self, state, player):
        return state if player == "MAX" else -state

    def to_move(self, state):
        return "MAX" if state == "A" else "MIN"


class Easy:
    """Take one or two of five; whoever takes the last one wins."""

    def __init__(self, players):
        self.players, self.left, self.current_player = players, 5, 1
        self.players[0].taken = self.players[1].taken = 0  # games keep numbers of their players

    def possible_moves(self):
        return [str(number) for number in (1, 2) if number <= self.left]

    def make_move(self, move):
        self.left -= int(move)
        self.players[self.current_player - 1].taken += int(move)

    def is_over(self):
        return self.left == 0

    def scoring(self):
        return -100 if self.left == 0 else 0


class OldEasy(Easy):
    """The older name of the current player, and no scoring."""

    scoring = None

    def __init__(self, players):
        super().__init__(players)
        self.nplayer = self.current_player
        del self.current_player

    def make_move(self, move):
        self.left -= int(move)

    def lose(self):
        return self.left == 0


class EasyByItself(Easy):
    """Its make_move passes the turn itself."""

    def make_move(self, move):
        super().make_move(move)
        self.current_player = 3 - self.current_player


class EasyWithKey(Easy):
    def ttentry(self):
        return self.left


class EasyWithTwoResults(Easy):
    def win(self):
        return self.left == 0


class EasyWithoutPlayer(Easy):
    def __init__(self):
        self.left = 5


class EasyWithoutEnd:
    def possible_moves(self):
        return [1]

    def make_move(self, move):
        pass


class Spiel:
    """A state that changes itself, with the payoffs of both players."""

    def __init__(self):
        self.cells, self.player = [None] * 9, 0

    def current_player(self):
        return self.player

    def legal_actions(self):
        return [cell for cell in range(9) if self.cells[cell] is None]

    def apply_action(self, action):
        self.cells[action] = self.player
        self.player = 1 - self.player

    def is_terminal(self):
        return has_row(self.cells, 0) or has_row(self.cells, 1) or None not in self.cells

    def returns(self):
        first = float(has_row(self.cells, 0) - has_row(self.cells, 1))
        return [first, -first]


class SpielOfFriends(Spiel):
    def returns(self):
        return [1, 1]


class SpielOfThree(Spiel):
    def apply_action(self, action):
        self.cells[action] = self.player
        self.player = (self.player + 1) % 3


class Zero:
    """A board and a player, 1 or -1."""

    def getInitBoard(self):
        return [0] * 9

    def getValidMoves(self, board, player):
        return [int(cell == 0) for cell in board]

    def getNextState(self, board, player, action):
        board[action] = player
        return board, -player

    def getGameEnded(self, board, player):
        won = has_row(board, player) - has_row(board, -player)
        return won or (0 if 0 in board else 1e-4)


class Pacman:
    """A state of two agents that makes others; a full board without a row is lost."""

    def __init__(self, cells=(None,) * 9):
        self.cells = cells

    def getLegalActions(self, agent=0):
        return [cell for cell in range(9) if self.cells[cell] is None]

    def generateSuccessor(self, agent, action):
        return type(self)((*self.cells[:action], agent, *self.cells[action + 1 :]))

    def isWin(self):
        return has_row(self.cells, 0)

    def isLose(self):
        return has_row(self.cells, 1) or (None not in self.cells and not self.isWin())

    def getNumAgents(self):
        return 2


class PacmanOfThree(Pacman):
    def getNumAgents(self):
        return 3


class Reward:
    """A state that makes others; the reward is player 1's."""

    def __init__(self):
        self.cells, self.player = [0] * 9, 1

    def getCurrentPlayer(self):
        return self.player

    def getPossibleActions(self):
        return [cell for cell in range(9) if not self.cells[cell]]

    def takeAction(self, action):
        after = deepcopy(self)
        after.cells[action], after.player = self.player, -self.player
        return after

    def isTerminal(self):
        return has_row(self.cells, 1) or has_row(self.cells, -1) or 0 not in self.cells

    def getReward(self):
        return has_row(self.cells, 1) - has_row(self.cells, -1)


class Winner:
    """An object that names who has won."""

    def __init__(self):
        self.cells, self.turn = [" "] * 9, "X"

    def get_legal_moves(self):
        return {cell for cell in range(9) if self.cells[cell] == " "}

    def make_move(self, move):
        self.cells[move] = self.turn
        self.turn = "XO"[self.turn == "X"]

    def is_game_over(self):
        return self.winner() is not None

    def winner(self):
        won = [mark for mark in "XO" if has_row(self.cells, mark)]
        return won[0] if won else None if " " in self.cells else "draw"


class WinnerAlone(Winner):
    """Its caller would have to pass the turn."""

    def make_move(self, move):
        self.cells[move] = self.turn


class WinnerUnknown(Winner):
    def winner(self):
        return "player X" if super().winner() == "X" else super().winner()
