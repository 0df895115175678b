"""Text from others, made safe for a terminal."""


def clean(text: str) -> str:
    """Whatever is not printable is spelled out."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
