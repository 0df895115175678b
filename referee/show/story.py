"""The story of a game: what happened in each round, and what only one seat learned."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from referee.engine import records as r
from referee.engine.answers import decode_whole, read_words
from referee.engine.book import known
from referee.engine.chain import Checked, Followed
from referee.engine.draws import commitments
from referee.engine.player import Opened
from referee.engine.table import Table
from referee.games import as_typed
from referee.language import w, with_names
from referee.show import wording
from referee.show.text import clean, last_answered
from referee.show.wording import Place, move_text


class PrivateNews(msgspec.Struct, frozen=True):
    """What only one seat learned in a round: what it chose in secret, what came into its hands, what left them.
    Seats count from 1."""

    seat: int
    chose: str
    new: tuple[str, ...]
    gone: tuple[str, ...]

    def lines(self, table: Table, name: str = "") -> list[str]:
        """The same in words: about the player of this name, or to the player."""
        chose, new, gone = self.chose, _counted(self.new, table), _counted(self.gone, table)
        if name:
            lines = {
                w("{name} chose in secret: {move}", name=name, move=chose): chose,
                w("new in {name}'s hand: {what}", name=name, what=new): new,
                w("gone from {name}'s hand: {what}", name=name, what=gone): gone,
            }
        else:
            lines = {
                w("you chose in secret: {move}", move=chose): chose,
                w("new in your hand: {what}", what=new): new,
                w("gone from your hand: {what}", what=gone): gone,
            }
        return [line for line, there in lines.items() if there]


class Round(msgspec.Struct, frozen=True):
    """One round: what everybody was told, and what only one seat learned."""

    round: int
    told: tuple[str, ...]
    news: tuple[PrivateNews, ...]


Sealed = Mapping[tuple[int, int], r.Secrets]
"""Round and seat -> what was sealed, as far as it is known."""


def story_of_view(opened: Opened, rounds: Iterable[int]) -> list[Round]:
    """These rounds as the owner of a view knows them."""
    sealed = {(number, opened.seat): fields for number, fields in opened.owner.sealed.items()}
    return [_round(opened.chain, number, (opened.seat,), opened.owner.faces, sealed) for number in rounds]


def story_of_transcript(chain: Followed, sealed: Iterable[r.SealedAnswer], rounds: Iterable[int]) -> list[Round]:
    """These rounds with everybody's private news."""
    faces = {token.slot: token.face for one in chain.rounds for tokens in one.openings.values() for token in tokens}
    found = {(one.round, one.seat): one.fields for one in sealed}
    return [_round(chain, number, range(chain.table.seats), faces, found) for number in rounds]


def since_last_turn(opened: Opened) -> list[str]:
    """The story in lines, from the round with this player's last answer on; in a public view, of the last round."""
    last = len(opened.chain.rounds)
    first = last if opened.view.seat is None else last_answered(opened) or 1
    found = story_of_view(opened, range(first, last + 1))
    return [line for one in found for line in lines(one, opened.table)]


def _round(chain: Followed, number: int, seats: Sequence[int], faces: Mapping[str, str], sealed: Sealed) -> Round:
    """A round of a chain that was followed."""
    one, before = chain.rounds[number - 1], chain.rounds[number - 2] if number > 1 else None
    table = chain.table.seated(before.checkpoint.state.holders if before else ())
    lines = [*_answer_lines(table, one, before), *(table.game.tell(table.terms, note) for note in one.log)]
    news = []
    for seat in seats:
        chose = _chosen(table, one.entry, seat, sealed.get((number, seat), {}))
        new, gone = _moved(table, one, before, seat, faces)
        if chose or new or gone:
            news.append(PrivateNews(seat + 1, chose, new, gone))
    sentences = (*(with_names(line, table.names) for line in lines), *_seats(table, one.entry))
    return Round(number, sentences, tuple(news))


def _seats(table: Table, entry: r.Entry) -> Iterator[str]:
    """Who names somebody for a seat, takes one over, or comes back to it."""
    for answer in entry.answers:
        name = clean(table.names[answer.seat])
        if answer.handover == table.keys[answer.seat].hex():
            yield w("{name} keeps the seat after all", name=name)
        elif answer.handover:
            yield w("{name} names somebody who may take over the seat", name=name)
    for envelope in entry.successions:
        new = msgspec.json.decode(envelope.body, type=r.Succession)
        yield w("{name} takes over {holder}'s seat", name=clean(new.name), holder=clean(table.names[new.seat]))
    yield from (w("{name} comes back", name=clean(table.names[one.seat])) for one in entry.returns)


def _answer_lines(table: Table, one: Checked, before: Checked | None) -> Iterator[str]:
    """What the answers themselves tell: who was late, who left, which standing orders were given."""
    yield from (w("@{seat} missed the deadline", seat=seat) for seat in one.entry.timeouts)
    for answer in one.entry.answers:
        if answer.protest:
            yield w("@{seat} protests, having signed an answer for the round of the missed deadline", seat=answer.seat)
    yield from (w("@{seat} leaves the game", seat=answer.seat) for answer in one.entry.answers if answer.resign)
    rule = table.game.standing
    for answer in one.entry.answers:
        data = r.content(answer.standing)
        if rule is None or not data:
            continue
        old = rule.text(before.checkpoint.public.standing[answer.seat] if before else rule.words())
        new = rule.text(read_words(table.game, data))
        for words in (as_typed(table.game_id, text) for text in new if text not in old):
            yield w("@{seat} gives a standing order: {words}", seat=answer.seat, words=words)
        for words in (as_typed(table.game_id, text) for text in old if text not in new):
            yield w("@{seat} cancels a standing order: {words}", seat=answer.seat, words=words)


def _chosen(table: Table, entry: r.Entry, seat: int, secrets: r.Secrets) -> str:
    """What a seat answered in secret, unless the round itself shows it. A player who signed twice may have kept a value
    that was not accepted; it is not shown."""
    answer = next((one for one in entry.answers if one.seat == seat and one.commit), None)
    shown = any(isinstance(op, r.Unseal) and (op.round, op.seat) == (entry.round, seat) for op in entry.ops)
    if answer is None or shown or commitments(table.id, entry.round, seat, secrets) != answer.commit:
        return ""
    move = decode_whole(table.game, r.content(answer.answer), secrets)
    return move_text(table, move)


def _moved(
    table: Table, one: Checked, before: Checked | None, seat: int, faces: Mapping[str, str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What came into a seat's hands in a round, and what left them."""
    if before is not None and before.checkpoint.state.book is one.checkpoint.state.book:
        return (), ()
    after = _held(table, one.checkpoint.state.book, seat, faces)
    had = _held(table, before.checkpoint.state.book, seat, faces) if before else Counter()
    return tuple(sorted((after - had).elements())), tuple(sorted((had - after).elements()))


def _held(table: Table, book: r.BookRecord, seat: int, faces: Mapping[str, str]) -> Counter[str]:
    found = known(book, table.game.hands, seat, faces)
    return Counter(face for hand in table.game.hands for face in found[f"{hand}/{seat}"])


def hand_in_words(place: Place) -> str:
    """What somebody has in hand; empty if it is nothing, or the game has no hands."""
    table, seen = place.table, place.seen
    faces = [face for name in table.game.hands for face in seen.hand(name)]
    return w("Your hand: {what}", what=_counted(faces, table)) if faces else ""


def _counted(faces: Sequence[str], table: wording.Table) -> str:
    """`flour, 2 sugar`, as the game calls its tokens."""
    tokens = (as_typed(table.game_id, table.game.called(face, n)) for face, n in Counter(faces).items())
    return with_names(", ".join(tokens), ())


def lines(one: Round, table: Table, names: Sequence[str] = ()) -> list[str]:
    """A round in words: for one player (no names), or about all."""
    found = list(one.told)
    for news in one.news:
        found += news.lines(table, clean(names[news.seat - 1]) if names else "")
    return found
