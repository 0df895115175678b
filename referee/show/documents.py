"""Documents in words: what an offer, a join, a move, a receipt, a transcript or a key says."""

from collections.abc import Callable

import msgspec

from referee import games
from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope, body_of, check, ident
from referee.engine import records as r
from referee.engine.answers import decode_whole, read_words
from referee.engine.book import Fault
from referee.engine.draws import commitments
from referee.engine.host import authenticate, open_word
from referee.engine.promises import Extension, read_extension
from referee.engine.table import Table, check_join, check_offer, same_code
from referee.errors import RefereeError
from referee.evidence.court import read_proof
from referee.evidence.rulings import read_claim, read_ruling
from referee.language import Time, listed, w
from referee.show import rules
from referee.show.text import COMMON_CHANCE, clean, kept_keys, span
from referee.show.wording import move_text, phrases

KnownTable = Callable[[str], Table | None]
"""The table of a game, by the game's id, if anything here knows it."""
SHORT = 60
"""Minutes: the tools warn of a deadline below this."""
LONGEST = 300
"""Most characters of a value from somebody else's document."""


def terms_in_words(offer: r.Offer) -> str:
    """What everybody who joins agrees to, one item a line."""
    game = games.load(offer.game)
    lines = [w("{title} for {n} players, rules {rules}", title=game.title, n=offer.seats, rules=clean(offer.rules))]
    words = rules.meanings(offer.game)
    chosen = msgspec.json.decode(offer.options, type=game.options)
    for field in msgspec.structs.fields(game.options):
        value = getattr(chosen, field.name)
        explanation = rules.meaning(words, field.name, value)
        lines.append(clean(f"  {field.name}={rules.option_value(value)}" + (f": {explanation}" if explanation else "")))
    lines.append("  " + edition_in_words(offer))
    lines.append("  " + deadline_in_words(offer))
    lines += [f"  {bank_in_words(offer)}"] if offer.bank else []
    if 0 < offer.deadline < SHORT:
        lines.append(
            w("  careful: with a deadline this short, a false timeout, and so a second draw, costs the host little")
        )
    lines += [f"  {COMMON_CHANCE!s}"] if offer.chance else []
    if offer.arbiter:
        lines.append(w("  arbiter's key {key}: its rulings bind everybody who joins", key=offer.arbiter[:16]))
    if offer.takeovers:
        lines.append("  " + takeovers_in_words(offer))
    lines.append(w("  host's key {key}", key=offer.key[:16]))
    return "\n".join(lines)


def deadline_in_words(offer: r.Offer) -> str:
    """How much time there is for each answer."""
    if not offer.deadline:
        return w("no deadlines: nobody is ever timed out; a game that stalls can only be abandoned, without a result")
    time, grace = span(offer.deadline), span(offer.grace)
    if not offer.grace:
        return w("deadline: {time} for each answer; then the game goes on without it", time=time)
    return w(
        "deadline: {time} for each answer, and {grace} of grace; then the game goes on without it",
        time=time,
        grace=grace,
    )


def takeovers_in_words(offer: r.Offer) -> str:
    """Whether and when somebody else can take a seat."""
    number = w.plural("{n} seat can be taken over", "{n} seats can be taken over", offer.takeovers)
    if not offer.takeover:
        return w("{seats}, once the player has left, is out, or names somebody", seats=number)
    return w("{seats}: at once by somebody the player names, otherwise after {time} without the player",
             seats=number, time=span(offer.takeover))  # fmt: skip


def bank_in_words(offer: r.Offer) -> str:
    """What a time bank gives."""
    return w(
        "time bank: each player can be late by {span} in total, before the grace period starts", span=span(offer.bank)
    )


def agreed_in_words(table: Table) -> str:
    """What the ack agrees to: the terms, and whose keys the host keeps."""
    kept = kept_keys([table.names[seat] for seat in table.kept])
    return terms_in_words(table.offer) + (f"\n  {kept}" if kept else "")


def edition_in_words(offer: r.Offer) -> str:
    """Which edition it is, and where it differs from the one that comes with the game."""
    own = msgspec.json.decode(games.edition_bytes(offer.game))
    its = msgspec.json.decode(offer.edition)
    changed = [f"{name} {_short(own[name])} -> {_short(its.get(name))}" for name in own if own[name] != its.get(name)]
    if not changed:
        return w("edition: the one that comes with the game")
    differs = "; ".join(changed)
    return clean(w("the host's own edition, which differs from the standard one in: {differs}", differs=differs)[:2000])


def _short(value: object) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else f"{text[:57]}..."


def offer_lines(data: bytes) -> list[str]:
    """An offer, its signature checked."""
    offer, name = check_offer(decode(data, Envelope, "offer"))
    lines = [w("an offer ({id}), signed by its host", id=name[:8]), *terms_in_words(offer).splitlines()]
    if not same_code(offer):
        lines.append(w("  but this program has different rules under the same version: you cannot join with it"))
    return lines


def join_lines(data: bytes) -> list[str]:
    """A join, its signature checked."""
    envelope = decode(data, Envelope, "join")
    join = check_join(decode(body_of(envelope, "join"), r.Join, "join").offer, envelope)
    values = {"name": clean(join.name), "offer": join.offer[:8], "key": join.key[:16]}
    if join.kept:
        return [
            w(
                "{name}'s join for offer {offer}, signed with the key {key}, which the host says it keeps",
                **values,
            )
        ]
    return [w("{name}'s join for offer {offer}, signed with the key {key}", **values)]


def succession_lines(data: bytes) -> list[str]:
    """Who takes over a seat, the signature checked."""
    envelope = decode(data, Envelope, "succession")
    new = decode(body_of(envelope, "succession"), r.Succession, "succession")
    check(bytes.fromhex(new.key), envelope.sig, "succession", bytes(envelope.body))
    values = {"name": clean(new.name), "seat": new.seat + 1, "game": new.game[:8], "key": new.key[:16]}
    return [w("{name} takes over seat {seat} of game {game}, signed with the key {key}", **values)]


def return_lines(data: bytes, known: KnownTable) -> list[str]:
    """Who comes back to a game; checked if its table is known."""
    back = decode(body_of(decode(data, Envelope, "return"), "return"), r.Return, "return")
    table = known(back.game)
    values = {"name": _seat(back.seat, table), "game": back.game[:8]}
    if table is None:
        return [w("{name} comes back to game {game}; the signature cannot be checked here", **values)]
    authenticate(table, decode(data, Envelope, "return"), "return", r.Return)
    return [w("{name} comes back to game {game}, signed", **values)]


def move_lines(data: bytes, known: KnownTable, own: Callable[[r.Move], r.Secrets]) -> list[str]:
    """A move: in the game's words and checked if its table is known, otherwise as far as the file alone tells; with
    what is sealed in it, if it is the reader's own."""
    file = decode(data, r.MoveFile, "move")
    body = body_of(Envelope(file.body, file.sig, file.type), "move")
    move = decode(body, r.Move, "move")
    table = known(move.game)
    if table is not None:
        authenticate(table, file, "move", r.Move)
    where = _place(move.game, move.round, table)
    name, who = ident("move", body)[:6], _seat(move.seat, table)
    lines = [w("a signed move ({id}) by {who} {where}", id=name, who=who, where=where)]
    lines.append(w("  it says: {said}", said=_move_words(move, table, own(move) if move.commit else {})))
    if words := r.content(move.standing):
        lines.append(w("  with standing orders: {words}", words=_standing(words, table)))
    if move.protest:
        lines.append(w("  with a protest: it names an answer ({id}) that was signed before", id=move.protest[:6]))
    if move.handover:
        lines.append(w("  it lets the key {key} take over the seat", key=move.handover[:16]))
    if move.commit:
        fields = listed(sorted(move.commit))
        lines.append(w("  sealed for the host alone: {fields}; nobody else can read them", fields=fields))
    return lines


def word_lines(data: bytes, known: KnownTable) -> list[str]:
    """A player's statement to the host: checked if its table is known."""
    word = decode(body_of(decode(data, Envelope, "word"), "word"), r.Word, "word")
    table = known(word.game)
    if table is not None:
        open_word(table, data)
    who, where = _seat(word.seat, table), _place(word.game, word.round, table)
    return [
        w("a signed statement by {who} to the host {where}", who=who, where=where),
        w("  it says: {said}", said=clean(word.text)),
    ]


def _move_words(move: r.Move, table: Table | None, own: r.Secrets) -> str:
    fields = r.content(move.answer)
    if move.resign:
        return w("I leave the game")
    if not fields:
        return w("I agree to the game") if move.round == 1 else w("a confirmation, with nothing to choose")
    if table is not None and commitments(move.game, move.round, move.seat, own) == move.commit:
        try:
            return move_text(table, decode_whole(table.game, fields, own))
        except (RefereeError, LookupError, TypeError, ValueError):
            return w("something that is not a move of this game")
    return clean(fields.decode(errors="replace")[:LONGEST])


def _standing(words: bytes, table: Table | None) -> str:
    if table is None or table.game.standing is None:
        return clean(words.decode(errors="replace")[:LONGEST])
    try:
        return str(listed(phrases(table, read_words(table.game, words)))) or w("none any more")
    except Fault:
        return w("orders that this game does not have")


def receipt_lines(data: bytes, known: KnownTable) -> list[str]:
    """A receipt: checked if its table is known."""
    envelope = decode(data, Envelope, "receipt")
    body = body_of(envelope, "receipt")
    receipt = decode(body, r.Receipt, "receipt")
    table = known(receipt.game)
    if table is not None:
        check(table.host, envelope.sig, "receipt", body)
    where = _place(receipt.game, receipt.round, table)
    values = {"id": receipt.move[:6], "who": _seat(receipt.seat, table), "where": where}
    if receipt.code == "taken":
        return [w("the host's receipt: a move ({id}) by {who} {where} was accepted", **values)]
    return [w("the host's receipt: a move ({id}) by {who} {where} was refused ({code})", code=receipt.code, **values)]


def extension_lines(data: bytes, known: KnownTable) -> list[str]:
    """An extension: checked if its table is known."""
    envelope = decode(data, Envelope, "extension")
    extension = decode(body_of(envelope, "extension"), Extension, "extension")
    table = known(extension.game)
    if table is not None:
        read_extension(table.host, envelope)
    values = {
        "who": _seat(extension.seat, table),
        "until": Time(extension.until),
        "where": _place(extension.game, extension.round, table),
    }
    return [
        w("the host's promise of more time: {who} has until {until} to answer {where}", **values),
        w("  if the host breaks it, this file and a view of that round prove it"),
    ]


def _seat(seat: int, table: Table | None) -> str:
    return clean(table.names[seat]) if table is not None and seat < table.seats else w("seat {n}", n=seat + 1)


def _place(game: str, round: int, table: Table | None) -> str:
    if table is None:
        return w("in round {round} of game {game}", round=round, game=game[:8])
    return w("in round {round} of {title}, game {game}", round=round, title=table.game.title, game=game[:8])


def transcript_lines(data: bytes) -> list[str]:
    """What a transcript says; nothing is checked here."""
    file = decode(data, r.Transcript, "transcript")
    table = Table(file.genesis)
    last = decode(body_of(file.entries[-1], "entry"), r.Entry, "entry") if file.entries else None
    lines = [
        w.plural(
            "the transcript of a game of {title} ({id}), {n} round",
            "the transcript of a game of {title} ({id}), {n} rounds",
            len(file.entries),
            title=table.game.title,
            id=table.id[:8],
        ),
        w("  players in seat order: {names}", names=listed(clean(name) for name in table.names)),
    ]
    if last is None or last.result is None or len(last.result.ranks) != table.seats:
        return [*lines, w("  it says that the game ended without a winner; nothing has been checked yet")]
    won = listed(clean(name) for name, rank in zip(table.names, last.result.ranks, strict=True) if rank == 1)
    if last.end == "left":
        return [*lines, w("  it says that {names} won: the others left; nothing has been checked yet", names=won)]
    return [*lines, w("  it says that {names} won; nothing has been checked yet", names=won)]


def key_lines(name: str, public: str, *, locked: bool) -> list[str]:
    """The public part of a key file."""
    whose = clean(name[:40]) or w("somebody without a name")
    if locked:
        text = w("{whose}'s secret key, locked with a passphrase, for signing: never send it to anyone", whose=whose)
    else:
        text = w("{whose}'s secret key, for signing: never send it to anyone", whose=whose)
    return [text, w("  public key {key}", key=public)]


def ruling_lines(data: bytes) -> list[str]:
    """A ruling, its signatures checked: what it is, and whom it binds."""
    found = read_ruling(data)
    table, ruling = found.table, found.ruling
    binds = (
        w("binding: the offer that all players joined names this key")
        if found.binding
        else w("an opinion: no player agreed to it")
    )
    game, key = table.id[:8], ruling.key[:16]
    lines = [
        w("a ruling on game {game} by the key {key}, {binds}", game=game, key=key, binds=binds),
        w("  it says: {said}", said=clean(ruling.verdict)),
    ]
    if ruling.ranks:
        places = [f"{clean(name)} {rank}" for name, rank in zip(table.names, ruling.ranks, strict=True)]
        lines.append(w("  places: {places}", places=listed(places)))
    named = ", ".join(one[:8] for one in ruling.evidence[:20]) or w("none")
    lines.append(w.plural("  over {n} file: {files}", "  over {n} files: {files}", len(ruling.evidence), files=named))
    return lines


def claim_lines(data: bytes) -> list[str]:
    """A claim, its signatures checked: it shows what its player says, and nothing else."""
    found = read_claim(data)
    name = clean(found.table.names[found.move.seat])
    due = Time(found.due) if found.due else ""
    values = {"name": name, "round": found.move.round, "sent": Time(found.claim.sent), "due": due}
    if found.late:
        line = w(
            "{name}'s claim, signed: the move for round {round} was sent at {sent}; it was due {due}, so by the "
            "player's own account it was late, unless the host gave more time",
            **values,
        )
    elif found.due:
        line = w("{name}'s claim, signed: the move for round {round} was sent at {sent}; it was due {due}", **values)
    else:
        line = w(
            "{name}'s claim, signed: the move for round {round} was sent at {sent}; there was no deadline", **values
        )
    game = found.table.id[:8]
    return [line, w("  game {game}; only {name} says that it was sent then", game=game, name=name)]


def proof_lines(data: bytes) -> list[str]:
    """What a proof is about and reveals; it is not judged here."""
    proof = read_proof(data)
    table = Table(proof.genesis)
    about = w(
        "a proof about game {game} of {names}, against the key {key}; not judged yet",
        game=table.id[:8],
        names=listed(clean(name) for name in table.names),
        key=table.offer.key[:16],
    )
    parts = [
        w("{what} ({n})", what=what, n=n)
        for what, n in (
            (w("hidden tokens"), len(getattr(proof, "tokens", ()))),
            (w("private parts"), len(getattr(proof, "privates", ()))),
            (w("sealed answers"), len(getattr(proof, "sealed", ()))),
        )
        if n
    ]
    if hasattr(proof, "secret"):
        parts.append(w("all secrets of the game"))
    if not parts:
        return [about, w("  it reveals nothing hidden")]
    return [about, w("  it reveals {parts}: check whose they are before you send it", parts=listed(parts))]
