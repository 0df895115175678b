"""What mail programs and good manners add to a reply, in German, Dutch and English."""

import re
from collections.abc import Sequence

from referee.mail import t
from referee.mail.usual import hedges

MARKER = t("##- please answer above this line, or anywhere -##")
"""The first line of our mails. In every language it begins with `##-` and ends with `-##`."""
LONG = 600
"""Nothing that we look for here is longer."""
ATTRIBUTION_MOST = 5
"""Lines of an attribution at most; anything longer is ordinary text."""

_MARKER = re.compile(r"#\s?#\s?-.{1,200}-\s?#\s?#")
_WROTE = re.compile(r"\b(?:wrote|schrieb|schreef|geschreven|geschrieben|writes|schreibt|schrijft)\b", re.IGNORECASE)
_DATED = re.compile(r"[@\d]")
_BEGINS = re.compile(rf"^(?:on|am|op|den)\b.{{0,60}}\d|<[^<>]{{1,200}}@|{_WROTE.pattern}", re.IGNORECASE)
_MUTT = re.compile(r"\* .{1,200}@.{1,200}\[\d.{1,40}\]:")
_DIVIDER = re.compile(
    r"[-_*\s]*+(?:original[- ]?(?:message|nachricht|bericht)|ursprüngliche (?:nachricht|mail|e-mail)"
    r"|oorspronkelijk bericht|quoted text)[-_*\s]*",
    re.IGNORECASE,
)
_FORWARD = re.compile(
    r"[-_*\s]*+(?:forwarded message|weitergeleitete (?:nachricht|mail|e-mail)|doorgestuurd bericht"
    r"|begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)|begin doorgestuurd bericht"
    r"|forwarded by .{1,80})[-_*\s:]*",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\s*\*?(?:from|von|van|sent|gesendet|verzonden|date|datum|to|an|aan|cc|kopie|bcc|subject|betreff|onderwerp"
    r"|reply-to|antwort an|antwoord aan|priority|priorität|prioriteit|importance|wichtigkeit|urgentie|absender"
    r"|afzender)\s?:",
    re.IGNORECASE,
)
_FOOTER = re.compile(
    r"(?:sent (?:from|with|via|using)|von mein\w{1,2} .{1,40} gesendet|gesendet (?:von|mit|über|aus)"
    r"|verstuurd (?:vanaf|met|vanuit)|verzonden (?:vanaf|met|vanuit)|get outlook for|outlook für .{1,20} beziehen"
    r"|holen sie sich outlook|laden sie outlook|download outlook|outlook voor .{1,20} downloaden|von outlook für"
    r"|diese (?:nachricht|e-mail|mail) wurde (?:von|mit|über)|dit bericht is verzonden|this message was sent from"
    r"|virus-?(?:free|frei|vrij)|virenfrei)\b.{0,200}",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"mailing ?-?list|mailinglij?ste?|unsubscribe|abmelden|abbestellen|uitschrijven|https?://|@", re.IGNORECASE
)
_RULE = re.compile(r"[-_=*~]{10,}")
_SIGNATURE = re.compile(r"--\s?")

_NAME = r"[^\W\d_][\w.'-]{0,30}(?: [^\W\d_][\w.'-]{0,30}){0,2}"
_HELLO = (
    r"(?:hi|hello|hey|hallo|hoi|dear|liebe[rs]?|lieve|beste|servus|moin|dag|guten (?:morgen|tag|abend)"
    r"|goede(?:morgen|middag|navond)|good (?:morning|evening|afternoon))"
)
_THANKS = (
    r"(?:many |vielen |herzlichen |besten |hartelijk )?"
    r"(?:thanks?(?: you)?|thx|danke?(?: schön| dir| euch)?|bedankt|dank je(?: wel)?)(?: (?:a lot|very much|sehr))?"
)
_GOODBYE = (
    r"(?:(?:kind|best|warm|with kind) regards|best wishes|regards|cheers|bye|ciao|see you"
    r"|(?:(?:viele|liebe|beste|herzliche|schöne) )?grü(?:ß|ss)e?|(?:lieben |schönen )?gru(?:ß|ss)"
    r"|mit freundlichen grü(?:ß|ss)en|lg|vg|mfg|tschüs{1,2}|(?:met )?(?:vriendelijke |hartelijke )?groet(?:en|jes)?"
    r"|mvg|tot ziens|doei)(?: von| van| from| aus)?"
)
_SHORT = rf"(?:best|love|yours)(?:[,.!-]{{1,2}} ?(?:{_NAME})?)?"
"""These words also occur in orders, so a name must follow a comma."""
_END = r"[ ,.!:)-]{0,10}"
_LAST = rf"{_GOODBYE}[ ,.!:-]{{0,5}}(?:{_NAME})?{_END}|{_SHORT}"
_BYE = re.compile(_LAST, re.IGNORECASE)
_MANNERS = re.compile(rf"{_HELLO}(?: {_NAME})?{_END}|{_THANKS}(?:[ ,]{{1,2}}{_NAME})?{_END}|{_LAST}", re.IGNORECASE)


def is_marker(text: str) -> bool:
    """Whether this is our marker line, in any language."""
    return len(text) < LONG and bool(_MARKER.search(text))


def is_signature(text: str) -> bool:
    """Whether a signature begins here."""
    return bool(_SIGNATURE.fullmatch(text))


def is_footer(text: str) -> bool:
    """Whether this is a line that a phone or mail program adds about itself, and nothing else."""
    return bool(_FOOTER.fullmatch(text.strip())) and not hedges(text)


def is_courtesy(text: str) -> bool:
    """Whether this is a greeting, thanks or a goodbye, and nothing else."""
    return bool(_MANNERS.fullmatch(text.strip()))


def is_goodbye(text: str) -> bool:
    """Whether this is a goodbye, with or without a name."""
    return bool(_BYE.fullmatch(text.strip()))


def is_forward(text: str) -> bool:
    """Whether a forwarded mail begins below."""
    return len(text) < LONG and bool(_FORWARD.fullmatch(text.strip()))


def quote_head(texts: Sequence[str], at: int) -> int:
    """How many lines from here on announce a quoted mail: an attribution (wrapped or not), a divider, or headers."""
    text = texts[at].strip()
    if not text or len(text) > LONG:
        return 0
    if _DIVIDER.fullmatch(text) or is_forward(text):
        return 1
    if headers := _header_lines(texts, at):
        return headers
    # `On 3 January Anna wrote:` in any language and word order: a verb, a date or an address, a colon. An answer may
    # stand right above it, so an attribution of several lines has to begin like one.
    most = ATTRIBUTION_MOST if _BEGINS.search(text) else 1
    for count in range(1, most + 1):
        lines = texts[at : at + count]
        if len(lines) < count or not lines[-1].strip():
            return 0
        joined = " ".join(lines).strip()
        likely = len(joined) <= LONG and joined.endswith(":")
        if likely and ((_WROTE.search(joined) and _DATED.search(joined)) or _MUTT.fullmatch(joined)):
            return count
    return 0


def _header_lines(texts: Sequence[str], at: int) -> int:
    """The length of a block `From: Sent: To: Subject:`: three labels within eight lines."""
    if not _LABEL.match(texts[at]):
        return 0
    window = texts[at : at + 8]
    labelled = [number for number, text in enumerate(window) if _LABEL.match(text)]
    if len(labelled) < 3:
        return 0
    last = labelled[-1] + 1
    # A long subject may have been wrapped: then the block ends with the paragraph.
    rest = [text.strip() for text in texts[at + last : at + last + 3]]
    return last + rest.index("") if "" in rest else last


def list_footer(texts: Sequence[str], at: int) -> bool:
    """Whether the footer of a list server begins here: a rule, and below it what the server says about itself."""
    if not _RULE.fullmatch(texts[at].strip()):
        return False
    return any(_LIST.search(text[:LONG]) for text in texts[at + 1 : at + 6])
