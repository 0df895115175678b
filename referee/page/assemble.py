"""Pages as single HTML files, made of modules, styles and data. The same sources give the same bytes."""

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files

from referee.svg import COLOURS, SEATS

_IMPORT = re.compile(r"^import \{([^}]*)\} from ['\"]\./([a-z_]+)\.mjs['\"];?[ \t]*$", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) (\w+))", re.MULTILINE)
_TOKEN = re.compile(
    r"""
    (?P<gap>(?:\s|//[^\n]*|/\*.*?\*/)+)
    |"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`
    |(?:(?<=[(,=:\[!&|?{};+>])|(?<=[(,=:\[!&|?{};+>]\ )|(?<=return\ )|(?<=\ \ ))
     /(?:[^/\\\[\n]|\\.|\[(?:[^]\\\n]|\\.)*])+/\w*
    |[\w$]+|.
    """,
    re.VERBOSE | re.DOTALL,
)
"""A gap, a text, a pattern, a word or a sign of JavaScript, as we write it: no template within a template."""
_STATEMENT = re.compile(r"^(?:import|export)\b", re.MULTILINE)

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>pbem-referee</title>
<style>{style}</style>
</head>
<body>
<noscript>
<p>This page needs JavaScript: it is its own program, and asks nothing of any server.</p>
<p lang="de">Diese Seite braucht JavaScript: Sie ist ihr eigenes Programm und fragt keinen Server nach etwas.</p>
<p lang="nl">Deze pagina heeft JavaScript nodig: ze is haar eigen programma en vraagt geen server om iets.</p>
</noscript>
<main id="page"></main>
<script type="application/json" id="data">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def player_page() -> bytes:
    """The page for players, without any game."""
    return _page("player_page", "null")


def table_page() -> bytes:
    """The page of the local app, which asks the program that serves it."""
    return _page("table_page", "null", ("page.css", "table.css"), "connect-src 'self'")


def reading_page(data: bytes) -> bytes:
    """A page of a game, for reading only; `data` is JSON."""
    import gzip

    packed = base64.b64encode(gzip.compress(data, mtime=0)).decode()
    return _page("reading_page", f'"{packed}"')


def hashes() -> dict[str, str]:
    """SHA-256 of the player's page, and of the verifier in it: its modules, one after the other."""
    modules = _order("verifier")
    verifier = "".join(_source(f"{name}.mjs") for name in modules).encode()
    parts = {"player.html": player_page(), " ".join(f"{name}.mjs" for name in modules): verifier}
    return {name: hashlib.sha256(data).hexdigest() for name, data in parts.items()}


def _page(main: str, data: str, styles: tuple[str, ...] = ("page.css",), *more: str) -> bytes:
    style, script = "".join(map(_source, styles)) + seat_styles(), _script(main)
    policy = "; ".join((
        "default-src 'none'",
        f"script-src '{_digest(script)}'",
        f"style-src '{_digest(style)}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        # No text can become markup or code, even if we make a mistake.
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
        *more,
    ))  # fmt: skip
    return _PAGE.format(policy=policy, style=style, data=data, script=script).encode()


def seat_styles() -> str:
    """The colours of the players, as in pictures."""
    return "".join(f".seat{seat} {{ --own: {COLOURS[name]}; }}\n" for seat, name in enumerate(SEATS))


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _source(name: str) -> str:
    return (files("referee.page") / name).read_text("utf-8").replace("\r\n", "\n")


@cache
def _script(main: str) -> str:
    """A module and all that it imports as one script: each is a block that returns what it exports."""
    script = "\n".join(map(_block, _order(main)))
    if "</script" in script.lower() or "<!--" in script:
        raise AssertionError("a script must not end its own element")
    return script


def _order(main: str) -> list[str]:
    """A module and all that it needs, in the order in which they can run."""
    found: list[str] = []
    _collect(main, found, ())
    return found


def _collect(name: str, order: list[str], above: tuple[str, ...]) -> None:
    if name in above:
        raise AssertionError(f"modules import each other: {' > '.join((*above, name))}")
    for _, other in _IMPORT.findall(_source(f"{name}.mjs")):
        if other not in order:
            _collect(other, order, (*above, name))
    order.append(name)


def _block(name: str) -> str:
    """A module as a block: imports become names from other blocks, exports what it returns."""
    source = _source(f"{name}.mjs")
    exported = _EXPORT.findall(source)
    body = _EXPORT.sub("", _IMPORT.sub(_checked, source))
    if left := _STATEMENT.search(body):
        raise AssertionError(f"{name}.mjs: an import or export that cannot be inlined: {body[left.start() :][:60]!r}")
    return f"const ${name} = await (async () => {{{_stripped(body)}\nreturn {{{', '.join(exported)}}};\n}})();"


def _stripped(source: str) -> str:
    """A module without comments, and without blanks that only people need: a page has three languages to carry."""
    out = ["\n"]
    for token in _TOKEN.finditer(source):
        before, after = out[-1][-1], source[token.end() : token.end() + 1]
        if token["gap"] is None:
            out.append(token[0])
        elif "\n" in token[0] and before not in "\n{([,;" and after not in "})].":
            out.append("\n")
        elif "\n" not in token[0] and (_is_word(before + after) or {before, after} & {*"+-/"}):
            out.append(" ")
    return "".join(out)


def _is_word(text: str) -> bool:
    return all(letter.isalnum() or letter in "_$#" for letter in text)


def _checked(found: re.Match[str]) -> str:
    names = ", ".join(one.strip().replace(" as ", ": ") for one in found[1].split(",") if one.strip())
    return f"const {{{names}}} = ${found[2]};"
