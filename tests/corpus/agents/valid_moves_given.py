def choose(board, valid_moves):
    return valid_moves[0]
