"""A position as a picture: what somebody may see of any round, as the SVG that the game makes of it, or as a PNG."""

from importlib import import_module
from io import BytesIO

import msgspec

from referee.engine.answers import seen
from referee.engine.chain import Followed
from referee.engine.player import Opened
from referee.errors import Usage, WrongTurn
from referee.game import AnySeen
from referee.language import run, speaking, t
from referee.show.text import clean
from referee.show.wording import language_of
from referee.svg import NARROW, WIDTH

FONT = "Inter"


def seen_in_view(opened: Opened, number: int | None = None) -> AnySeen:
    """What the owner of a view could see after this round, or after the last one."""
    return _view_at(opened.chain, number, opened.seat, opened.owner.faces)


def seen_in_transcript(chain: Followed, number: int | None = None, seat: int | None = None) -> AnySeen:
    """What a seat could see after this round; without a seat, what everybody could, as from the first number that is
    not a seat."""
    faces = {token.slot: token.face for one in chain.rounds for tokens in one.openings.values() for token in tokens}
    return _view_at(chain, number, chain.table.seats if seat is None else seat, faces)


def _view_at(chain: Followed, number: int | None, seat: int, faces: dict[str, str]) -> AnySeen:
    last = len(chain.rounds)
    if not last:
        raise WrongTurn(t("nothing is dealt yet"), t("agree to the game with {run}", run=run("play")), code="not-dealt")
    if number is not None and not 1 <= number <= last:
        raise Usage(t("there is no such round in this file"), t("choose --round 1 to {last}", last=last))
    checkpoint, game = chain.rounds[(number or last) - 1].checkpoint, chain.table.game
    found = seen(game, checkpoint.state, checkpoint.public, seat, faces)
    # A result because the others left does not come from the game's rules.
    return msgspec.structs.replace(found, result=None) if checkpoint.state.end == "left" else found


def drawn_for(width: int) -> int:
    """Which of the two boards fits a picture of this width: below the wide one, that for a phone."""
    return WIDTH if width >= WIDTH else NARROW


def svg(chain: Followed, known: AnySeen, width: int = WIDTH) -> str:
    """The game's own picture of what somebody sees, drawn for one of `referee.svg.WIDTHS`."""
    table = chain.table
    if table.game.picture is None:
        why = t("{title} has no picture", title=clean(table.game.title))
        raise Usage(why, t("look at the position with {run}", run=run("show")), code="no-picture")
    with speaking(language_of(table)):  # a picture names its language
        return table.game.picture(table.terms, known, [clean(name) for name in table.names], width)


def png(svg: str, width: int = WIDTH) -> bytes:
    """An SVG in pixels, of at most 256 colours: a picture of a board has few, and a third of the bytes. The font comes
    with a package, not from the machine, so the same picture is the same bytes everywhere."""
    try:
        draw, font, image = (import_module(name) for name in ("resvg_py", "fontpkg_inter", "PIL.Image"))
    except ImportError:
        why = t("a PNG needs packages that are not installed")
        advice = t("run `pip install resvg-py fontpkg-inter pillow`, or write an SVG: --svg board.svg")
        raise Usage(why, advice, code="no-png") from None
    drawn = draw.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=[str(font.ROOT / "files" / "Inter[opsz,wght].ttf")],
        font_family=FONT,
        sans_serif_family=FONT,
    )
    found, out = image.open(BytesIO(bytes(drawn))).convert("RGBA"), BytesIO()
    plain = image.alpha_composite(image.new("RGBA", found.size, "white"), found).convert("RGB")
    plain.quantize(256, method=image.Quantize.FASTOCTREE, dither=image.Dither.NONE).save(out, "PNG")
    return out.getvalue()
