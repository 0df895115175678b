"""Why the system refused something, in words that are the same on every system."""

import errno
import os

from referee.language import mark

REASONS = {
    "E2BIG": mark("argument list too long"),
    "EACCES": mark("permission denied"),
    "EADDRINUSE": mark("address already in use"),
    "EADDRNOTAVAIL": mark("cannot assign requested address"),
    "EAGAIN": mark("resource temporarily unavailable"),
    "EBADF": mark("bad file descriptor"),
    "EBADMSG": mark("bad message"),
    "EBUSY": mark("device or resource busy"),
    "ECONNABORTED": mark("software caused connection abort"),
    "ECONNREFUSED": mark("connection refused"),
    "ECONNRESET": mark("connection reset by peer"),
    "EDEADLK": mark("resource deadlock avoided"),
    "EDQUOT": mark("disk quota exceeded"),
    "EEXIST": mark("file exists"),
    "EFAULT": mark("bad address"),
    "EFBIG": mark("file too large"),
    "EHOSTDOWN": mark("host is down"),
    "EHOSTUNREACH": mark("no route to host"),
    "EINTR": mark("interrupted system call"),
    "EINVAL": mark("invalid argument"),
    "EIO": mark("input/output error"),
    "EISDIR": mark("is a directory"),
    "ELOOP": mark("too many levels of symbolic links"),
    "EMFILE": mark("too many open files"),
    "EMLINK": mark("too many links"),
    "ENAMETOOLONG": mark("file name too long"),
    "ENETDOWN": mark("network is down"),
    "ENETUNREACH": mark("network is unreachable"),
    "ENFILE": mark("too many open files in system"),
    "ENODEV": mark("no such device"),
    "ENOENT": mark("no such file or directory"),
    "ENOEXEC": mark("exec format error"),
    "ENOLCK": mark("no locks available"),
    "ENOMEM": mark("cannot allocate memory"),
    "ENOSPC": mark("no space left on device"),
    "ENOSYS": mark("function not implemented"),
    "ENOTCONN": mark("transport endpoint is not connected"),
    "ENOTDIR": mark("not a directory"),
    "ENOTEMPTY": mark("directory not empty"),
    "ENOTSUP": mark("operation not supported"),
    "ENXIO": mark("no such device or address"),
    "EOPNOTSUPP": mark("operation not supported"),
    "EPERM": mark("operation not permitted"),
    "EPIPE": mark("broken pipe"),
    "EREMOTEIO": mark("remote i/o error"),
    "EROFS": mark("read-only file system"),
    "ESPIPE": mark("illegal seek"),
    "ESTALE": mark("stale file handle"),
    "ETIMEDOUT": mark("connection timed out"),
    "ETXTBSY": mark("text file busy"),
    "EXDEV": mark("invalid cross-device link"),
}
"""What the system says, by the name of the number that it gives."""


def told(number: int | None) -> str:
    """What the number of an error means."""
    if not number:
        return mark("bad name")
    return REASONS.get(errno.errorcode.get(number, "")) or mark(f"the system says '{os.strerror(number)}'")
