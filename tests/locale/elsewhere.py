"""Texts in errors that no source of ours says as a whole: words that stand in sentences, what the core puts together,
and the reasons that the system and the reader of JSON give. They are told again like those that are extracted."""

DOCUMENTS = """
a claim|a closing|a disclosure|a genesis|a join|a move|a private|a receipt|a ruling|a stage|a start|a view|a withdrawal
a word|an ending|an entrant|an entry|an offer|claim|closing|disclosure|document|edition|ending|entrant|entry|file
game file|genesis|head|join|key file|ledger|line|mail|move|offer|options|password file|plan|player's file|position
private|proof|receipt|results|ruling|settings|stage|start|state|ticket|tournament file|transcript|view|withdrawal|word
words|an answer|the position|the sealed part|this file|this|document of this program
"""
"""What is read, with and without an article."""

MADE = """
{what} is nested more than {deepest} deep
{what} has a key that is not ASCII
{what} has a number out of range
as join {first}
as the offer: the host's own
seat {n}
it is damaged, or no JSON
, or {found}?
"""
"""What is put together, most of it by the core."""

VALIDATION = """
Expected `{wanted}`, got `{given}`
Expected `{wanted}`, got `{given}` - at `{place}`
Expected `{wanted}` {bound}
Expected `{wanted}` {bound} - at `{place}`
Expected `{wanted}` matching regex {pattern}
Expected `{wanted}` matching regex {pattern} - at `{place}`
Expected `{wanted}` of length {bound}
Expected `{wanted}` of length {bound} - at `{place}`
Object missing required field `{field}`
Object missing required field `{field}` - at `{place}`
Object contains unknown field `{field}`
Object contains unknown field `{field}` - at `{place}`
Invalid enum value {value}
Invalid enum value {value} - at `{place}`
Invalid value {value}
Invalid value {value} - at `{place}`
"""
"""Why JSON does not fit."""

SYSTEM = """
bad address|bad file descriptor|bad message|bad name|broken pipe|connection refused|connection reset by peer
connection timed out|cannot allocate memory|device or resource busy|directory not empty|disk quota exceeded|file exists
file name too long|file too large|host is down|input/output error|interrupted system call|invalid argument
invalid cross-device link|is a directory|network is unreachable|no route to host|no space left on device
no such device or address|no such file or directory|not a directory|operation not permitted|operation not supported
permission denied|read-only file system|resource temporarily unavailable|stale file handle|text file busy
too many levels of symbolic links|too many links|too many open files
"""
"""What the operating system says, in small letters."""


def texts() -> list[str]:
    """All of them."""
    both = (*DOCUMENTS.split("\n"), *SYSTEM.split("\n"))
    words = [word for line in both for word in line.split("|")]
    return [text for text in (*words, *MADE.split("\n"), *VALIDATION.split("\n")) if text]
