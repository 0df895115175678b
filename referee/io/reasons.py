"""Why the system refused something, in words that are the same on every system."""

import errno
import os

from referee.language import Text, t

REASONS = {
    "E2BIG": t("argument list too long"),
    "EACCES": t("permission denied"),
    "EADDRINUSE": t("address already in use"),
    "EADDRNOTAVAIL": t("cannot assign requested address"),
    "EAGAIN": t("resource temporarily unavailable"),
    "EBADF": t("bad file descriptor"),
    "EBADMSG": t("bad message"),
    "EBUSY": t("device or resource busy"),
    "ECONNABORTED": t("software caused connection abort"),
    "ECONNREFUSED": t("connection refused"),
    "ECONNRESET": t("connection reset by peer"),
    "EDEADLK": t("resource deadlock avoided"),
    "EDQUOT": t("disk quota exceeded"),
    "EEXIST": t("file exists"),
    "EFAULT": t("bad address"),
    "EFBIG": t("file too large"),
    "EHOSTDOWN": t("host is down"),
    "EHOSTUNREACH": t("no route to host"),
    "EINTR": t("interrupted system call"),
    "EINVAL": t("invalid argument"),
    "EIO": t("input/output error"),
    "EISDIR": t("is a directory"),
    "ELOOP": t("too many levels of symbolic links"),
    "EMFILE": t("too many open files"),
    "EMLINK": t("too many links"),
    "ENAMETOOLONG": t("file name too long"),
    "ENETDOWN": t("network is down"),
    "ENETUNREACH": t("network is unreachable"),
    "ENFILE": t("too many open files in system"),
    "ENODEV": t("no such device"),
    "ENOENT": t("no such file or directory"),
    "ENOEXEC": t("exec format error"),
    "ENOLCK": t("no locks available"),
    "ENOMEM": t("cannot allocate memory"),
    "ENOSPC": t("no space left on device"),
    "ENOSYS": t("function not implemented"),
    "ENOTCONN": t("transport endpoint is not connected"),
    "ENOTDIR": t("not a directory"),
    "ENOTEMPTY": t("directory not empty"),
    "ENOTSUP": t("operation not supported"),
    "ENXIO": t("no such device or address"),
    "EOPNOTSUPP": t("operation not supported"),
    "EPERM": t("operation not permitted"),
    "EPIPE": t("broken pipe"),
    "EREMOTEIO": t("remote i/o error"),
    "EROFS": t("read-only file system"),
    "ESPIPE": t("illegal seek"),
    "ESTALE": t("stale file handle"),
    "ETIMEDOUT": t("connection timed out"),
    "ETXTBSY": t("text file busy"),
    "EXDEV": t("invalid cross-device link"),
}
"""What the system says, by the name of its error number."""


def reason_text(number: int | None) -> Text:
    """What an error number means."""
    if not number:
        return t("bad name")
    return REASONS.get(errno.errorcode.get(number, "")) or t("the system says '{number}'", number=os.strerror(number))
