"""Every error a user can meet: a stable code, an exit status, a message, and what to do next.

Message style: lower case, no full stop, says what is wrong and where; `next` says what to do about it.
"""

from referee.language import MOVES, NOTHING, Message, t


class RefereeError(Exception):
    """Base of all expected errors. `code` is stable and documented; `exit` is the process status."""

    exit = 1
    code = "internal"

    def __init__(self, message: Message, next: Message = NOTHING, *, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.next = next
        if code is not None:
            self.code = code


class Usage(RefereeError):
    """The command line, an option or an edition does not make sense."""

    exit = 2
    code = "usage"


class IllegalMove(RefereeError):
    """The rules forbid the move; `clause` names the rule (for example SF-17), or is empty if no one clause does."""

    exit = 3
    code = "illegal"

    def __init__(self, clause: str, why: Message, next: Message = MOVES, *, word: str = "", guess: str = "") -> None:
        super().__init__(t("{why} ({clause})", why=why, clause=clause) if clause else why, next)
        self.clause = clause
        self.why = why
        self.word, self.guess = word, guess
        """Of a typed move: the word that cannot be read, and the nearest one that the game knows."""


class RulesFault(Exception):
    """The rules of a game broke the contract (a draw that is not allowed, a position out of bounds): a bug for its
    author to fix. It stops the host before anything is committed, and blames nobody."""


class RulesFailed(RefereeError):
    """The host's rules cannot be applied: nothing is changed."""

    code = "rules-failed"

    def __init__(self, message: Message) -> None:
        super().__init__(message, t("nothing was changed; report it to whoever wrote the game"))


class BadSignature(RefereeError):
    """A signature, a key or a link that is not what the game lists for that seat."""

    exit = 4
    code = "bad-signature"


class WrongTurn(RefereeError):
    """Authentic, but at the wrong time: stale, already answered, another game, not asked."""

    exit = 5
    code = "wrong-turn"


class Finding(RefereeError):
    """An audit or verification found something; `step` is the first bad round (0: before round 1)."""

    exit = 6
    code = "check-failed"
    advice = NOTHING

    def __init__(self, code: str, message: Message, step: int = 0) -> None:
        super().__init__(
            t("round {step}: {message}", step=step, message=message) if step else message, self.advice, code=code
        )
        self.step = step


class CheckFailed(Finding):
    """An offence against the rules or the protocol, shown by bytes that the host signed."""

    advice = t("keep this file as evidence against the host and show it to the other players")


class Altered(Finding):
    """A file is not what somebody signed, or its unsigned parts do not fit. This blames nobody: anybody can have
    changed it."""

    code = "altered-file"
    advice = t("ask for the file again: it was changed on its way")


class Malformed(RefereeError):
    """Bytes that are not what was expected here: not canonical, too large, wrong kind of file."""

    exit = 7
    code = "malformed"


class FileTrouble(RefereeError):
    """The file system refused: missing, locked, full, not writable."""

    exit = 8
    code = "file"


class MailTrouble(RefereeError):
    """A mail server or a mailbox refused."""

    exit = 9
    code = "mail"
