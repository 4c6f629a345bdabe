"""Where a server may listen."""

from __future__ import annotations

import pytest

from crosshead.errors import OptionsError
from crosshead.server.settings import ServerSettings


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_this_machine_needs_no_token(host: str) -> None:
    assert ServerSettings(host=host).is_local


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "docs.example", ""])
def test_others_are_let_in_with_a_token_only(host: str) -> None:
    with pytest.raises(OptionsError, match="set a token"):
        ServerSettings(host=host)
    assert not ServerSettings(host=host, token="secret").is_local


@pytest.mark.parametrize("token", ["two words", "größe", "line\n"])
def test_token_must_fit_into_a_header(token: str) -> None:
    with pytest.raises(OptionsError, match="ASCII"):
        ServerSettings(token=token)


def test_addresses() -> None:
    assert ServerSettings(port=80).url == "http://127.0.0.1:80/"
    assert ServerSettings(host="::1", port=80).url == "http://[::1]:80/"
