class Compiled:
    """Stands for a function that Numba has compiled, which takes no lists of lists."""

    def __init__(self, function):
        self.py_func = self.__wrapped__ = function
        self.__name__, self.__module__ = function.__name__, function.__module__

    def __call__(self, board):
        if board.ndim > 1:
            raise TypeError("no matching definition for argument type(s) array(int64, 2d, C)")
        return self.py_func(board)


@Compiled
def choose(board):
    for cell in range(9):
        if board[cell] == 0:
            return cell
