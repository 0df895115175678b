"""Pages as single HTML files, made of modules, styles and data. The same sources give the same bytes."""

import base64
import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

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
{script}{payloads}</body>
</html>
"""


def player_page(payloads: Mapping[str, bytes] = {}) -> bytes:
    """The page for players, without any game; with rules, if it gets what it needs to run them."""
    if payloads:
        return _page("rules_page", "null", ("page.css", "table.css", "lobby.css"), payloads=payloads)
    return _page("player_page", "null", ("page.css", "table.css"))


def page_name(payloads: Mapping[str, bytes]) -> str:
    """What the player's page is called as a file."""
    return "player-rules.html" if payloads else "player.html"


def table_page() -> bytes:
    """The page of the local app, which asks the program that serves it."""
    return _page("table_page", "null", ("page.css", "table.css", "lobby.css"), ("connect-src 'self'",))


def reading_page(data: bytes, payloads: Mapping[str, bytes] = {}) -> bytes:
    """A page of a game, for reading only; `data` is JSON. With rules, if it gets what it needs to run them."""
    import gzip

    packed = base64.b64encode(gzip.compress(data, mtime=0)).decode()
    main = "replay_page" if payloads else "reading_page"
    return _page(main, f'"{packed}"', ("page.css", "table.css"), payloads=payloads)


def hashes(payloads: Mapping[str, bytes] = {}) -> dict[str, str]:
    """SHA-256 of the player's page, with or without rules, and of the verifier in it: its modules, one after the
    other."""
    modules = _order("verifier")
    verifier = "".join(_source(f"{name}.mjs") for name in modules).encode()
    parts = {page_name(payloads): player_page(payloads), " ".join(f"{name}.mjs" for name in modules): verifier}
    return {name: hashlib.sha256(data).hexdigest() for name, data in parts.items()}


def _page(
    main: str,
    data: str,
    styles: tuple[str, ...] = ("page.css",),
    more: tuple[str, ...] = (),
    payloads: Mapping[str, bytes] = {},
) -> bytes:
    digests = {name: hashlib.sha256(part).hexdigest() for name, part in payloads.items()}
    style = _tight("".join(map(_source, styles)) + seat_styles())
    script = _script(main, f"export const PAYLOADS = {json.dumps(digests)};" if payloads else "")
    policy = "; ".join((
        "default-src 'none'",
        f"script-src '{_digest(script)}'" + (" 'wasm-unsafe-eval'" if payloads else ""),
        f"style-src '{_digest(style)}'",
        "base-uri 'none'",
        "form-action 'none'",
        # No text can become markup or code, even if we make a mistake.
        "require-trusted-types-for 'script'",
        # One policy, by which only the worker with the rules can begin.
        *(("worker-src blob:", "trusted-types rules") if payloads else ("trusted-types 'none'",)),
        *more,
    ))  # fmt: skip
    blocks = "".join(
        f'<script type="text/plain" id="payload-{name}">{base64.b64encode(part).decode()}</script>\n'
        for name, part in payloads.items()
    )
    # A script that need not wait for the end of the page can be used while the blocks are still being read.
    run = f'<script type="module"{" async" if payloads else ""}>{script}</script>\n'
    return _PAGE.format(policy=policy, style=style, data=data, payloads=blocks, script=run).encode()


def seat_styles() -> str:
    """The colours of the players, as in pictures."""
    return "".join(f".seat{seat} {{ --own: {COLOURS[name]}; }}\n" for seat, name in enumerate(SEATS))


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _tight(style: str) -> str:
    """Styles without comments, and without blanks that only people need."""
    return re.sub(r"\s*([{};])\s*|(:) |(,)\s+", r"\1\2\3", re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL))


@cache
def _source(name: str) -> str:
    return (files("referee.page") / name).read_text("utf-8").replace("\r\n", "\n")


@cache
def _script(main: str, payloads: str = "") -> str:
    """A module and all that it imports as one script: each is a block that returns what it exports. `payloads` stands
    in for the module of that name."""
    order = _order(main)
    blocks = {name: _block(name, payloads if name == "payloads" else "") for name in order}
    if "translations" in blocks:
        blocks["translations"] = _texts("".join(code for name, code in blocks.items() if name != "translations"))
    script = "\n".join(blocks.values())
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


def _block(name: str, source: str = "") -> str:
    """A module as a block: imports become names from other blocks, exports what it returns."""
    source = source or _source(f"{name}.mjs")
    exported = _EXPORT.findall(source)
    body = _EXPORT.sub("", _IMPORT.sub(_checked, source))
    if left := _STATEMENT.search(body):
        raise AssertionError(f"{name}.mjs: an import or export that cannot be inlined: {body[left.start() :][:60]!r}")
    return f"const ${name} = await (async () => {{{_stripped(body)}\nreturn {{{', '.join(exported)}}};\n}})();"


_LETTERS = [*map(chr, range(0x100, 0x300)), *map(chr, range(0x370, 0x590))]
"""Letters that no text of ours has: each stands for a word that is said often."""
_READ = """\
const $translations = await (async () => {{
const words={words}.split("|"),word=(one,at=one.charCodeAt())=>words[at<768?at-256:at-368];
return JSON.parse({texts}.replace(/[\\u0100-\\u02ff\\u0370-\\u058f]/g,(one)=>word(one)));
}})();"""
_WORD = re.compile(r" ?[A-Za-zÀ-ÿ]{3,}")


def _texts(code: str) -> str:
    """The tables of texts as a block, without those that this code never shows. Words that come often stand in it once:
    a small page has room for three languages."""
    tables = _tables()
    begun = tuple(re.findall(r"t\(`([a-z ]+)\$\{", code))
    tables["TEXTS"] = {key: row for key, row in tables["TEXTS"].items() if f'"{key}"' in code or key.startswith(begun)}
    text = json.dumps(tables, ensure_ascii=False, separators=(",", ":"))
    assert not {*text} & {*_LETTERS}
    saved = {word: _saved(word, count) for word, count in Counter(_WORD.findall(text)).items()}
    often = sorted((word for word in saved if saved[word] > 0), key=lambda word: (-saved[word], word))
    letters = dict(zip(often, _LETTERS, strict=False))
    packed = _WORD.sub(lambda found: letters.get(found[0], found[0]), text)
    words, texts = (json.dumps(one, ensure_ascii=False) for one in ("|".join(letters), packed))
    return _READ.format(words=words, texts=texts)


def _saved(word: str, count: int) -> int:
    """How many bytes it saves to write a word once, and a letter for it everywhere."""
    return count * (len(word.encode()) - 2) - len(word.encode()) - 1


def _tables() -> dict[str, Any]:
    """The tables of `translations.mjs`, which are JSON but for comments and commas at the end of a list."""
    source = _stripped(_EXPORT.sub("", _source("translations.mjs")))
    tokens = [token[0] for token in _TOKEN.finditer(source)]
    ends = zip(tokens, [*tokens[1:], ""], strict=True)
    plain = "".join(token for token, after in ends if not (token == "," and after in ("]", "}")))
    starts = re.finditer(r"\bconst ([A-Z]+)=(?=\{)", plain)
    return {start[1]: json.JSONDecoder().raw_decode(plain, start.end())[0] for start in starts}


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
