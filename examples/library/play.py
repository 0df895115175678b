"""A whole signed game that plays itself: offer, joins, start, answers, apply, verify. Run it with Python."""

from random import Random

import referee

chance = Random(1)
host, players = referee.new_key("Host"), [referee.new_key(name) for name in ("Anna", "Bert", "Carla")]
offer = referee.make_offer("schwarzer-freitag", host, seats=3)
table = referee.start(offer, [referee.join(offer, key) for key in players], host)
views = [referee.open_view(view) for view in table.views]

while not table.end:
    for seat in table.asked:
        view = views[seat] = referee.open_view(table.views[seat], since=views[seat])
        lines = [line for line in view.moves() if line.single]
        move = chance.choice(lines) if lines else view.moves()[0].move if view.decides else None
        table = referee.apply(table.game, view.answer(move, players[seat]), host)
        assert table.judged[0].ok, table.judged[0].error

transcript, _ = referee.reveal(table.game, host)
found = referee.verify(transcript)
print(found)
for rank, name in sorted(zip(found.result.ranks, found.facts["names"], strict=True)):
    print(f"{rank}. {name}")
