import pytest

from exchange.accounts.identifiers import check, github_form, name_form, orcid_form
from exchange.core.errors import InvalidInput


@pytest.mark.parametrize("value", ["0000-0002-1825-0097", "0000-0001-5109-3700", "0000-0002-1694-233X"])
def test_an_orcid_with_its_check_digit_is_taken(value):
    check("orcid", orcid_form, value)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("0000-0002-1825-0098", "checksum"),
        ("0000-0002-1694-2330", "checksum"),
        ("0000-0002-1694-233x", "invalid"),
        ("0000000218250097", "invalid"),
        ("https://orcid.org/0000-0002-1825-0097", "invalid"),
        ("0000-0002-1825-0097\n", "invalid"),
        ("٠٠٠٠-0002-1825-0097", "invalid"),
    ],
)
def test_another_is_refused_by_name(value, code):
    with pytest.raises(InvalidInput) as refused:
        check("orcid", orcid_form, value)
    assert [(error.field, error.code) for error in refused.value.errors] == [("orcid", code)]


@pytest.mark.parametrize("value", ["-ada", "ada-", "a--b", "a/b", "a" * 40])
def test_what_is_no_github_name_is_refused(value):
    with pytest.raises(InvalidInput):
        check("github_username", github_form, value)


@pytest.mark.parametrize(
    "value", ["", "Ada Lovelace", "Zoë O’Hara-Núñez", "山田 太郎", "दीपक", "👩\u200d🔬", "7"]
)
def test_a_name_on_one_line_is_taken(value):
    check("name", name_form, value)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("Acme\nYour account is closed. Open http://evil.example/", "not_one_line"),
        ("Acme\r", "not_one_line"),
        ("Acme\u2028x", "not_one_line"),
        ("\u202enimda", "not_one_line"),
        ("ad\u2066min", "not_one_line"),
        ("\u200b", "invisible"),
        (" ", "invisible"),
    ],
)
def test_a_name_that_could_pass_for_something_else_is_refused(value, code):
    with pytest.raises(InvalidInput) as refused:
        check("name", name_form, value)
    assert [(error.field, error.code) for error in refused.value.errors] == [("name", code)]
