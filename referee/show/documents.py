"""Documents in words: what an offer, a join, a move, a receipt, a transcript or a key says."""

from collections.abc import Callable
from typing import Any

import msgspec

from referee import games
from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope, body_of, check, ident
from referee.engine import records as r
from referee.engine.answers import decode_whole, read_words
from referee.engine.book import Fault
from referee.engine.draws import commitments
from referee.engine.host import authenticate, open_word
from referee.engine.table import Table, check_join, check_offer, same_code
from referee.errors import RefereeError
from referee.evidence.court import read_proof
from referee.evidence.rulings import read_claim, read_ruling
from referee.show import rules
from referee.show.text import COMMON_CHANCE, clean, joined, kept_keys, span
from referee.show.wording import move_text, phrases

KnownTable = Callable[[str], Table | None]
"""The table of a game, by the game's id, if anything here knows it."""
LONGEST = 300
"""Most characters of a value that a document of others brings along."""


def terms_in_words(offer: r.Offer) -> str:
    """What everybody agrees to who joins, one thing a line."""
    game = games.load(offer.game)
    lines = [f"{game.title} for {offer.seats} players, rules {clean(offer.rules)}"]
    words = rules.meanings(offer.game)
    chosen = msgspec.json.decode(offer.options, type=game.options)
    for field in msgspec.structs.fields(game.options):
        value = getattr(chosen, field.name)
        told = rules.meaning(words, field.name, value)
        lines.append(clean(f"  {field.name}={rules.spelled(value)}" + (f": {told}" if told else "")))
    lines.append("  " + edition_in_words(offer))
    lines.append("  " + deadline_in_words(offer))
    lines += [f"  {COMMON_CHANCE}"] if offer.chance else []
    lines += [f"  arbiter's key {offer.arbiter[:16]}: its rulings bind everybody who joins"] if offer.arbiter else []
    lines.append(f"  host's key {offer.key[:16]}")
    return "\n".join(lines)


def deadline_in_words(offer: r.Offer) -> str:
    """How long everybody has for an answer."""
    if not offer.deadline:
        return "no deadlines: the host says when an answer is too late"
    grace = f", and {span(offer.grace)} of grace" if offer.grace else ""
    return f"deadline: {span(offer.deadline)} for each answer{grace}; then the game goes on without it"


def agreed_in_words(table: Table) -> str:
    """What everybody agrees to with the ack: the terms, and whose keys the host keeps."""
    kept = kept_keys([table.names[seat] for seat in table.kept])
    return terms_in_words(table.offer) + (f"\n  {kept}" if kept else "")


def edition_in_words(offer: r.Offer) -> str:
    """Which edition it is, and where it differs from the one that comes with the game."""
    own = msgspec.json.decode(games.edition_bytes(offer.game))
    its = msgspec.json.decode(offer.edition)
    changed = [
        f"{name} {_short(own.get(name))} -> {_short(its.get(name))}" for name in own if own[name] != its.get(name)
    ]
    if not changed:
        return "edition: the one that comes with the game"
    return clean(f"edition of the host's own, which differs from the usual one in: {'; '.join(changed)}"[:2000])


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else f"{text[:57]}..."


def offer_lines(data: bytes) -> list[str]:
    """An offer, its signature checked."""
    offer, name = check_offer(decode(data, Envelope, "offer"))
    lines = [f"an offer ({name[:8]}), signed by its host", *terms_in_words(offer).splitlines()]
    if not same_code(offer):
        lines.append("  but this program has other rules under the same version: you cannot join with it")
    return lines


def join_lines(data: bytes) -> list[str]:
    """A join, its signature checked."""
    envelope = decode(data, Envelope, "join")
    join = check_join(decode(body_of(envelope, "join"), r.Join, "join").offer, envelope)
    kept = ", which the host declares to keep" if join.kept else ""
    return [f"{clean(join.name)}'s join for offer {join.offer[:8]}, signed with the key {join.key[:16]}{kept}"]


def move_lines(data: bytes, known: KnownTable, own: Callable[[r.Move], r.Secrets]) -> list[str]:
    """A move: in the game's words and checked if its table is known, else as far as the file alone tells; with what is
    sealed in it, if it is the reader's own."""
    file = decode(data, r.MoveFile, "move")
    body = body_of(Envelope(file.body, file.sig, file.type), "move")
    move = decode(body, r.Move, "move")
    table = known(move.game)
    if table is not None:
        authenticate(table, file, "move", r.Move)
    where = _place(move.game, move.round, table)
    lines = [f"a signed move ({ident('move', body)[:6]}) of {_seat(move.seat, table)} {where}"]
    lines.append(f"  it says: {_said(move, table, own(move) if move.commit else {})}")
    if words := r.content(move.standing):
        lines.append(f"  and for good: {_standing(words, table)}")
    if move.commit:
        lines.append(f"  sealed, for the host alone: {joined(sorted(move.commit))}; nobody else can read that")
    return lines


def word_lines(data: bytes, known: KnownTable) -> list[str]:
    """What a player says to the host: checked if its table is known."""
    word = decode(body_of(decode(data, Envelope, "word"), "word"), r.Word, "word")
    table = known(word.game)
    if table is not None:
        open_word(table, data)
    where = _place(word.game, word.round, table)
    return [f"a signed word of {_seat(word.seat, table)} to the host {where}", f"  it says: {clean(word.text)}"]


def _said(move: r.Move, table: Table | None, own: r.Secrets) -> str:
    fields = r.content(move.answer)
    if move.resign:
        return "I leave the game"
    if not fields:
        return "I agree to the game" if move.round == 1 else "a bare answer, with nothing to choose"
    if table is not None and commitments(move.game, move.round, move.seat, own) == move.commit:
        try:
            return move_text(table, decode_whole(table.game, fields, own))
        except (RefereeError, LookupError, TypeError, ValueError):
            return "something that is no move of this game"
    return clean(fields.decode(errors="replace")[:LONGEST])


def _standing(words: bytes, table: Table | None) -> str:
    if table is None or table.game.standing is None:
        return clean(words.decode(errors="replace")[:LONGEST])
    try:
        return joined(phrases(table, read_words(table.game, words))) or "nothing any more"
    except Fault:
        return "words that this game does not have"


def receipt_lines(data: bytes, known: KnownTable) -> list[str]:
    """A receipt: checked if its table is known."""
    envelope = decode(data, Envelope, "receipt")
    body = body_of(envelope, "receipt")
    receipt = decode(body, r.Receipt, "receipt")
    table = known(receipt.game)
    if table is not None:
        check(table.host, envelope.sig, "receipt", body)
    verdict = "taken" if receipt.code == "taken" else f"refused ({receipt.code})"
    where = _place(receipt.game, receipt.round, table)
    return [f"the host's receipt: a move ({receipt.move[:6]}) of {_seat(receipt.seat, table)} {where} was {verdict}"]


def _seat(seat: int, table: Table | None) -> str:
    return clean(table.names[seat]) if table is not None and seat < table.seats else f"seat {seat + 1}"


def _place(game: str, round: int, table: Table | None) -> str:
    title = f"{table.game.title}, " if table else ""
    return f"in round {round} of {title}game {game[:8]}"


def transcript_lines(data: bytes) -> list[str]:
    """What a transcript says; nothing of it is checked here."""
    file = decode(data, r.Transcript, "transcript")
    table = Table(file.genesis)
    last = decode(body_of(file.entries[-1], "entry"), r.Entry, "entry") if file.entries else None
    lines = [f"the transcript of a game of {table.game.title} ({table.id[:8]}), {len(file.entries)} rounds"]
    lines.append(f"  players in seat order: {joined([clean(name) for name in table.names])}")
    if last is not None and last.result is not None and len(last.result.ranks) == table.seats:
        winners = [clean(name) for name, rank in zip(table.names, last.result.ranks, strict=True) if rank == 1]
        left = ": the others left" if last.end == "left" else ""
        lines.append(f"  it says that {joined(winners)} won{left}; nothing was checked yet")
    else:
        lines.append("  it says that the game ended without a winner; nothing was checked yet")
    return lines


def key_lines(name: str, public: str, *, locked: bool) -> list[str]:
    """The public part of a key file."""
    whose = clean(name[:40]) or "somebody without a name"
    how = " locked with a passphrase," if locked else ""
    return [f"{whose}'s secret key,{how} for signing: send it to nobody", f"  public half {public}"]


def ruling_lines(data: bytes) -> list[str]:
    """A ruling, its signatures checked: what it is, and whom it binds."""
    found = read_ruling(data)
    table, ruling = found.table, found.ruling
    binds = (
        "binding: the offer that all joined names this key" if found.binding else "an opinion: no player agreed to it"
    )
    lines = [
        f"a ruling on game {table.id[:8]} by the key {ruling.key[:16]}, {binds}",
        f"  it says: {clean(ruling.verdict)}",
    ]
    if ruling.ranks:
        places = [f"{clean(name)} {rank}" for name, rank in zip(table.names, ruling.ranks, strict=True)]
        lines.append(f"  places: {joined(places)}")
    lines.append(f"  over {len(ruling.evidence)} files: {', '.join(one[:8] for one in ruling.evidence[:20]) or 'none'}")
    return lines


def claim_lines(data: bytes) -> list[str]:
    """A claim, its signatures checked: it shows what its player says, and nothing else."""
    found = read_claim(data)
    name, number = clean(found.table.names[found.move.seat]), found.move.round
    when = f"; it was due {found.due}" if found.due else "; there was no deadline"
    late = ", so it was late by the player's own words" if found.late else ""
    lines = [f"{name}'s claim, signed: the move for round {number} was sent at {found.claim.sent}{when}{late}"]
    return [*lines, f"  game {found.table.id[:8]}; that it was sent then, only {name} says"]


def proof_lines(data: bytes) -> list[str]:
    """What a proof says that it shows; nothing of it is judged here."""
    proof = read_proof(data)
    table = Table(proof.genesis)
    names = joined([clean(name) for name in table.names])
    lines = [f"a proof about game {table.id[:8]} of {names}, against the key {table.offer.key[:16]}; not judged yet"]
    counts = {
        "hidden tokens": len(getattr(proof, "tokens", ())),
        "private parts": len(getattr(proof, "privates", ())),
        "sealed answers": len(getattr(proof, "sealed", ())),
    }
    told = joined([f"{what} ({count})" for what, count in counts.items() if count])
    secret = " and all secrets of the game" if hasattr(proof, "secret") else ""
    shows = f"it shows {told}{secret}: look whose they are before you send it" if told or secret else ""
    return [*lines, f"  {shows or 'it shows nothing that is hidden'}"]
