"""A bot that plays by the protocol, except for what its first argument says. It needs nothing but Python."""

import json
import os
import signal
import socket
import subprocess
import sys
import time

how, tag = sys.argv[1:3]
owed: list[tuple[str, object]] = []
"""Answers that are given when the next question has come."""


def write(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def answer(name: str, move: object) -> None:
    write(json.dumps({"type": "answer", "id": name, "move": move}))


def start() -> None:
    if how == "sleeps":
        time.sleep(1000)
    if how == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for number in range({"child": 1, "children": 20}.get(how, 0)):
        # every second one leaves the group, and its parent
        subprocess.Popen(["sh", "-c", f"sleep 1000; : {tag}"], start_new_session=number % 2 == 0)
    if how == "talks":
        write("hello, I am a bot")


def question(asked: dict, before: str) -> None:
    name, move = asked["id"], asked["moves"]["choices"][0]["move"]
    if how == "endless":
        while True:
            write("la la la")
    if how == "closes":
        os.close(1)
        time.sleep(1000)
    if how == "early":
        answer(name, move)
        number = int(name.split("-")[0]) + 1
        name = f"{number}-00000000"
    if how == "long":
        for _ in range(100):
            sys.stdout.write("x" * 2**20)
        write("")
    if how == "utf8":
        os.write(1, b'{"type": "answer", "id": "\xff\xfe"}\n')
        return
    if how == "wrong":
        name = before or name
    if how == "illegal":
        move = {"do": "nothing that exists"}
    if how == "crash":
        sys.stderr.write("I cannot go on\n")
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "memory":
        hoard = [bytearray(2**20) for _ in range(4096)]
        move = len(hoard)
    if how == "curious":
        sys.stderr.write(json.dumps([sorted(os.environ), os.getcwd(), os.listdir("."), network(int(tag))]) + "\n")
    if how == "slow":
        sys.stderr.write(f"{asked['bank']}\n")
    if how == "late" and name.startswith("2-"):
        owed.append((name, move))
        return
    for late in owed:
        answer(*late)
    owed.clear()
    answer(name, move)


def network(port: int) -> str:
    """Whether somebody listens there."""
    try:
        socket.create_connection(("127.0.0.1", port), 2).close()
    except OSError:
        return "no network"
    return "network"


def main() -> None:
    before = ""
    for line in sys.stdin:
        said = json.loads(line)
        if said["type"] == "hello":
            write(json.dumps({"type": "ready", "protocol": 2 if how == "version" else 1}))
        if said["type"] == "question":
            question(said, before)
            before = said["id"]
    if how == "stubborn":
        time.sleep(1000)


start()
main()
