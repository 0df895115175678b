"""Small faults to plant in a source: where they can stand and how the text reads with them. Python by its syntax tree,
JavaScript by its tokens."""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple


class Mutant(NamedTuple):
    """One fault: the bytes from `start` to `end` of a source become `new`."""

    path: str
    line: int
    kind: str
    start: int
    end: int
    new: bytes

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.new + source[self.end :]


def mutants_of(path: str, source: bytes) -> list[Mutant]:
    """Every fault that can be planted in this source, in the order of the text. None reads like the source itself."""
    found = _javascript(source) if path.endswith(".mjs") else _Python(source).found()
    made = {
        (start, end, new): Mutant(path, source.count(b"\n", 0, start) + 1, kind, start, end, new)
        for kind, start, end, new in found
        if source[start:end] != new
    }
    return sorted(made.values(), key=lambda one: (one.start, one.end, one.new))


Edit = tuple[str, int, int, bytes]
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list", "reversed": "list"}
COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: (r"not\s+in", "in"),
}
REPLACED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.FloorDiv: ("//", "*"),
    ast.Div: ("/", "*"),
    ast.Mod: ("%", "+"),
    ast.BitOr: ("|", "&"),
    ast.BitAnd: ("&", "|"),
}
RETURNED = {"bool": "not ({})", "int": "({}) + 1", "str": '""', "bytes": 'b""'}


class _Python(ast.NodeVisitor):
    def __init__(self, source: bytes) -> None:
        self.source, self.edits, self.returns = source, list[Edit](), [""]
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def found(self) -> list[Edit]:
        self.visit(ast.parse(self.source))
        return self.edits

    def span(self, node: ast.AST) -> tuple[int, int]:
        at: ast.expr = node  # type: ignore[assignment]
        return self.starts[at.lineno - 1] + at.col_offset, self.starts[at.end_lineno - 1] + at.end_col_offset  # type: ignore[operator]

    def text(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.source[start:end].decode()

    def put(self, kind: str, node: ast.AST, new: str) -> None:
        self.edits.append((kind, *self.span(node), new.encode()))

    def between(self, kind: str, left: ast.AST, right: ast.AST, old: str, new: str) -> None:
        """The operator between two operands; brackets and line breaks around it stay."""
        start, end = self.span(left)[1], self.span(right)[0]
        at = re.search(rb"(?<!\w)" + old.encode() + rb"(?!\w)", self.source[start:end])
        if at:
            self.edits.append((kind, start + at.start(), start + at.end(), new.encode()))

    def negate(self, test: ast.AST) -> None:
        self.put("condition", test, f"(not ({self.text(test)}))")

    # --- statements ---------------------------------------------------------------------------------------------------

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.returns.append(ast.unparse(node.returns) if node.returns else "")
        self.generic_visit(node)
        self.returns.pop()

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            if not isinstance(node.value, ast.Yield | ast.YieldFrom):
                self.put("statement", node, "pass")
            self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self.put("raise", node, "pass")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.put("statement", node, "pass")
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None:
            value = RETURNED.get(self.returns[-1], "None").format(self.text(node.value))
            self.put("return", node.value, value)
        self.generic_visit(node)

    def visit_Break(self, node: ast.Break) -> None:
        self.put("loop", node, "continue")

    def visit_Continue(self, node: ast.Continue) -> None:
        self.put("loop", node, "break")

    def visit_If(self, node: ast.If | ast.IfExp | ast.While) -> None:
        if self.text(node.test) != "TYPE_CHECKING":
            self.negate(node.test)
            self.generic_visit(node)

    visit_IfExp = visit_While = visit_If  # noqa: N815

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self.put("condition", test, "True")
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._annotation(node.annotation)
        if node.value is not None:
            self.visit(node.value)

    def visit_arg(self, node: ast.arg) -> None:
        self._annotation(node.annotation)

    def _annotation(self, node: ast.expr | None) -> None:
        """Types are the type checker's; bounds and options in `Annotated` are the program's."""
        for part in ast.walk(node) if node is not None else ():
            if isinstance(part, ast.Call):
                self.visit(part)

    # --- expressions --------------------------------------------------------------------------------------------------

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            self.between("comparison", left, right, *COMPARED[type(operator)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self.between("and, or", left, right, old, new)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.put("condition", node, f"bool({self.text(node.operand)})")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in REPLACED:
            old, new = REPLACED[type(node.op)]
            self.between("arithmetic", node.left, node.right, re.escape(old), new)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self.put("constant", node, str(not value))
        elif isinstance(value, int):
            self.put("constant", node, str(value + 1))
            if value > 0:
                self.put("constant", node, str(value - 1))
        elif isinstance(value, str | bytes):
            empty = "" if isinstance(value, str) else b""
            self.put("text", node, repr(empty if value else empty + type(value)(b"x", *["ascii"][: value == ""])))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self.put("text", node, '""')  # Python 3.11 does not say where the parts stand

    def visit_Call(self, node: ast.Call) -> None:
        plain = [one for one in node.args if not isinstance(one, ast.Starred | ast.GeneratorExp)]
        if len(plain) == len(node.args) >= 2 and ast.unparse(node.func) not in ("min", "max"):
            (start, first_end), (second, end) = self.span(plain[0]), self.span(plain[1])
            middle = self.source[first_end:second]
            swapped = self.source[second:end] + middle + self.source[start:first_end]
            self.edits.append(("arguments", start, end, swapped))
        for keyword in node.keywords:
            if keyword.arg and len(node.args) + len(node.keywords) > 1:
                start, end = self.span(keyword)
                comma = re.match(rb"\s*,", self.source[end:])
                if comma:
                    self.edits.append(("arguments", start, end + comma.end(), b""))
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in NAMES and not (name == "sorted" and node.keywords):
            self.put("call", node.func, NAMES[name])
        self.generic_visit(node)

    def visit_Slice(self, node: ast.Slice) -> None:
        for bound in (node.lower, node.upper):
            if bound is not None:
                self.put("slice", bound, f"({self.text(bound)}) + 1")
        self.generic_visit(node)


# --- JavaScript -------------------------------------------------------------------------------------------------------

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)
    |(?P<number>0x[0-9a-fA-F]+n?|\d[\d_]*(?:\.\d+)?n?)
    |(?P<word>[A-Za-z_$#][\w$]*)
    |(?P<operator>===|!==|=>|<=|>=|&&|\|\||\?\?=?|\?\.|\+\+|--|\*\*|[+\-*/%&|^]=|<<|>>>?|[-+*/%<>=!&|^~?:;,.(){}\[\]@])""",
    re.S | re.X,
)
PATTERN = re.compile(r"/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*")
OPERATORS = {
    "===": "!==", "!==": "===", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "&&": "||", "||": "&&", "??": "&&",
    "+": "-", "-": "+", "*": "+", "%": "+", "++": "--", "+=": "-=", "-=": "+=",
}  # fmt: skip
WORDS = {"true": "false", "false": "true", "every": "some", "some": "every", "min": "max", "max": "min",
         "continue": "break", "break": "continue"}  # fmt: skip
ENDED = {")", "]", "}"}
OPENING = {"if", "for", "while", "switch", "try", "else", "export", "class", "async", "case", "default"}


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Kind, text and place of every token but comments. A slash begins a pattern where no value stands before it."""
    at, before = 0, ("operator", "")
    while at < len(text):
        value_before = before[0] in ("text", "number", "pattern") or before[1] in ENDED
        value_before = value_before or (before[0] == "word" and before[1] not in ("return", "case", "typeof"))
        match = None if value_before else PATTERN.match(text, at)
        kind = "pattern" if match else ""
        match = match or TOKEN.match(text, at)
        if match is None:
            at += 1
            continue
        kind = kind or str(match.lastgroup)
        if kind != "comment":
            yield kind, match.group(), at
            before = kind, match.group()
        at = match.end()


def _javascript(source: bytes) -> Iterator[Edit]:
    text = source.decode()
    tokens = list(_tokens(text))
    bytes_at = [0]
    for char in text:
        bytes_at.append(bytes_at[-1] + len(char.encode()))
    for kind, start, end, new in _edits(text, tokens):
        yield kind, bytes_at[start], bytes_at[end], new.encode()


def _edits(text: str, tokens: list[tuple[str, str, int]]) -> Iterator[tuple[str, int, int, str]]:
    closing = _closing(tokens)
    for index, (kind, token, at) in enumerate(tokens):
        end = at + len(token)
        before = tokens[index - 1][1] if index else ""
        after = tokens[index + 1][1] if index + 1 < len(tokens) else ""
        line = text[text.rfind("\n", 0, at) + 1 :].partition("\n")[0]
        if line.startswith(("import ", "export *")):
            continue
        if kind == "operator" and token in OPERATORS:
            binary = tokens[index - 1][0] != "operator" or before in ENDED
            if binary or token in ("++",):
                yield ("comparison" if token[0] in "=!<>" else "operator"), at, end, OPERATORS[token]
        elif token == "!":
            yield "condition", at, end, ""
        elif kind == "word" and token in WORDS and (before == "." or token not in ("some", "every", "min", "max")):
            yield "word", at, end, WORDS[token]
        elif kind == "number" and re.fullmatch(r"\d+n?", token):
            yield "constant", at, end, re.sub(r"\d+", lambda digits: str(int(digits[0]) + 1), token)
        elif kind == "text" and len(token) > 2:
            yield "text", at, end, token[0] * 2
        elif token in ("if", "while") and after == "(":
            opened, closed = tokens[index + 1][2], tokens[closing[index + 1]][2]
            yield "condition", opened, closed + 1, f"(!{text[opened : closed + 1]})"
        elif token == "return" and after not in (";", "}"):
            until = _until_semicolon(tokens, index, closing)
            if until is not None:
                yield "return", tokens[index + 1][2], until, "undefined"
        if kind == "word" and before in (";", "{", "}", ")") and token not in ("const", "let", "return", "function"):
            until = _until_semicolon(tokens, index, closing)
            if until is not None and re.match(r"[\w$.?]+(\[|\(| [-+]?= )|throw |await ", text[at:until]):
                yield "statement", at, until, ""


def _closing(tokens: list[tuple[str, str, int]]) -> dict[int, int]:
    found, stack = {}, []
    for index, (kind, token, _) in enumerate(tokens):
        if kind == "operator" and token in "([{":
            stack.append(index)
        elif kind == "operator" and token in ENDED and stack:
            found[stack.pop()] = index
    return found


def _until_semicolon(tokens: list[tuple[str, str, int]], index: int, closing: dict[int, int]) -> int | None:
    """Where the statement that begins here ends, if it ends with a semicolon and opens no block of its own."""
    if tokens[index][1] in (
        "if",
        "for",
        "while",
        "switch",
        "try",
        "else",
        "export",
        "class",
        "async",
        "case",
        "default",
    ):
        return None
    while index < len(tokens):
        token = tokens[index][1]
        if token == ";":
            return tokens[index][2]
        if token in ENDED:
            return None
        index = closing.get(index, index) + 1
    return None
