"""What fields of documents can hold, and the base of all documents."""

from typing import Annotated

import msgspec

from referee.crypto.codec import PROJECT, Hex32

Json = msgspec.Raw | msgspec.UnsetType
"""An embedded value of the game's own, kept as it came; it may be left out."""
NOTHING = msgspec.UNSET
VIEW_FILE = PROJECT + "view"
TRANSCRIPT_FILE = PROJECT + "transcript"
MOST_SEATS = 16
MOST_TAKEOVERS = 100
LONGEST_WORD = 200
"""Most characters of what a player says to the host."""

_BAG = r"[a-z]{1,20}(/[0-9]{1,2})?"
Seat = Annotated[int, msgspec.Meta(ge=0, lt=MOST_SEATS)]
Round = Annotated[int, msgspec.Meta(ge=0, le=2048)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
BagName = Annotated[str, msgspec.Meta(pattern=rf"\A{_BAG}\Z")]
HandName = Annotated[str, msgspec.Meta(pattern=r"\A[a-z]{1,20}\Z")]
FieldName = Annotated[str, msgspec.Meta(pattern=r"\A[a-z_]{1,40}\Z")]
Slot = Annotated[str, msgspec.Meta(pattern=rf"\A{_BAG}(\.[0-9]{{1,6}}\.[0-9]{{1,6}}|\+[0-9]{{1,6}})\Z")]
Commit = dict[FieldName, Hex32]
Face = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Small = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Due = Annotated[str, msgspec.Meta(pattern=r"\A([0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]Z)?\Z")]
Empty32 = Annotated[str, msgspec.Meta(pattern=r"\A([0-9a-f]{64})?\Z")]
Minutes = Annotated[int, msgspec.Meta(ge=0, le=525_600)]
"""At most 365 days."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Base of all documents: unknown fields are refused, what has its default is left out. None is part of a cycle."""
