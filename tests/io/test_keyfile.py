"""Key files: plain, with a passphrase, from OpenSSH; and everything that is not a key."""

import os
import stat
import subprocess
import sys

import msgspec
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from referee.crypto import keys
from referee.crypto.codec import decode, encode
from referee.crypto.keys import Key
from referee.errors import BadSignature, Malformed, RefereeError
from referee.io import files, keyfile
from referee.io.keyfile import KeyFile
from tests.support.match import chance

ANNA = Key(chance("anna"), "Anna")
SALT = chance("salt")


def ssh(private, passphrase: bytes = b"") -> bytes:
    lock = serialization.BestAvailableEncryption(passphrase) if passphrase else serialization.NoEncryption()
    return private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, lock)


def test_a_plain_key_file():
    data = keyfile.dump(ANNA)
    again = keyfile.load(data)
    assert (again.seed, again.public, again.name) == (ANNA.seed, ANNA.public, "Anna")
    assert not keyfile.is_locked(data)
    assert keyfile.dump(again) == data


def test_a_signature_of_a_loaded_key_holds():
    signature = keyfile.load(keyfile.dump(ANNA)).sign(b"hello")
    assert keys.verify(ANNA.public, signature, b"hello")
    assert not keys.verify(ANNA.public, signature, b"hullo")
    assert not keys.verify(Key(chance("bert")).public, signature, b"hello")


def test_a_key_file_is_written_for_its_owner_only(tmp_path):
    path = str(tmp_path / "key.json")
    old = os.umask(0)
    try:
        files.write({path: keyfile.dump(ANNA)}, secret=[path])
    finally:
        os.umask(old)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert keyfile.load(files.read(path, files.SMALL, "key")).public == ANNA.public


def test_a_passphrase():
    data = keyfile.dump(ANNA, "correct horse", SALT)
    assert keyfile.is_locked(data)
    assert ANNA.seed.hex().encode() not in data
    assert keyfile.load(data, "correct horse").seed == ANNA.seed
    for wrong in ("", "wrong", "correct horse ", "Correct horse"):
        with pytest.raises(BadSignature) as error:
            keyfile.load(data, wrong)
        assert error.value.code == "bad-passphrase"


def test_another_salt_gives_another_file():
    assert keyfile.dump(ANNA, "p", SALT) != keyfile.dump(ANNA, "p", chance("other salt"))


@pytest.mark.thorough
def test_a_locked_file_that_was_altered():
    file = decode(keyfile.dump(ANNA, "p", SALT), KeyFile, "key file")
    text = file.box.text
    for changed in ("00" * 48, text[:-2], text + "00", "zz", ""):
        box = msgspec.structs.replace(file.box, text=changed)
        with pytest.raises(BadSignature) as error:
            keyfile.load(encode(msgspec.structs.replace(file, box=box)), "p")
        assert error.value.code == "bad-passphrase"
    other = msgspec.structs.replace(file, public=Key(chance("bert")).public.hex())
    with pytest.raises(BadSignature):
        keyfile.load(encode(other), "p")


@pytest.mark.thorough
def test_a_locked_file_with_a_secret_of_another_length():
    """Locked by somebody who knows the passphrase, but still not a key."""
    for seed in (ANNA.seed[:31], ANNA.seed + b"\0", b""):
        text = keyfile._lock("p", SALT).encrypt(bytes(12), seed, ANNA.public)
        file = KeyFile(keyfile.FORMAT, "Anna", ANNA.public.hex(), box=keyfile.Box(SALT.hex(), text.hex()))
        with pytest.raises(BadSignature) as error:
            keyfile.load(encode(file), "p")
        assert error.value.code == "bad-passphrase"


def test_halves_that_do_not_belong_together():
    file = decode(keyfile.dump(ANNA), KeyFile, "key file")
    with pytest.raises(BadSignature) as error:
        keyfile.load(encode(msgspec.structs.replace(file, public="00" * 32)))
    assert error.value.code == "bad-key"


@pytest.mark.parametrize(
    "changes", [{"format": "pbem-referee/2/key"}, {"secret": None}, {"box": keyfile.Box("00" * 32, "00")}]
)
def test_files_that_are_not_key_files(changes):
    file = decode(keyfile.dump(ANNA), KeyFile, "key file")
    with pytest.raises(Malformed):
        keyfile.load(encode(msgspec.structs.replace(file, **changes)))


@pytest.mark.parametrize(
    "data", [b"{}", b"", b"\xff", b"[]", b"null", b"-----BEGIN", b"-----BEGIN OPENSSH PRIVATE KEY-----"]
)
def test_rubbish(data):
    with pytest.raises(RefereeError):
        keyfile.load(data)


def test_an_openssh_key():
    private = ed25519.Ed25519PrivateKey.from_private_bytes(chance("ssh"))
    key = keyfile.load(ssh(private))
    assert key.public == private.public_key().public_bytes_raw()
    private.public_key().verify(key.sign(b"hello"), b"hello")
    assert not keyfile.is_locked(ssh(private))


# Made with `ssh-keygen -t ed25519 -N "correct horse"`; its public half is what `ssh-keygen -y` says.
LOCKED_SSH = b"""-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABBfcKY8Tt
jvowSWGXuwHZSJAAAAEAAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIJWg8ZVDYrmy5Je+
u8SYfRhm7t1FtFGyI81ZyjwD/p1iAAAAkI3GfBGd30D3GXZrYyTBgw1qtVVOvqmbDUXS3C
Ik8UpniD3fT53afbvJldR2mDgglE6FbMRtSCPrmtHPvIcKFwgGv8JBY8uxtYX+szMOG8H5
coRpuJb5/aXgyFcvN3BK2J4BzTmSKIcKtWYNzXfLRUkF0hU0pf4Z5S1UWjwWcMwi/r3TV/
udZBxQCUIajR/5sw==
-----END OPENSSH PRIVATE KEY-----
"""
LOCKED_PUBLIC = "95a0f1954362b9b2e497bebbc4987d1866eedd45b451b223cd59ca3c03fe9d62"


def test_an_openssh_key_with_a_passphrase():
    assert keyfile.is_locked(LOCKED_SSH)
    assert not keyfile.is_locked(ssh(ed25519.Ed25519PrivateKey.from_private_bytes(chance("ssh"))))
    for wrong in ("", "wrong"):
        with pytest.raises(Malformed, match="cannot be read"):
            keyfile.load(LOCKED_SSH, wrong)
    assert keyfile.load(LOCKED_SSH, "correct horse").public.hex() == LOCKED_PUBLIC


def test_an_openssh_key_with_a_passphrase_where_bcrypt_is_missing(tmp_path):
    (tmp_path / "id").write_bytes(LOCKED_SSH)
    program = "import sys; sys.modules['bcrypt'] = None; from referee.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "key", "--key", str(tmp_path / "id")],
        env=os.environ | {"REFEREE_PASSPHRASE": "correct horse"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 7
    assert "install `bcrypt`" in done.stderr


def test_an_openssh_key_of_another_type():
    for private in (rsa.generate_private_key(65537, 2048), ec.generate_private_key(ec.SECP256R1())):
        with pytest.raises(Malformed) as error:
            keyfile.load(ssh(private))
        assert "Ed25519" in str(error.value.message)


def test_a_damaged_openssh_key():
    data = ssh(ed25519.Ed25519PrivateKey.from_private_bytes(chance("ssh")))
    lines = data.split(b"\n")
    for damaged in (data[:100], data.replace(lines[1], b"AAAA" + lines[1]), b"\n".join(lines[:-3])):
        with pytest.raises(Malformed):
            keyfile.load(damaged)


def test_a_pem_file_that_is_not_openssh():
    private = ed25519.Ed25519PrivateKey.from_private_bytes(chance("ssh"))
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with pytest.raises(Malformed):
        keyfile.load(pem)


def test_the_key_of_the_same_seed_is_the_one_of_rfc_8032():
    """Test 1 of RFC 8032, section 7.1."""
    key = Key(bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
    assert key.public.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert key.sign(b"").hex().startswith("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155")
