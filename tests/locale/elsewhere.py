"""Texts in errors that no source of ours says as a whole: words that stand in sentences, what the core puts together,
and the reasons that the readers of JSON and TOML give. They are told again like those that are extracted."""

DOCUMENTS = """
a claim|a closing|a disclosure|a genesis|a join|a move|a private|a receipt|a ruling|a stage|a start|a view
a withdrawal|a return|a succession|a word|an abandonment|an ending|an entrant|an entry|an extension|an offer
abandonment|claim|closing|disclosure|document|edition|ending|entrant|entry|extension|file|game file|genesis|head|join
key file|ledger|line|mail|move|offer|options|password file|plan|player's file|position|private|proof|receipt|results
return|ruling|settings|stage|start|state|succession|ticket|tournament file|transcript|view|withdrawal|word|words
an answer|the position|the sealed part|this file|this|document of this program
"""
"""What is read, with and without an article."""

MADE = """
ask for the file again
give the file inside it
{what} is nested more than {deepest} deep
{what} has a key that is not ASCII
{what} has a number out of range
as join {first}
as the offer: the host's own
seat {n}
it is damaged, or no JSON
, or {found}?
"""
"""What is put together, most of it by the core."""

VALIDATION = """
Expected `{wanted}`, got `{given}`
Expected `{wanted}`
Expected `{wanted}` {bound}
Expected `{wanted}` that's a multiple of {bound}
Expected `{wanted}` matching regex {pattern}
Expected `{wanted}` of length {bound}
Expected `{wanted}` of length {bound}, got {given}
Expected `{wanted}` of length {least} to {most}
Expected `{wanted}` of length {least} to {most}, got {given}
Expected `{wanted}` of at least length {bound}, got {given}
Expected `{wanted}` of at most length {bound}, got {given}
Expected `{wanted}` of at most length {bound}
Object missing required field `{field}`
Object contains unknown field `{field}`
Invalid enum value {value}
Invalid value {value}
Integer value out of range
Number out of range
"""
"""Why JSON or TOML does not fit; each also with a place, or in small letters."""

JSON = """
Input data was truncated
JSON is malformed: {why} (byte {place})
expected ',' or {sign}
expected ':'
expected '"'
invalid character
invalid character in unicode escape
invalid escape character in string
invalid escaped character
invalid number
invalid utf-16 surrogate pair
object keys must be strings
trailing characters
trailing comma in array
trailing comma in object
unexpected end of escaped utf-16 surrogate pair
unexpected end of hex escape
"""
"""Why a line is no JSON."""

TOML = """
invalid statement
expected newline or end of document after a statement
expected {what}
found invalid character {char}
cannot declare {key} twice
cannot overwrite a value
cannot mutate immutable namespace {key}
cannot redefine namespace {key}
expected ']' at the end of a table declaration
expected ']]' at the end of an array declaration
expected '=' after a key in a key/value pair
invalid initial character for a key part
unclosed array
duplicate inline table key {key}
unclosed inline table
unescaped '\\' in a string
invalid hex value
escaped character is not a Unicode scalar value
unterminated string
illegal character {char}
invalid date or datetime
invalid value
"""
"""Why a file is no TOML."""


def texts() -> list[str]:
    """All of them."""
    words = [word for line in DOCUMENTS.split("\n") for word in line.split("|")]
    words += [f"this is not {word}" for word in words if word.startswith(("a ", "an "))]
    lines = [line for group in (MADE, JSON, TOML) for line in group.split("\n")]
    misfits = [line for line in VALIDATION.split("\n") if line]
    small = [f"{line[0].lower()}{line[1:]}" for line in misfits]
    return [*filter(None, (*words, *lines)), *misfits, *small, *(f"{line} - at `{{place}}`" for line in misfits)]
