def choose(board, letter):
    return [at for at in range(1, 10) if board[at] == " "][0]
