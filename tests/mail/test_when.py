"""Times as readers of each language see them."""

from datetime import date, timedelta

import pytest

from referee.language import speaking
from referee.mail.timing import moment

WEEKDAYS = {
    "en": "Mon Tue Wed Thu Fri Sat Sun",
    "de": "Mo Di Mi Do Fr Sa So",
    "nl": "ma di wo do vr za zo",
}
MONTHS = {
    "en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
}


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_every_day_and_month_has_its_name(language: str) -> None:
    with speaking(language):
        days = [moment(f"{date(2026, 11, 23) + timedelta(days=at)}T08:05Z", "UTC") for at in range(7)]
        months = [moment(f"2026-{month:02}-15T08:05Z", "UTC") for month in range(1, 13)]
    assert all("08:05" in told or "8:05" in told for told in days)
    for told, name in zip(days, WEEKDAYS[language].split(), strict=True):
        assert told.startswith(name), told
    for told, name in zip(months, MONTHS[language].split(), strict=True):
        assert name[:3].casefold() in told.casefold().replace("mrt", "maa").replace("märz", "mär"), told


def test_cities_have_names_in_each_language() -> None:
    zones = {
        "Europe/Copenhagen": ("Copenhagen", "Kopenhagen", "Kopenhagen"), "Europe/Rome": ("Rome", "Rom", "Rome"),
        "Europe/Vienna": ("Vienna", "Wien", "Wenen"), "Europe/Prague": ("Prague", "Prag", "Praag"),
        "Europe/Brussels": ("Brussels", "Brüssel", "Brussel"), "Europe/Warsaw": ("Warsaw", "Warschau", "Warschau"),
        "Europe/Paris": ("Paris", "Paris", "Parijs"), "Europe/London": ("London", "London", "Londen"),
        "Europe/Luxembourg": ("Luxembourg", "Luxemburg", "Luxemburg"), "Europe/Zurich": ("Zurich", "Zürich", "Zürich"),
        "Europe/Berlin": ("Berlin", "Berlin", "Berlijn"), "Europe/Madrid": ("Madrid", "Madrid", "Madrid"),
        "America/New_York": ("New York", "New York", "New York"),
    }  # fmt: skip
    for zone, names in zones.items():
        for language, name in zip(("en", "de", "nl"), names, strict=True):
            with speaking(language):
                assert name in moment("2026-07-23T08:05Z", zone), (zone, language)
