"""A folder in which every file exists that README and manual name, under the name that they use; and what the words
of their commands mean there."""

import shutil
from pathlib import Path

import msgspec

from referee.engine.host import make_view, take_move
from referee.games import edition_bytes
from referee.games.mark.types import Words
from referee.io import keyfile
from referee.io.gamefile import dump_match, open_match
from tests.cli.test_seats import seated
from tests.cli.world import GAME, World, finish, keep_guard, key, run_here
from tests.mail import offices
from tests.support.match import Sitting

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CUP = """name = "A small cup"
arbiter = "{arbiter}"
[[games]]
game = "auction"
seats = 2
[[bots]]
name = "sensible"
[[bots]]
name = "random"
[schedule]
games = 2
"""

BOX = msgspec.json.encode(
    msgspec.json.decode(edition_bytes("schwarzmarkt"))
    | {
        "name": "My box",
        "events": [*msgspec.json.decode(edition_bytes("schwarzmarkt"))["events"], "razzia"],
        "track": [1, 2, 3, 5, 7, 10, 13, 16, 20, 25, 30, 35, 40, 50],
    }
)
"""What an owner of Schwarzmarkt typed."""

STANDS_FOR = {
    "CLAUSE": "SF-16",
    "COMMAND": "games",
    "DIR": "office",
    "FILE": "view.json",
    "FILE.eml": "reply.eml",
    "FOLDER": "views",
    "GAME": GAME,
    "GAME.json": "game.json",
    "KEY": key("Ada").public.hex(),
    "LEDGER": "open",
    "MORE.toml": "more.toml",
    "MOVE": "move.json",
    "NAME": "Bert",
    "OFFER": "0c9fb6a1-schwarzer-freitag.offer.json",
    "RULING": "office.ruling.json",
    "SPEC.toml": "cup.toml",
    "TEXT": "Bert was in time.",
    "TIME": "2026-12-24T18:00Z",
    "TOPIC": "mail",
    "VIEW": "view.json",
}
"""What a value is on the desk. What depends on the desk stays in capitals."""
ELSE = {
    r"--handover": {"VIEW": "hers.json", "...": "place red", "KEY": "EMIL"},
    r"^join VIEW": {"VIEW": "vacant.json"},
    r"--return": {"VIEW": "dropped.json"},
    r"roll always|würfle immer|gooi altijd": {"VIEW": "dice.json"},
    r"^games --edition": {"FILE": "my-box.json"},
    r"--save-edition": {"FILE": "my-edition.json"},
    r"^host DIR": {"DIR": "new-office"},
    r"^inbox": {"DIR": "views"},
    r"^mail table .*--drop": {"TABLE": "INVITED", "NAME": "dirk@x.example"},
    r"^mail table .*--extend": {"NAME": "Anna"},
    r"^tournament next .*--withdraw": {"NAME": "random"},
    r"^tournament next .*--ruling": {"RULING": "cup.ruling.json"},
    r"^tournament enter .*--disclose": {"LEDGER": "closed"},
    r"^tournament run": {"DIR": "new-cup"},
    r"^tournament run .*--add": {"SPEC.toml": "more.toml", "DIR": "cup"},
    r"^reveal": {"GAME.json": "host/game.json"},
    r"^new-game": {"NAME": "my-game"},
    r"^bot": {"GAME": "auction", "COMMAND": "sensible"},
    r"^conform --schemas": {"DIR": "schemas"},
}
"""Pattern of a command -> what its values are instead."""
ROLES = {
    r"^key new": "nobody",
    r"--handover": "hers",
    r"^join VIEW": "../people/emil/home",
    r"--return": "../people/bert/home",
    r"roll always|würfle immer|gooi altijd": "roller",
    r"^join": "guest",
    r"\.eml|~/mails": "mailer",
    r"--verdict": "arbiter",
    r"^tournament enter": "guest",
    r"^mail|^host|--office": "../home",
    r"^reveal (?!.*--abandon)": "ended",
    r"^(offer|start|apply|reveal|recover|mail|tournament)|game\.json|GAME\.json": "host",
}
"""Pattern of a command -> who runs it; otherwise the player."""
FIRST = {
    r"--save-edition": "my-edition.json",
    r"^host office": "office",
    r"^tournament run .*cup\.toml -o cup": "cup",
    r"^(start|recover)": "game.json",
    r"^reveal .*-o transcript": "host/transcript.json",
    r"^start$": "invitation.eml",
}
"""Pattern of a command -> what does not exist yet when it is run."""
WHERE = {r"^play( --resign)?$": "views"}
"""Pattern of a command -> the folder in which it is run, if it looks for its files itself."""
NOW = {r"^apply .*--extend": "2000-01-04T09:00Z"}
"""Pattern of a command -> when it is run; deadlines over files are in 2000, those of the office in 2026."""


class Desk:
    """What players, a host, an arbiter and an organiser have. Each has a folder in `homes`: `host`, `player` (Bert,
    whose turn it is), `mailer` (Anna, who plays by mail), `arbiter`, `guest` (who has joined nothing)."""

    def __init__(self, root: Path) -> None:
        self.root, self.world = root, World(root, rounds=4)
        for name in ("anna.join.json", "bert.join.json", "offer.json", "edition.json", "locked.json"):
            (root / name).unlink()
        for role, name in {"arbiter": "Ada", "guest": "Carla", "mailer": "Anna"}.items():
            (root / "homes" / role).mkdir(parents=True)
            (root / "homes" / role / "key.json").write_bytes(keyfile.dump(key(name)))
        shutil.move(self.world.host_home, root / "homes/host")
        shutil.move(self.world.mover_home, root / "homes/player")
        shutil.rmtree(root / "anna-home")
        shutil.rmtree(root / "elsewhere-home")
        self.copy(self.world.mover_view, "view.json", "be4f2750-r003-anna.view.json", "views/bert.view.json")
        self.copy("anna.view.json", "mails/anna.view.json")
        self.copy("move.json", "bert.move.json")
        self.copy("receipt.json", "bert.receipt.json")
        self.copy("homes/host/key.json", "key.json")
        (root / "my-edition.json").write_bytes(edition_bytes(GAME))
        (root / "my-box.json").write_bytes(BOX)
        shutil.copytree(EXAMPLES / GAME, root / "examples" / GAME)
        self.lobby()
        self.proof()
        self.arbiter()
        self.office()
        self.cup()
        self.seats()
        self.rolling()
        self.ended()

    def copy(self, name: str, *to: str) -> None:
        for other in to:
            (self.root / other).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.root / name, self.root / other)

    def good(self, role: str, *words: str, exit: int = 0) -> None:
        ran = run_here(*words, cwd=self.root, home=self.root / "homes" / role)
        assert ran.exit == exit, ran.said

    def lobby(self) -> None:
        """An offer, and a join for each of its seats."""
        name = f"0c9fb6a1-{GAME}.offer.json"
        self.good("host", "offer", GAME, "--seats", "3", "-o", name)
        for role in ("player", "mailer", "arbiter"):
            self.good(role, "join", name, "-o", f"{role}.join.json")

    def proof(self) -> None:
        """A host signs two versions of a round; whoever has both views can prove it."""
        told = []
        for pick in (0, 1):
            match = open_match(dump_match(self.world.match), self.world.host)
            match.due = self.world.match.due
            assert take_move(match, self.world.answers(pick)[0]).error is None
            told.append(self.root / f"told-{pick}.json")
            told[-1].write_bytes(make_view(match, 0))
        self.good("player", "dispute", *map(str, told), "-o", "proofs", exit=6)
        (made,) = (self.root / "proofs").iterdir()
        made.rename(self.root / "x.proof.json")
        shutil.rmtree(self.root / "proofs")
        for path in told:
            path.unlink()

    def arbiter(self) -> None:
        """A claim, and what an arbiter says to it."""
        self.good("player", "dispute", "view.json", "move.json", "--sent", "2026-12-24T18:00Z", "-o", "claim.json")
        verdict = ("--verdict", "Bert was in time.", "-o", "3f2a91c0-7be31d.ruling.json")
        self.good("arbiter", "dispute", "claim.json", "view.json", *verdict)

    def office(self) -> None:
        """A game by mail, what Anna received from it, and an invitation to another one."""
        arbiter = ("--arbiter", key("Ada").public.hex())
        office = offices.playing(self.root, (*arbiter, *offices.DEADLINES))
        self.played = office.table()
        (self.root / "turn.eml").write_bytes(office.turn("anna").raw)
        self.copy("turn.eml", "mails/turn.eml")
        (self.root / "reply.eml").write_bytes(offices.reply(office.turn("bert"), "bid 1"))
        verdict = ("--verdict", "Bert was in time.", "-o", "office.ruling.json")
        self.good("arbiter", "dispute", "turn.eml", *verdict)
        office.offer("dirk@x.example", "emil@y.example", game="auction")
        (self.invited,) = {path.name for path in (office.root / "tables").iterdir()} - {self.played}
        (self.root / "invitation.eml").write_bytes(office.new()[0].raw)

    def cup(self) -> None:
        """A tournament that has been played, one that waits for entries, and one whose entries are closed."""
        (self.root / "cup.toml").write_text(CUP.format(arbiter=key("Ada").public.hex()))
        (self.root / "more.toml").write_text(CUP.replace("small", "second").replace('arbiter = "{arbiter}"\n', ""))
        self.good("host", "tournament", "run", "cup.toml", "-o", "cup")
        self.good("host", "tournament", "extract", "cup", "0")
        verdict = ("--verdict", "The first game counts.", "--ranks", "1,2", "-o", "cup.ruling.json")
        self.good("arbiter", "dispute", "game-000000.transcript.json", *verdict)
        (self.root / "game-000000.transcript.json").unlink()
        for name in ("open", "closed"):
            self.good("host", "tournament", "next", "cup.toml", "-o", name)
        self.good("guest", "tournament", "enter", "closed", "--name", "carlas", "-o", "carlas.json", "--", "sensible")
        self.good("host", "tournament", "next", "closed", "carlas.json")

    def seats(self) -> None:
        """Anna may hand over her seat; then Emil may take it, and Bert, who was dropped, may come back."""
        people = seated(self.root / "people", "--takeovers", "2", "--deadline", "3d")
        self.emil = people.key("emil")
        people.run("hanna", "show", "game.json", "--view", "Anna", "-o", "../hers.json")
        shutil.copytree(self.root / "people/anna/home", self.root / "homes/hers")
        people.turn("anna", "--handover", self.emil, now="2026-12-01T13:00Z")
        people.run("hanna", "apply", "game.json", "--timeout", "Bert", "--now", "2026-12-04T13:01Z")
        people.run("anna", "play", people.view("anna"), "--yes")
        answer = people.newest("anna", "*.move.json")
        people.run("hanna", "apply", "game.json", answer, "--now", "2026-12-04T14:00Z")
        people.run("hanna", "apply", "game.json", "--timeout", "Bert", "--drop", "--now", "2026-12-07T14:01Z")
        people.run("hanna", "show", "game.json", "--public", "-o", "../vacant.json")
        people.run("hanna", "show", "game.json", "--view", "Bert", "-o", "../dropped.json")
        for name in ("hers", "vacant", "dropped"):
            (self.root / "people" / f"{name}.json").rename(self.root / f"{name}.json")

    def rolling(self) -> None:
        """A view of M.A.R.K., in which a player who has given no standing orders may roll."""
        sitting = Sitting("mark", 2, seed="desk").until(
            lambda one: one.what == "turn" and one.match.checkpoint.public.standing[one.asked[0]] == Words()
        )
        (seat,) = sitting.asked
        (self.root / "dice.json").write_bytes(sitting.view(seat))
        (self.root / "homes/roller").mkdir()
        (self.root / "homes/roller/key.json").write_bytes(keyfile.dump(sitting.players[seat]))

    def ended(self) -> None:
        """A game that is over, in the folder of its host, and its transcript."""
        (self.root / "transcript.json").write_bytes(finish(self.world))
        (self.root / "host").mkdir()
        self.copy("homes/host/key.json", "host/key.json")
        (self.root / "host/game.json").write_bytes(dump_match(self.world.match))
        self.copy("transcript.json", "host/transcript.json")
        keep_guard(self.world.match, self.root / "host/game.json", self.root / "homes/ended")
        self.copy("key.json", "homes/ended/key.json")
