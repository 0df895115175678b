"""Files changed by somebody without the host's key: refused or called altered, never mistaken for an offence."""

import json
import random
from collections import Counter

import msgspec
import pytest
from msgspec.structs import replace
from referee.games.auction import Options

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope
from referee.engine import records as r
from referee.engine.player import open_view
from referee.errors import Altered, CheckFailed, RefereeError
from referee.evidence.compare import compare, refusals
from referee.evidence.files import read_file
from referee.evidence.replay import open_transcript
from tests.engine.plots import NOBODY, blame
from tests.support.match import Sitting, code_of


def small(seed: str = "small") -> Sitting:
    """A short game for two, played to its end."""
    return Sitting("auction", 2, seed, Options(rounds=1)).to_end()


def changed(value, rng: random.Random):
    """The same JSON with one thing in it changed: a value, an item, a key; at any depth."""
    if isinstance(value, dict) and value and rng.random() < 0.93:
        key = rng.choice([*value])
        if rng.random() < 0.06:
            return {name: one for name, one in value.items() if name != key}
        return value | {key: changed(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.93:
        at = rng.randrange(len(value))
        how = rng.random()
        if how < 0.1:
            return value[:at] + value[at + 1 :]
        if how < 0.15:
            return [*value[:at], value[at], *value[at:]]
        if how < 0.2:
            return value[::-1]
        if how < 0.25:
            return value[:at]
        return [*value[:at], changed(value[at], rng), *value[at + 1 :]]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, 0, 2**53, 2**70, -1])
    if isinstance(value, str) and value:
        at = rng.randrange(len(value))
        return value[:at] + rng.choice("0123456789abcdefxyz") + value[at + 1 :]
    return rng.choice([None, 0, "", [], {}, [[]], "00" * 32])


FILES = {
    "view": lambda one: one.view(0),
    "other view": lambda one: one.view(1),
    "transcript": lambda one: one.transcript(),
}


@pytest.mark.thorough
@pytest.mark.parametrize("kind", FILES)
def test_a_changed_file_blames_nobody(kind):
    sitting, rng, codes = small(), random.Random(kind), Counter()
    data = FILES[kind](sitting)
    value = json.loads(data)
    for _ in range(1000):
        other = encode(changed(value, rng))
        try:
            read_file(other)
        except CheckFailed as error:
            raise AssertionError(f"{error.code}: {error.message}") from None
        except RefereeError as error:
            codes[error.code] += 1
        else:
            codes["same" if other == data else "ok"] += 1
    assert codes["ok"] <= 20, codes
    assert len(codes) >= 6, codes


@pytest.mark.thorough
def test_a_changed_receipt_or_move_blames_nobody():
    sitting = Sitting("auction", 2, "loose").until("bid")
    move = sitting.signed(0)
    receipt = sitting.give(move).receipt
    sitting.others(0)
    view, rng = sitting.opened(0), random.Random("loose")
    values = [json.loads(encode(receipt)), json.loads(move)]
    ignored = 0
    for _ in range(1000):
        data = encode(changed(rng.choice(values), rng))
        try:
            file = read_file(data)
        except RefereeError:
            ignored += 1
            continue
        found, notes = compare([view, file, receipt])
        assert not found
        assert not refusals(view, [file, receipt])
        ignored += len(notes)
    assert ignored > 500


def test_a_file_cut_off_anywhere():
    sitting = small()
    for data in (sitting.view(0), sitting.transcript()):
        for at in range(0, len(data), 97):
            assert code_of(lambda data=data, at=at: read_file(data[:at])) in ("malformed", "wrong-kind")


def test_parts_of_another_game():
    """A view and parts of another host's, put together in every way."""
    one, other = (Sitting("auction", 2, seed).until("guess") for seed in ("one", "another"))
    mine, theirs = (decode(sitting.view(0), r.View, "view") for sitting in (one, other))
    moved = [
        ("altered-chain", replace(mine, genesis=theirs.genesis)),
        ("bad-signature", replace(mine, entries=theirs.entries)),
        ("bad-signature", replace(mine, entries=(*mine.entries[:-1], theirs.entries[-1]))),
        ("bad-signature", replace(mine, privates=theirs.privates)),
        ("mixed-view", replace(mine, public=theirs.public)),
        ("mixed-view", replace(mine, seat=1)),
        ("mixed-view", replace(mine, seat=2)),
        ("missing-private", replace(mine, privates=mine.privates[:-1])),
        ("mixed-view", replace(mine, privates=(*mine.privates, mine.privates[-1]))),
        ("mixed-view", replace(mine, privates=mine.privates[::-1])),
        ("altered-chain", replace(mine, entries=mine.entries[1:], privates=())),
        ("altered-chain", replace(mine, entries=mine.entries[::-1])),
        ("altered-chain", replace(mine, entries=(*mine.entries, mine.entries[-1]))),
        ("mixed-view", replace(mine, entries=mine.entries[:1])),
    ]
    for code, view in moved:
        found = blame(lambda view=view: open_view(view))
        assert found.by == NOBODY, found
        assert found.code == code or (code, found.code) == ("altered-chain", "bad-signature")


def test_games_of_one_host_put_together():
    """Same key, same players: every signature is valid, but nothing fits together."""
    one, other = (
        Sitting("auction", 2, "same").until("raid"),
        Sitting("auction", 2, "same", Options(rounds=2)).until("raid"),
    )
    assert one.host.public == other.host.public
    assert one.table.id != other.table.id
    mine, theirs = (decode(sitting.view(0), r.View, "view") for sitting in (one, other))
    for code, view in (
        ("mixed-view", replace(mine, genesis=theirs.genesis)),
        ("altered-chain", replace(mine, genesis=theirs.genesis, privates=())),
        ("altered-chain", replace(mine, entries=theirs.entries)),
        ("altered-chain", replace(mine, entries=(*mine.entries[:-1], theirs.entries[-1]))),
        ("mixed-view", replace(mine, privates=theirs.privates)),
    ):
        with pytest.raises(Altered) as error:
            open_view(view)
        assert error.value.code == code
    found, _ = compare([one.opened(0), other.opened(0)])
    assert [error.code for error in found] == []


def number(part: Envelope) -> int:
    return decode(bytes(part.body), r.Private, "private").round


def test_views_of_two_seats_mixed():
    sitting = Sitting("auction", 3, "mixed").until("play")
    views = [decode(sitting.view(seat), r.View, "view") for seat in range(3)]
    for one in views:
        for other in views:
            if one is not other:
                both = sorted(
                    (*one.privates, *other.privates), key=lambda part: msgspec.json.decode(part.body)["round"]
                )
                for view in (
                    replace(one, seat=other.seat),
                    replace(one, privates=other.privates),
                    replace(one, privates=tuple(both)),
                ):
                    with pytest.raises(Altered) as error:
                        open_view(view)
                    assert error.value.code == "mixed-view"


def test_the_secrets_of_a_transcript_changed():
    sitting = small()
    transcript = decode(sitting.transcript(), r.Transcript, "transcript")
    first = transcript.sealed[0]
    (name, secret), *_ = first.fields.items()
    for sealed in (
        (replace(first, fields={name: replace(secret, value=msgspec.Raw(b"99"))}), *transcript.sealed[1:]),
        (replace(first, fields={name: replace(secret, salt="00" * 32)}), *transcript.sealed[1:]),
        (replace(first, fields={}), *transcript.sealed[1:]),
        (replace(first, seat=1 - first.seat), *transcript.sealed[1:]),
        (replace(first, round=1), *transcript.sealed[1:]),
        (first, *transcript.sealed),
        (),
    ):
        with pytest.raises(Altered) as error:
            open_transcript(encode(replace(transcript, sealed=sealed)))
        assert error.value.code == "bad-sealed"


def test_an_envelope_of_another_kind():
    sitting = small()
    view = decode(sitting.view(0), r.View, "view")
    entry = view.entries[0]
    for part in (replace(entry, type="pbem-referee/1/private"), replace(entry, type="x")):
        assert code_of(lambda part=part: open_view(replace(view, entries=(part, *view.entries[1:])))) == "wrong-kind"
    as_private = Envelope(entry.body, entry.sig, "pbem-referee/1/private")
    found = blame(lambda: open_view(replace(view, privates=(as_private, *view.privates))))
    assert (found.by, found.code) == (NOBODY, "bad-signature")
