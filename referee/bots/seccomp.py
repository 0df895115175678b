"""System calls that no bot needs, refused by the kernel: a seccomp filter for bubblewrap.

Namespaces block most things. This blocks what they do not cover (keyrings, sockets outside network namespaces, a
terminal's input) and what attacks on the kernel start with (new namespaces, mounts, bpf)."""

import platform
import struct

_EPERM, _ENOSYS, _EAFNOSUPPORT = 1, 38, 97
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND = 0, 4, 16, 24
"""Offsets of the call, the machine and the low halves of the first two arguments."""
_X32 = 0x40000000
_NAMESPACES = 0x7E020000
"""All flags CLONE_NEW* that `clone` takes."""
_FAMILIES = (1, 2, 10, 16)
"""Unix, IPv4, IPv6 and netlink: each belongs to a network namespace."""
_TERMINAL = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX."""

_MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_CALLS = {
    # x86_64, aarch64
    "ptrace": (101, 117), "syslog": (103, 116), "pivot_root": (155, 41), "mount": (165, 40), "umount2": (166, 39),
    "init_module": (175, 105), "delete_module": (176, 106), "kexec_load": (246, 104), "add_key": (248, 217),
    "request_key": (249, 218), "keyctl": (250, 219), "unshare": (272, 97), "perf_event_open": (298, 241),
    "open_by_handle_at": (304, 265), "setns": (308, 268), "finit_module": (313, 273), "kexec_file_load": (320, 294),
    "bpf": (321, 280), "userfaultfd": (323, 282), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442),
}  # fmt: skip
_NOT_THERE = {
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "clone3": (435, 435),
}  # fmt: skip
"""Libraries do without these if they seem to be missing; a filter cannot read the arguments of `clone3`."""
_CLONE, _IOCTL, _SOCKET = (56, 220), (16, 29), (41, 198)


def program(machine: str = platform.machine()) -> bytes:
    """The filter for this machine; empty if its system calls are not listed here."""
    if machine not in _MACHINES:
        return b""
    at = list(_MACHINES).index(machine)
    return b"".join(
        (
            _step(_LOAD, _ARCHITECTURE), _step(_EQUAL, _MACHINES[machine], 1, 0), _step(_RETURN, _KILL),
            _step(_LOAD, _NUMBER), _step(_AT_LEAST, _X32, 0, 1), _refuse(_EPERM),
            *(_step(_EQUAL, numbers[at], 0, 1) + _refuse(_EPERM) for numbers in _CALLS.values()),
            *(_step(_EQUAL, numbers[at], 0, 1) + _refuse(_ENOSYS) for numbers in _NOT_THERE.values()),
            _of(_CLONE[at], _FIRST, _step(_ANY_BIT, _NAMESPACES, 0, 1), _refuse(_EPERM)),
            _of(_IOCTL[at], _SECOND, *(_step(_EQUAL, one, 0, 1) + _refuse(_EPERM) for one in _TERMINAL)),
            _of(_SOCKET[at], _FIRST, *(_step(_EQUAL, one, 0, 1) + _step(_RETURN, _ALLOW) for one in _FAMILIES),
                _refuse(_EAFNOSUPPORT)),
            _step(_RETURN, _ALLOW),
        )
    )  # fmt: skip


def _of(call: int, argument: int, *steps: bytes) -> bytes:
    """Steps that check an argument of one call, which is allowed if none of them decides."""
    looked = b"".join((_step(_LOAD, argument), *steps, _step(_RETURN, _ALLOW)))
    return _step(_EQUAL, call, 0, len(looked) // 8) + looked


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


def _refuse(error: int) -> bytes:
    return _step(_RETURN, _ERRNO | error)
