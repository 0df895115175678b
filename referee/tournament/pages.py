"""The page of a game, to which the report links."""

from referee.evidence.replay import open_transcript
from referee.page.reading import page_of, reading_of_transcript


def game_page(data: bytes) -> bytes:
    """The page of a transcript, after every check of it."""
    return page_of(reading_of_transcript(data, open_transcript(data)))
