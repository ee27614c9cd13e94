def choose(board, ai_player, difficulty):
    return board.index(0) if difficulty else None
