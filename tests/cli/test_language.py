"""Commands speak the language asked for: by option, by variable, by locale; otherwise English."""

import json
from pathlib import Path

import pytest

from referee import games
from referee.errors import IllegalMove
from referee.io import keyfile
from tests.cli.world import run, run_here
from tests.support.match import Sitting

NONE = {"REFEREE_LANGUAGE": "", "LC_ALL": "", "LC_MESSAGES": "", "LANG": "", "LANGUAGE": ""}
STORAGE = {"en": "paying for storage", "de": "Lagerkosten", "nl": "opslagkosten"}


@pytest.mark.parametrize(
    ("option", "env", "spoken"),
    [
        ([], {}, "en"),
        (["--language", "de"], {}, "de"),
        (["--language", "nl"], {"REFEREE_LANGUAGE": "de"}, "nl"),
        (["--language", "en"], {"REFEREE_LANGUAGE": "de", "LANG": "nl_NL.UTF-8"}, "en"),
        ([], {"REFEREE_LANGUAGE": "nl", "LC_ALL": "de_DE.UTF-8"}, "nl"),
        ([], {"LC_ALL": "de_AT.UTF-8", "LC_MESSAGES": "nl_NL", "LANG": "nl_NL"}, "de"),
        ([], {"LC_MESSAGES": "nl_BE@euro", "LANG": "de_DE"}, "nl"),
        ([], {"LANG": "de"}, "de"),
        ([], {"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "en"),
        ([], {"LANG": "fr_FR.UTF-8"}, "en"),
        ([], {"LANG": "design"}, "en"),
        ([], {"LANG": "C.UTF-8", "LANGUAGE": "de"}, "en"),
        ([], {"LANGUAGE": "de"}, "en"),
        ([], {"LANG": "en_GB.UTF-8", "LANGUAGE": "fr:nl_BE:de"}, "nl"),
        ([], {"LANG": "de_AT.UTF-8", "LANGUAGE": "fr"}, "en"),
        ([], {"REFEREE_LANGUAGE": "de", "LANG": "nl_NL.UTF-8", "LANGUAGE": "nl"}, "de"),
    ],
)
def test_the_rules_speak_the_language_asked_for(
    tmp_path: Path, option: list[str], env: dict[str, str], spoken: str
) -> None:
    ran = run_here("rules", "mark", "MK-5", *option, cwd=tmp_path, env=NONE | env)
    assert (ran.exit, ran.said) == (0, "")
    assert [language for language, word in STORAGE.items() if word in ran.out.decode()] == [spoken]


def test_all_of_the_rules_are_printed_as_they_stand(tmp_path: Path) -> None:
    for language in ("de", "nl"):
        ran = run_here("rules", "schwarzer-freitag", "--language", language, "--sources", cwd=tmp_path)
        assert ran.out.decode() == games.rules_text("schwarzer-freitag", language)


def test_a_terminal_without_umlauts_still_gets_german(tmp_path: Path) -> None:
    ran = run("rules", "mark", "MK-1", "--language", "de", cwd=tmp_path, env={"PYTHONIOENCODING": "ascii"})
    assert ran.exit == 0, ran.said
    assert b"Verbundstoff" in ran.out


def test_a_language_that_nobody_speaks_is_refused(tmp_path: Path) -> None:
    for option, env in ((["--language", "tlh"], {}), ([], {"REFEREE_LANGUAGE": "tlh"})):
        ran = run_here("rules", "mark", *option, cwd=tmp_path, env=NONE | env)
        assert (ran.exit, ran.out) == (2, b"")
        assert "'tlh'" in ran.said
        assert "choose one of: en, de, nl" in ran.said


@pytest.mark.parametrize(
    ("option", "env", "told"),
    [
        (["--language", "tlh"], {"REFEREE_LANGUAGE": "de"}, "die Sprache „tlh“ wird hier nicht gesprochen"),
        ([], {"REFEREE_LANGUAGE": "tlh", "LANG": "nl_NL.UTF-8"}, "de taal ‘tlh’ wordt hier niet gesproken"),
    ],
)
def test_it_is_refused_in_a_language_that_the_reader_has(
    tmp_path: Path, option: list[str], env: dict[str, str], told: str
) -> None:
    ran = run_here(*option, "rules", "mark", cwd=tmp_path, env=NONE | env)
    assert ran.exit == 2
    assert told in ran.said


def test_a_game_without_a_translation_is_told_in_english(tmp_path: Path) -> None:
    """A third-party package need not have any."""
    plain = run_here("rules", "auction", cwd=tmp_path)
    ran = run_here("rules", "auction", "--language", "de", cwd=tmp_path)
    assert (ran.exit, ran.out) == (0, plain.out)
    assert "nicht übersetzt (de)" in ran.said
    assert plain.said == ""


# --- moves -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a view that asks for a move, and its player's key."""
    folder, sitting = tmp_path_factory.mktemp("view"), Sitting("schwarzer-freitag", 3, "language").until(1)
    seat = sitting.asked[0]
    (folder / "view.json").write_bytes(sitting.view(seat))
    (folder / "key.json").write_bytes(keyfile.dump(sitting.players[seat]))
    return folder


PASSES = {"en": "pass yellow", "de": "passe gelb", "nl": "pas geel"}
ANSWERS = {"en": "Your answer", "de": "Deine Antwort", "nl": "Je antwoord"}


@pytest.mark.parametrize(
    ("before", "env", "spoken"),
    [
        ([], {}, "en"),
        (["--language", "de"], {"REFEREE_LANGUAGE": "nl"}, "de"),
        (["--language=nl"], {}, "nl"),
        ([], {"REFEREE_LANGUAGE": "de"}, "de"),
        ([], {"LANG": "nl_NL.UTF-8"}, "nl"),
    ],
)
def test_moves_are_listed_in_the_readers_words(view: Path, before: list[str], env: dict[str, str], spoken: str) -> None:
    ran = run_here(*before, "show", "--moves", "view.json", cwd=view, env=NONE | env)
    assert ran.exit == 0, ran.said
    assert [language for language, words in PASSES.items() if f"  {words}" in ran.out.decode()] == [spoken]


@pytest.mark.parametrize(
    "words",
    [
        "moves view.json", "show view.json", "log view.json", "show key.json", "games mark", "audit view.json",
        "verify view.json key.json nothing.json", "dispute view.json key.json nothing.json", "inbox .",
        "play view.json --key key.json --move xyz", "play view.json", "moves --nothing", "moves nothing.json",
        "verify --jobs x y", "nothing", "timeout view.json --seat x",
    ],
)  # fmt: skip
def test_programs_are_spoken_to_in_english(view: Path, words: str) -> None:
    run_here("show", "view.json", cwd=view)
    ran = [run_here(*words.split(), "--json", cwd=view, env={"REFEREE_LANGUAGE": one}) for one in PASSES]
    assert json.loads(ran[0].out.splitlines()[0])
    assert ran[0].out == ran[1].out == ran[2].out


def test_an_error_for_programs_has_the_values_that_its_words_have(view: Path) -> None:
    ran = run_here("show", "nothing.json", "--json", cwd=view)
    told = json.loads(ran.out)
    assert told["values"] == {"path": "nothing.json"}
    assert told["message"] == "nothing.json does not exist"
    for language in PASSES:
        words = ("play", "view.json", "--key", "key.json", "--move", "buy 5 red, mark red", "--json")
        ran = run_here("--language", language, *words, cwd=view)
        assert ran.exit == IllegalMove.exit
        told = json.loads(ran.out)
        assert (told["code"], told["clause"], told["reason"]) == ("illegal", "SF-17", "too-many-units")
        assert told["values"] == {"use": "buy", "units": 5, "most": 1}
        assert told["message"] == "5 units are more than the 1 you may buy (SF-17)"


def test_what_is_signed_knows_no_language(view: Path) -> None:
    """The same move, typed in any language by a reader of any other, is the same bytes."""
    signed, told = set(), []
    for reader in PASSES:
        for words in (*PASSES.values(), "PASSE GELBE KOFFER"):
            args = ("play", "view.json", "--key", "key.json", "--move", words, "-o", "-")
            ran = run_here("--language", reader, *args, cwd=view)
            assert ran.exit == 0, ran.said
            assert f"{ANSWERS[reader]}: {PASSES[reader]}" in ran.said
            signed.add(ran.out)
            told.append(ran.said)
    assert len(signed) == 1
    assert len(told) == 12


def test_a_command_after_the_language_is_found_at_once(view: Path) -> None:
    ran = run("--language", "de", "show", "--moves", "view.json", cwd=view)
    assert ran.exit == 0, ran.said
    assert "passe grün" in ran.out.decode()
    assert run("--language", cwd=view).exit == 2
    assert run("--language", "de", "nothing", cwd=view).exit == 2
