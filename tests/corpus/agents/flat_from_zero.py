def choose(board, letter):
    return [at for at in range(9) if board[at] == " "][0]
