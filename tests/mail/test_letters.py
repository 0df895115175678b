"""What our mails say: playable from the text alone, nothing but what the view shows, nothing that a name can break."""

import re
import sys
from functools import cache
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

from referee import games
from referee.columns import columns
from referee.crypto.codec import encode
from referee.crypto.keys import Key
from referee.engine import host, lobby
from referee.engine.player import Opened, open_view
from referee.errors import RefereeError
from referee.language import as_text, speaking
from referee.mail import body as page
from referee.mail import letters, listing
from referee.mail.block import find_blocks
from referee.mail.body import PAGE_MOST, Body, Lines, Problem, Reader, Row, Rows, Top, html_text, mailto, plain_text
from referee.mail.case import problem_of
from referee.mail.frame import MARKER
from referee.mail.timing import moment
from referee.show import rules, typed
from tests.mail.screens import DUE, GAMES, mails, reader
from tests.support.match import Sitting, chance

KINDS = ("invitation", "ack", "early", "late", "own", "refused", "taken", "over")


@cache
def bodies(game: str) -> dict[str, Body]:
    return dict(mails(game))


@cache
def sitting(game: str, rounds: int = 3) -> Sitting:
    return Sitting(game, GAMES[game], "letters").until(rounds)


def asked(game: str, rounds: int = 3) -> tuple[Opened, Reader]:
    """A seat that is asked, and its reader."""
    table = sitting(game, rounds)
    seat = table.asked[0]
    return table.opened(seat), reader(table, seat)


every = pytest.mark.parametrize("game", GAMES)
each = pytest.mark.parametrize("kind", KINDS)


# --- text ------------------------------------------------------------------------------------------------------------


@every
@each
@pytest.mark.thorough
def test_the_text_keeps_to_its_columns(game: str, kind: str) -> None:
    lines = bodies(game)[kind].text.split("\n")
    assert lines[0] == str(MARKER)
    assert [line for line in lines if columns(line) > 72 or line != line.rstrip()] == []
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", bodies(game)[kind].text)


@every
def test_a_turn_can_be_played_from_its_text(game: str) -> None:
    opened, who = asked(game)
    text = letters.turn(opened, msgspec.structs.replace(who, pictures=False), due=DUE, times=(720, 0)).text
    top = "\n".join(text.split("\n")[:8])
    assert "Mon 23 Nov 2026, 23:30 UTC (Tue 00:30 in Berlin), with\n12 hours of grace" in top
    assert who.name in top
    flat = " ".join(text.split())
    for number, choice in enumerate(typed.choices(opened), 1):
        assert f"#{number} {' '.join(letters_of(opened, choice.text).split())}" in flat
    assert f"What do you do? ({opened.ask.what})" in flat  # type: ignore[union-attr]
    assert text.rstrip().endswith(who.pass_)
    order = ("To answer", "── ", "What do you do?", "Since your last turn", "Everything that you can do")
    parts = (*order, "How to answer", "At this table", who.pass_)
    assert sorted(parts, key=text.index) == list(parts)


def letters_of(opened: Opened, text: str) -> str:
    """A text with the players' names."""
    return re.sub(r"@(\d+)", lambda found: opened.table.names[int(found[1])], text)


def test_what_only_the_player_knows_is_told_separately() -> None:
    """Schwarzmarkt deals goods cards after a trade: the round that deals is told to everybody, the cards to one."""
    table = Sitting("schwarzmarkt", 4, "private").until(1)
    opened = table.opened(0)
    told = letters.turn(opened, reader(table, 0)).text
    hand = sorted(opened.owner.faces.values())
    line = re.search(r"Only for you:\n((?:  .*\n)+)", told)
    assert line
    assert "new in your hand" in line[1]
    shown = " ".join(line[1].split())
    assert all(opened.table.game.called(face, hand.count(face)) in shown for face in hand)
    other = letters.turn(table.opened(1), reader(table, 1)).text
    assert line[1] not in other


def test_an_ack_shows_what_is_agreed_to() -> None:
    table = Sitting("weg-zum-erfolg", 4, "letters")
    body = letters.turn(table.opened(2), reader(table, 2), due=DUE)
    for said in (
        "Do you agree?",
        "ok   (you agree to play this game)",
        "hinterlistig=false",
        "`ok; WORDS`",
        "host's key",
    ):
        assert said in body.text
    assert body.png == b""
    assert "roll always" not in body.text
    assert "decline always" in body.text


def test_whoever_signs_gets_no_words_to_send() -> None:
    table = sitting("mark")
    seat = table.asked[0]
    body = letters.turn(table.opened(seat), reader(table, seat, "own"))
    assert "referee play" in body.text
    assert "mailto:" not in body.html
    assert "pass" not in body.text.split()[-1]
    assert body.subject.endswith("your turn")


def test_kept_seats_are_named() -> None:
    table = Sitting("mark", 3, "letters", kept=(1,)).until(2)
    seat = table.asked[0]
    assert "The host declares that it keeps Bert's key." in letters.turn(table.opened(seat), reader(table, seat)).text
    begin = Sitting("mark", 3, "letters", kept=(0, 2))
    agreed = letters.turn(begin.opened(1), reader(begin, 1)).text.split("What you agree to:")[1].split("\n\n")[0]
    assert "the host declares that it keeps the keys of Anna and Carla" in agreed


def test_a_view_is_attached_as_the_host_makes_it() -> None:
    table = sitting("schwarzmarkt")
    seat = table.asked[0]
    ((name, data),) = letters.turn(table.opened(seat), reader(table, seat)).files
    assert re.fullmatch(rf"{table.table.id[:8]}-r003-\w+\.view\.json", name)
    assert data == table.view(seat)
    assert open_view(data).round == 3


def test_a_seat_that_is_not_asked_gets_news() -> None:
    table = sitting("schwarzer-freitag")
    seat = next(one for one in range(3) if one not in table.asked)
    body = letters.turn(table.opened(seat), reader(table, seat), due=DUE)
    other = table.players[table.asked[0]].name
    assert f"To act: {other}" in body.text
    assert body.subject.startswith(f"Schwarzer Freitag {table.table.offer_id[:8]}, round 4: news")
    for missing in ("What do you do?", "Please answer", "How to answer", "mailto:"):
        assert missing not in body.text + body.html


def test_long_news_do_not_push_the_question_away() -> None:
    table = Sitting("weg-zum-erfolg", 4, "letters").until(lambda one: one.round > 30 and len(one.asked) == 1)
    told = letters.game_over(table.opened(table.asked[0]), reader(table, 0), b"{}").text
    news = told.split("What happened at the end:\n")[1].split("\n\n")[0]
    assert len(news.split("\n  ")) <= letters.NEWS_MOST + 8


def test_every_mail_about_a_turn_has_one_subject() -> None:
    opened, who = asked("mark")
    asks = letters.turn(opened, who).subject
    assert asks == f"M.A.R.K. {opened.table.offer_id[:8]}, round 4: your turn {who.pass_}"
    others = [
        letters.reminder(opened, who, due=DUE, late=False),
        letters.accepted(opened, who, ["pass"]),
        letters.refused(opened, who, [Problem("x", as_text("y"))]),
    ]
    assert {one.subject for one in others} == {f"Re: {asks}"}


def test_a_reminder_says_when() -> None:
    opened, who = asked("mark")
    soon = letters.reminder(opened, who, due=DUE, late=False).text
    late = letters.reminder(opened, who, due=DUE, late=True).text
    assert "The deadline is Mon 23 Nov 2026, 23:30 UTC (Tue 00:30 in Berlin)." in soon
    assert "The deadline was Mon 23 Nov 2026, 23:30 UTC (Tue 00:30 in Berlin)." in late
    assert "without you" not in late
    last = " ".join(letters.reminder(opened, who, due="2026-11-20T08:00Z", late=True, last=DUE).text.split())
    assert "Answer by Mon 23 Nov 2026, 23:30 UTC (Tue 00:30 in Berlin), or the game goes on without you." in last
    assert "#1" in soon


def test_a_refusal_says_the_line_the_reason_and_the_list() -> None:
    opened, who = asked("mark")
    why = Problem("by red", as_text("this cannot be read"), as_text("see the list"))
    body = letters.refused(opened, who, [why, Problem("", as_text("and so"))])
    assert "You wrote: by red\nThis cannot be read; see the list.\nAnd so.\n" in body.text
    assert f"#1  {letters_of(opened, typed.choices(opened)[0].text)[:30]}" in body.text
    assert body.files == ()
    signing = letters.refused(
        opened, msgspec.structs.replace(who, way="own", pass_=""), [Problem("", as_text("and so"))]
    )
    assert signing.files[:1] == letters.turn(opened, who).files
    assert [name.split(".", 1)[1] for name, _ in signing.files] == ["view.json", "aid.json"]
    alone = letters.refused(None, who, [Problem("x" * 500, as_text("no"))])
    assert f"You wrote: {'x' * 200}...No." in alone.text.replace("\n", "")


def test_a_refusal_uses_the_words_of_its_game() -> None:
    """Not in those of another game at the tables of the office: there `subsidy` is a word, here somebody wrote it."""
    opened, who = asked("mark")
    games.load("schwarzer-freitag")
    with pytest.raises(RefereeError) as caught:
        typed.read_answer(opened, "subsidy")
    with speaking("de"):
        body = letters.refused(opened, who, [problem_of(caught.value, "subsidy")])
    assert "„subsidy“ kennt das Spiel nicht (MK-6)" in body.text


def test_what_is_taken_is_said_back() -> None:
    table = sitting("mark")
    seat = table.asked[0]
    opened = table.opened(seat)
    body = letters.accepted(opened, reader(table, seat), ["pass", "from now on: roll always"], b'{"a":1}')
    assert "Your answer has been accepted\n\npass\nfrom now on: roll always\n" in body.text
    assert [data for _, data in body.files] == [b'{"a":1}']
    assert body.files[0][0].endswith(".receipt.json")
    begin = Sitting("mark", 3, "letters")
    assert (
        "Also asked in this round: Anna and Carla.\n"
        in letters.accepted(begin.opened(1), reader(begin, 1), ["ok"]).text
    )


def test_the_end_says_who_won() -> None:
    table = Sitting("auction", 3, "letters").to_end()
    opened = table.opened(1)
    body = letters.game_over(opened, reader(table, 1), table.transcript())
    ranks = opened.chain.checkpoint.state.result.ranks  # type: ignore[union-attr]
    winner = table.players[ranks.index(1)].name
    assert f"{winner} " in body.text.split("the game is over")[1].split("won")[0]
    assert body.files == ((f"{table.table.id[:8]}.transcript.json", table.transcript()),)
    assert "referee verify" in body.text
    assert reader(table, 1).pass_ not in body.text + body.subject


@pytest.mark.parametrize("game_id", GAMES)
def test_standing_orders_are_shown_as_they_are_given(game_id: str) -> None:
    """A line that covers many moves has an example, and every example is accepted."""
    table = Sitting(game_id, 3, "sayings")
    opened = table.opened(0)
    rows = listing.standing(opened)
    assert bool(rows) == (table.table.game.standing is not None)
    for row, choice in zip(rows, typed.standing_choices(opened, opened.orders(0)), strict=True):
        assert bool(row.example) == bool(choice.parts)
        if row.example:
            assert typed.say_phrase(opened, opened.orders(0), row.example)


@pytest.mark.parametrize("game_id", GAMES)
def test_an_invitation_says_what_it_is_about(game_id: str) -> None:
    """In the words with which its rules begin, and how often somebody answers."""
    table = Sitting(game_id, 3, "about")
    text = " ".join(letters.invitation(table.offer, reader(table, 0), ["Anna"], "Hanna").text.split())
    answers = next(row["answers"] for row in rules.lengths(game_id) if row["players"] == 3)
    assert f"you answer about {answers:.0f} times" in text
    first = next(text for text in games.rules_text(game_id).split("\n\n") if not text.startswith("#"))
    assert " ".join(first.split()) in text


def test_an_invitation_offers_both_ways() -> None:
    table = Sitting("mark", 3, "letters")
    guest = Reader("Bert", pass_="a-1-0-b", reply_to="host@games.example")
    body = letters.invitation(table.offer, guest, ["Anna", "Carla"], "Hanna")
    for said in (
        "Hanna invites you",
        "join as Bert",
        "no   (you do not want to play)",
        "referee join",
        "Invited: Anna and Carla",
    ):
        assert said in body.text
    assert body.files[0][1] == encode(table.offer)
    links = [parse_qs(urlsplit(link).query)["body"] for link in hrefs(body.html)]
    assert links == [["join as Bert"], ["no"]]


def test_anything_short_can_be_told() -> None:
    body = letters.notice(Reader("Bert"), ["Which game do you mean?", "There are two."], "your mail")
    assert (body.subject, body.png, body.files) == ("your mail", b"", ())
    assert body.text == f"{MARKER}\n\nWhich game do you mean?\n\nThere are two.\n"


@pytest.mark.parametrize(
    ("text", "zone", "said"),
    [
        ("2026-11-20T08:00Z", "UTC", "Fri 20 Nov 2026, 08:00 UTC"),
        ("2026-11-20T08:00Z", "Europe/London", "Fri 20 Nov 2026, 08:00 UTC"),
        ("2026-07-01T08:00Z", "Europe/London", "Wed 1 Jul 2026, 08:00 UTC (09:00 in London)"),
        ("2026-11-20T02:00Z", "America/New_York", "Fri 20 Nov 2026, 02:00 UTC (Thu 21:00 in New York)"),
        ("2026-11-20T08:00Z", "Asia/Kolkata", "Fri 20 Nov 2026, 08:00 UTC (13:30 in Kolkata)"),
        ("2026-11-20T08:00Z", "../../etc/passwd", "Fri 20 Nov 2026, 08:00 UTC"),
        ("2026-11-20T08:00Z", "Europe", "Fri 20 Nov 2026, 08:00 UTC"),
        ("2026-11-20T08:00Z", "Nowhere/Land", "Fri 20 Nov 2026, 08:00 UTC"),
        ("9999-12-31T23:00Z", "Europe/Berlin", "Fri 31 Dec 9999, 23:00 UTC"),
    ],
)
def test_deadlines_are_given_in_both_zones(text: str, zone: str, said: str) -> None:
    assert moment(text, zone) == said


# --- pages -----------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """Checks a page while reading it: every element is closed where it should be, and only known things are used."""

    VOID = ("br", "img", "meta")

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def hrefs(html: str) -> list[str]:
    return [str(attrs["href"]) for tag, attrs in Page(html).seen if tag == "a"]


TAGS = {"html", "head", "meta", "body", "table", "tr", "td", "h1", "h2", "b", "br", "span", "a", "img", "pre"}
ATTRIBUTES = {
    "style", "href", "src", "alt", "width", "align", "role", "lang", "charset", "name", "content", "cellpadding",
    "cellspacing", "border",
}  # fmt: skip


@every
@each
@pytest.mark.thorough
def test_a_page_is_plain_and_whole(game: str, kind: str) -> None:
    body = bodies(game)[kind]
    read = Page(body.html)
    assert len(body.html.encode()) < 100_000
    assert {tag for tag, _ in read.seen} <= TAGS
    assert {name for _, attrs in read.seen for name in attrs} <= ATTRIBUTES
    assert all(attrs["href"].startswith("mailto:") for tag, attrs in read.seen if tag == "a")  # type: ignore[union-attr]
    assert all(attrs["src"].startswith("cid:board-") for tag, attrs in read.seen if tag == "img")  # type: ignore[union-attr]
    styles = ";".join(str(attrs.get("style", "")) for _, attrs in read.seen)
    assert "url(" not in styles
    colours = re.findall(r"color:([^;\"]*)", styles)
    assert colours
    assert all(re.fullmatch(r"#[0-9a-f]{6}", colour) for colour in colours)
    assert "http" not in body.html
    assert bool(body.png) == (kind in ("early", "late", "own", "over"))


@every
def test_text_and_page_say_the_same(game: str) -> None:
    """Every word of the text is on the page, except for the board: the page has a picture with a description."""
    opened, who = asked(game)
    body = letters.turn(opened, msgspec.structs.replace(who, pictures=False), due=DUE)
    shown = set(" ".join(Page(body.html).texts).replace(":", " ").split())
    said = set(body.text.replace("`", " ").replace(":", " ").split())
    assert len(said) > 50
    assert said - shown == set()


@every
def test_a_picture_has_its_words(game: str) -> None:
    opened, who = asked(game)
    body = letters.turn(opened, who)
    (image,) = (attrs for tag, attrs in Page(body.html).seen if tag == "img")
    assert len(str(image["alt"])) > 100
    assert who.name in str(image["alt"])
    assert body.png.startswith(b"\x89PNG")
    drawn = letters.turn(opened, msgspec.structs.replace(who, pictures=False))
    assert drawn.png == b""
    assert "<pre " in drawn.html
    assert drawn.text == body.text


def test_without_the_packages_for_pictures_letters_do(monkeypatch: pytest.MonkeyPatch) -> None:
    opened, who = asked("mark", 7)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    body = letters.turn(opened, who)
    assert body.png == b""
    assert "<pre " in body.html


@every
def test_every_link_writes_its_move(game: str) -> None:
    opened, who = asked(game, 5)
    found = listing.answers(opened)
    buttons = [row.order for row in found.likely]
    wanted = buttons + [row.order for row in found.listed if row.order and row.order not in buttons]
    links = hrefs(letters.turn(opened, who).html)
    assert len(links) == len(wanted)
    for link, words in zip(links, wanted, strict=True):
        assert len(link) < 1_900
        parts = urlsplit(link)
        fields = parse_qs(parts.query)
        assert parts.path.replace("%2B", "+") == who.reply_to
        assert fields["body"] == [words]
        assert fields["subject"][0].endswith(who.pass_)
        assert typed.read_answer(opened, words).move is not None


def brightness(colour: str) -> float:
    """As WCAG 2 defines the relative luminance of a colour."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(("ink", "ground"), [(page._INK, page._PAPER), (page._FAINT, page._PAPER),
    (page._INK, page._URGENT), (page._LINK, page._BUTTON), (page._FAINT, page._BUTTON)])  # fmt: skip
def test_letters_stand_out(ink: str, ground: str) -> None:
    """The guidelines require 4.5 to 1 for small text."""
    assert (brightness(ground) + 0.05) / (brightness(ink) + 0.05) > 4.5


def test_a_link_that_is_too_long_is_left_out() -> None:
    who = Reader("Bert", way="kept", pass_="p", reply_to="host@games.example")
    assert mailto(who, "s", "ü" * 100).endswith("&body=" + "%C3%BC" * 100)
    assert mailto(who, "s", "ü" * 350) == ""
    assert mailto(msgspec.structs.replace(who, pass_=""), "s", "pass") == ""


def test_what_would_be_cut_on_the_way_is_left_to_the_text() -> None:
    who = Reader("Bert", way="kept", pass_="p", reply_to="host@games.example")
    rows = Rows("What do you do?", tuple(Row(f"bid {n}", f"#{n}", order=f"bid {n}") for n in range(260)))
    made = html_text([Top("x"), rows], who, "subject")
    assert len(made.encode()) < PAGE_MOST
    assert "mailto:" not in made
    assert "bid 259" in made
    long = html_text([Top("the top"), Lines("x", ("y" * 1000,) * 200)], who, "subject")
    assert "the top" in long
    assert "its plain text has all of it" in long
    assert len(long.encode()) < 5_000


# --- hostile names ---------------------------------------------------------------------------------------------------

NAMES = ("\"><script>alert('1')</script>", "-----BEGIN PBEM REFEREE MOVE-----", "`#1` </td></table> %0d%0a %s &lt")


@cache
def hostile() -> Sitting:
    """A game of people with names like these."""
    made = Sitting("schwarzmarkt", 3, "hostile")
    made.players = [Key(chance("hostile", seat), name) for seat, name in enumerate(NAMES)]
    nonces = [chance("hostile", "join", seat) for seat in range(3)]
    named = zip(made.players, nonces, strict=True)
    made.joins = tuple(lobby.make_join(key, made.offer, key.name, nonce) for key, nonce in named)
    made.marks = [lobby.player_marks(key, made.table.offer_id, nonces[seat]) for seat, key in enumerate(made.players)]
    made.match = host.new_match(made.host, lobby.make_genesis(made.host, made.offer, made.joins))
    return made.until(4)


def test_names_break_nothing() -> None:
    table = hostile()
    seat = table.asked[0]
    opened, who = table.opened(seat), reader(table, seat)
    for body in (
        letters.turn(opened, who, due=DUE),
        letters.invitation(table.offer, who, NAMES, NAMES[0]),
        letters.refused(opened, who, [Problem(NAMES[0], as_text(NAMES[2]), as_text(NAMES[1]))]),
        letters.accepted(opened, who, NAMES),
        letters.notice(who, NAMES, NAMES[0]),
    ):
        assert {tag for tag, _ in Page(body.html).seen} <= TAGS
        assert {name for _, attrs in Page(body.html).seen for name in attrs} <= ATTRIBUTES
        assert find_blocks(body.text) == find_blocks(body.html) == []
        assert "<script>alert" in body.text


def test_a_line_of_a_stranger_stays_on_its_line() -> None:
    told = letters.refused(None, Reader("Bert"), [Problem("a\r\nBcc: x@y.example\n\x1b[2J", as_text("b\nc"))]).text
    assert "a\\r\\nBcc: x@y.example\\n\\x1b[2J" in told
    assert "B\\nc." in told


def test_a_plain_text_has_a_marker_whatever_is_in_it() -> None:
    assert plain_text([]) == f"{MARKER}\n"
