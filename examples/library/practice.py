"""Practice against bots, with the first line of the list that is a single move."""

import referee

game = referee.practice("mark", seats=3, level="sensible", seed=1)
while game.asked:
    line = next(line for line in game.moves() if line.single)
    for chapter in game.play(line):
        print(chapter)
print(game.board(80))
print(game.result.ranks)
