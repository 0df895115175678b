"""Ports that nobody else takes."""

import socket

_held: list[socket.socket] = []


def own_port() -> int:
    """A port on loopback that is kept until this process ends. Nothing listens there, and a server that is started by
    a test can: two sockets may share a port as long as one of them does not listen."""
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    one.bind(("127.0.0.1", 0))
    _held.append(one)
    return int(one.getsockname()[1])
