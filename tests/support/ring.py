"""A keyring in a file, for tests: the package `keyring` takes it for one of the machine's."""

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend


class Ring(KeyringBackend):
    """Passwords in the file that RING names."""

    priority = 1.0  # type: ignore[assignment]

    @property
    def _path(self) -> Path:
        return Path(os.environ["RING"])

    def _all(self) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = json.loads(self._path.read_text()) if self._path.exists() else {}
        return found

    def get_password(self, service: str, username: str) -> str | None:
        return self._all().get(service, {}).get(username)

    def set_password(self, service: str, username: str, password: str) -> None:
        known = self._all()
        known.setdefault(service, {})[username] = password
        self._path.write_text(json.dumps(known))

    def delete_password(self, service: str, username: str) -> None:
        known = self._all()
        del known[service][username]
        self._path.write_text(json.dumps(known))
