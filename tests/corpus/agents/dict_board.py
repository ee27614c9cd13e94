def choose(board, letter):
    for key in board.keys():
        if board[key] == " ":
            return key
