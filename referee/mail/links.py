"""Links that write an answer: the mail program opens with address, subject and words filled in."""

from urllib.parse import quote

from referee.mail.parts import Reader

LONGEST = 1_899
"""Characters; some mail programs take no more."""


def mailto(reader: Reader, subject: str, words: str) -> str:
    """A link whose mail says these words and bears the pass; empty where nothing is answered in words."""
    if not (reader.pass_ and reader.reply_to and words):
        return ""
    fields = f"subject={quote(f'Re: {subject}', safe='')}&body={quote(words, safe='')}"
    link = f"mailto:{quote(reader.reply_to, safe='@')}?{fields}"
    return link if len(link) <= LONGEST else ""
