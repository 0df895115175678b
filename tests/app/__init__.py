"""The local app: the program behind a window, as a process, with real sockets and a real browser."""
