"""M.A.R.K., over standard input and output: work with what the dice give, and pay for nothing.

Run it with: referee bot mark -- python3 examples/bots/mark.py
"""

import json
import sys

WANTED = ("roll", "process", "sell", "take", "name")
"""What is done first, if it is possible."""


def worth(move):
    """A number that is small for a good move."""
    if move["do"] == "bid":
        return move["amount"]
    return WANTED.index(move["do"]) if move["do"] in WANTED else len(WANTED)


def decide(question):
    """The best of the examples that the choices have; each is legal as it is."""
    return min((choice["move"] for choice in question["moves"]["choices"]), key=worth)


def say(**line):
    print(json.dumps(line), flush=True)


for text in sys.stdin:
    line = json.loads(text)
    if line["type"] == "hello":
        say(type="ready", protocol=1, name="mark.py", stateless=True)
    elif line["type"] == "question":
        say(type="answer", id=line["id"], move=decide(line))
