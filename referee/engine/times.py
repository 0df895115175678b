"""Times that documents state, to reckon with."""


def minutes(due: str) -> int:
    """A deadline as minutes, to reckon with; `ValueError` if it is no time at all."""
    from datetime import date

    return date.fromisoformat(due[:10]).toordinal() * 1440 + int(due[11:13]) * 60 + int(due[14:16])
