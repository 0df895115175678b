"""The usual mail providers, as dated data: their servers, and what they want from a program that logs in.

`providers.json` says where it was looked up (`help`), and `unchecked` what no published page confirmed.
"""

from functools import cache
from importlib.resources import files
from typing import Annotated, Literal

import msgspec

from referee.language import Text, mark
from referee.mail import t
from referee.mail.settings import Port

Login = Literal["password", "either", "own", "app", "token", "bridge"]
"""What it takes: the password of the account; that, or an app password where logins need a second factor; a password of
their own for mail programs; only an app password; only an access token (OAuth); the password of a program that runs on
this machine."""
Doubt = Literal["servers", "login", "enable", "help"]


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A server. Its user is the address, or the part before the @."""

    server: str
    port: Port
    security: Literal["tls", "starttls", "plain"]
    user: Literal["address", "local"] = "address"

    def user_of(self, address: str) -> str:
        return address.partition("@")[0] if self.user == "local" else address


class Provider(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mail provider. With `enable` its users must switch IMAP on before a program can log in."""

    name: str
    domains: tuple[str, ...]
    imap: Place
    smtp: Place
    login: Login
    help: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    enable: bool = False
    unchecked: tuple[Doubt, ...] = ()

    def advice(self) -> list[Text]:
        """What its users must do before a program can log in."""
        switch = [t("{name}: switch IMAP on in the settings of your account first", name=self.name)]
        return [*(switch if self.enable else []), t(_LOGIN[self.login], name=self.name)]

    def doubts(self) -> list[Text]:
        """What was not checked."""
        return [t(_DOUBTS[one]) for one in self.unchecked]


class Providers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of them, as of this day."""

    date: Annotated[str, msgspec.Meta(pattern=r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]
    providers: tuple[Provider, ...]


_LOGIN: dict[Login, str] = {
    "password": mark("{name}: take the password of your account"),
    "either": mark(
        "{name}: take the password of your account; if you log in with a second factor, make an app password for this"
    ),
    "own": mark("{name}: mail programs have a password of their own; set it in your account, and take that one"),
    "app": mark("{name}: make an app password in your account, and take that one; your usual password does not work"),
    "token": mark(
        "{name} takes no passwords from programs, only access tokens (OAuth): you need a program that gets one for you"
    ),
    "bridge": mark(
        "{name} needs its Bridge, which runs on this machine: take the ports and the password that it shows, and the "
        "certificate that it can export"
    ),
}
_DOUBTS: dict[Doubt, str] = {
    "servers": mark("not checked: the servers and ports"),
    "login": mark("not checked: which password it takes"),
    "enable": mark("not checked: whether IMAP must be switched on first"),
    "help": mark("not checked: the address of its page"),
}


@cache
def known() -> Providers:
    """The data, as this version of the program has it."""
    data = files("referee.mail").joinpath("providers.json").read_bytes()
    return msgspec.json.decode(data, type=Providers)


def provider_of(address: str) -> Provider | None:
    """The provider of an address, if its domain tells."""
    domain = address.rpartition("@")[2].lower()
    return next((one for one in known().providers if domain in one.domains), None)


def provider_with(server: str) -> Provider | None:
    """The provider that this IMAP or SMTP server belongs to."""
    return next((one for one in known().providers if server in (one.imap.server, one.smtp.server)), None)
