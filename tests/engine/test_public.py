"""Views without a seat: the same for everybody, checked as far as no hand is needed, and without anything hidden."""

import json

import pytest
from msgspec.structs import replace

from referee.crypto.codec import decode, encode
from referee.engine import host
from referee.engine import records as r
from referee.engine.player import answer, open_view, sign_word
from referee.errors import Altered, Usage
from referee.evidence.compare import compare
from referee.show import terminal
from referee.show.findings import report
from referee.show.pictures import seen_in_view, svg
from referee.show.story import story_of_view
from tests.support.match import Sitting, change_entry, code_of, entries_of

GAMES = ("auction", "schwarzer-freitag", "mark", "schwarzmarkt", "weg-zum-erfolg")


def public_of(data: bytes) -> bytes:
    """What anybody can make of a seat's view by leaving out its private parts."""
    return encode(replace(decode(data, r.View, "view"), seat=None, privates=()))


@pytest.fixture(scope="module", params=GAMES)
def sitting(request: pytest.FixtureRequest) -> Sitting:
    return Sitting(request.param, 3, "public").until(6 if request.param == "auction" else 12)


def test_everybody_has_the_same_bytes(sitting: Sitting) -> None:
    data = host.make_view(sitting.match, None)
    assert {public_of(sitting.view(seat)) for seat in range(3)} == {data}
    assert "seat" not in json.loads(data)
    assert b'"privates"' not in data


def test_it_is_followed_to_the_same_position(sitting: Sitting) -> None:
    data = host.make_view(sitting.match, None)
    opened = open_view(data)
    assert opened.chain.checkpoint == sitting.match.checkpoint
    assert (opened.name, opened.ask, opened.owner.faces) == ("", None, {})
    shorter = encode(replace(opened.view, entries=opened.view.entries[:5], public=r.NOTHING))
    assert code_of(lambda: open_view(shorter)) == "mixed-view"
    assert compare([opened, sitting.opened(0)]) == ([], [])


def test_nothing_hidden_is_in_it_or_in_anything_derived_from_it(sitting: Sitting) -> None:
    """Salts of tokens that are face down, private parts and sealed fields that were not shown."""
    match, data = sitting.match, host.make_view(sitting.match, None).decode()
    told = [decode(bytes(one.body), r.Private, "private") for parts in match.privates for one in parts]
    parts = [one.sig for parts in match.privates for one in parts]
    shown = {token.salt for entry in _entries(sitting) for op in entry.ops for token in getattr(op, "tokens", ())}
    hidden = {token.salt for part in told for token in part.openings} - shown
    opened = {
        (op.round, op.seat, name) for entry in _entries(sitting) for op in entry.ops if isinstance(op, r.Unseal)
        for name in op.fields
    }  # fmt: skip
    secrets = {
        secret.salt for (number, seat), fields in match.sealed.items() for name, secret in fields.items()
        if (number, seat, name) not in opened
    }  # fmt: skip
    assert hidden or secrets or not told
    view = open_view(data.encode())
    made = [data, terminal.render(view, terminal.Painter(colour=False)), str(terminal.as_data(view))]
    made.append(str(story_of_view(view, range(1, view.round + 1))))
    if view.table.game.picture:
        made.append(svg(view.chain, seen_in_view(view)))
    for text in made:
        assert [one for one in (*hidden, *secrets, *parts) if one in text] == []
    open_slots = set(match.state.book.faces.values())
    assert {face for faces in view.seen.tokens.values() for face in faces} <= open_slots


def _entries(sitting: Sitting) -> list[r.Entry]:
    return entries_of(decode(sitting.view(0), r.View, "view"))


def test_nobody_answers_a_public_view(sitting: Sitting) -> None:
    opened = open_view(host.make_view(sitting.match, None))
    key = sitting.players[sitting.asked[0]]
    for sign in (lambda: answer(key, opened), lambda: sign_word(key, opened, "back")):
        with pytest.raises(Usage) as caught:
            sign()
        assert caught.value.code == "public-view"


def test_private_parts_make_it_a_mixed_view() -> None:
    sitting = Sitting("auction", 3, "public").until("play")
    view = decode(sitting.view(0), r.View, "view")
    assert view.privates
    with pytest.raises(Altered) as caught:
        open_view(encode(replace(view, seat=None)))
    assert caught.value.code == "mixed-view"
    null = encode(replace(view, privates=())).replace(b'"seat":0}', b'"seat":null}')
    assert code_of(lambda: open_view(null)) == "malformed"


def test_an_offence_shows_in_it() -> None:
    sitting = Sitting("auction", 3, "public").to_end()
    public = host.make_view(sitting.match, None)
    assert report(open_view(public)).end == "result"
    result = sitting.state.result
    lie = change_entry(sitting.host, public, sitting.round, result=replace(result, ranks=(1, 1, 1)))
    assert code_of(lambda: open_view(lie)) == "rule-broken"
