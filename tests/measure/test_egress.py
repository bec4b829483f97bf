import pytest

from llm_benchmark.measure.egress import (
    EgressRefused,
    check_api_key,
    check_endpoint_url,
    is_public,
    parse_endpoint_url,
    resolve,
)
from llm_benchmark.measure.plans import EgressRules

NOTHING = EgressRules()
PUBLIC = "93.184.215.14"


def answering(*addresses):
    return lambda _host, _port: addresses


class TestParseEndpointUrl:
    @pytest.mark.parametrize(
        ("url", "shown"),
        [
            ("https://API.example.com/v1/", "https://api.example.com/v1"),
            ("https://api.example.com", "https://api.example.com"),
            ("http://8.8.8.8:8080/openai/v1", "http://8.8.8.8:8080/openai/v1"),
            ("http://[2606:4700::1111]/", "http://[2606:4700::1111]"),
        ],
    )
    def test_reads_ordinary_urls(self, url, shown):
        assert str(parse_endpoint_url(url)) == shown

    @pytest.mark.parametrize(
        ("url", "code"),
        [
            ("", "url_length"),
            ("http://x.example/" + "a" * 2048, "url_length"),
            ("http://1.1.1.1 &@127.0.0.1#@8.8.8.8/", "url_characters"),
            ("http://x.example\\@127.0.0.1/", "url_characters"),
            ("http://x.example/\x00", "url_characters"),
            ("http://bücher.example/", "url_characters"),
            ("http://①②⑦.0.0.1/", "url_characters"),
            ("file:///etc/passwd", "url_scheme"),
            ("gopher://x.example/", "url_scheme"),
            ("dict://x.example/", "url_scheme"),
            ("unix:///run/x.sock", "url_scheme"),
            ("ftp://x.example/", "url_scheme"),
            ("x.example", "url_scheme"),
            ("http://user:pw@x.example/", "url_userinfo"),
            ("http://@x.example/", "url_userinfo"),
            ("http://x.example/#a", "url_fragment"),
            ("http://x.example/#", "url_fragment"),
            ("http://x.example/?a=b", "url_query"),
            ("http://x.example/a/../b", "url_path"),
            ("http://x.example/%2e%2e/", "url_path"),
            ("http:///v1", "host_missing"),
            ("http://" + "a." * 127 + "example/", "host_length"),
            ("http://localhost./", "host_trailing_dot"),
            ("http://0x7f000001/", "host_number_form"),
            ("http://0177.0.0.1/", "host_number_form"),
            ("http://017700000001/", "host_number_form"),
            ("http://127.1/", "host_number_form"),
            ("http://0/", "host_number_form"),
            ("http://2130706433/", "host_number_form"),
            ("http://1.2.3.0x4/", "host_number_form"),
            ("http://[fe80::1%25eth0]/", "host_number_form"),
            ("http://a_b.example/", "host_characters"),
            ("http://-a.example/", "host_characters"),
            ("http://x..example/", "host_characters"),
            ("http://x.example:99999/", "port_range"),
            ("http://x.example:0/", "port_refused"),
            *((f"http://x.example:{port}/", "port_refused") for port in (22, 25, 5432, 6379, 11211)),
        ],
    )
    def test_refuses_odd_forms(self, url, code):
        with pytest.raises(EgressRefused) as refused:
            parse_endpoint_url(url)

        assert refused.value.code == code


class TestIsPublic:
    @pytest.mark.parametrize(
        "address",
        [
            *("0.0.0.0", "10.1.2.3", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254"),
            *("169.254.169.254", "172.31.0.1", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1"),
            *("198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
            *(
                "168.63.129.16",
                "::",
                "::1",
                "::ffff:127.0.0.1",
                "::ffff:8.8.8.8",
                "::ffff:7f00:1",
                "64:ff9b::8.8.8.8",
            ),
            *(
                "64:ff9b:1::1",
                "100::1",
                "2001::1",
                "2001:0:4136:e378:8000:63bf:3fff:fdd2",
                "2001:2::1",
                "2001:db8::1",
            ),
            *(
                "2002:7f00:1::",
                "3fff::1",
                "5f00::1",
                "fc00::1",
                "fd00:ec2::254",
                "fe80::1",
                "fec0::1",
                "ff02::1",
            ),
            *("not an address", ""),
        ],
    )
    def test_refuses_everything_special(self, address):
        assert not is_public(address)

    @pytest.mark.parametrize(
        "address", ["8.8.8.8", PUBLIC, "100.128.0.1", "172.32.0.1", "2606:4700:4700::1111"]
    )
    def test_accepts_the_internet(self, address):
        assert is_public(address)


class TestCheckEndpointUrl:
    @pytest.mark.parametrize(
        ("url", "code"),
        [
            ("http://169.254.169.254/latest/meta-data/", "address_not_public"),
            ("http://100.100.100.200/", "address_not_public"),
            ("http://[fd00:ec2::254]/", "address_not_public"),
            ("http://[::1]/", "address_not_public"),
            ("http://[::]/", "address_not_public"),
            ("http://[::ffff:127.0.0.1]/", "address_not_public"),
            ("http://[2002:7f00:1::]/", "address_not_public"),
            ("http://metadata.google.internal/", "host_not_public"),
            ("http://localhost:9000/", "host_not_public"),
            ("http://printer.local/", "host_not_public"),
        ],
    )
    def test_refuses_private_places_without_a_look_up(self, url, code):
        with pytest.raises(EgressRefused) as refused:
            check_endpoint_url(url, NOTHING)

        assert refused.value.code == code

    def test_accepts_what_the_operator_lists_exactly(self):
        rules = EgressRules(allow=frozenset({"127.0.0.1:9000"}))

        assert check_endpoint_url("http://127.0.0.1:9000/v1", rules).port == 9000
        with pytest.raises(EgressRefused, match="public"):
            check_endpoint_url("http://127.0.0.1:9001/v1", rules)


class TestResolve:
    def test_pins_the_first_of_public_addresses(self):
        pinned = resolve("https://api.example.com/v1", NOTHING, lookup=answering(PUBLIC, "8.8.8.8"))

        assert (pinned.address, pinned.port, pinned.server_hostname) == (PUBLIC, 443, "api.example.com")
        assert not pinned.operator_allowed

    @pytest.mark.parametrize("bad", ["127.0.0.1", "::1", "169.254.169.254", "fe80::1%eth0"])
    def test_refuses_a_mixed_answer(self, bad):
        with pytest.raises(EgressRefused) as refused:
            resolve("https://api.example.com", NOTHING, lookup=answering(PUBLIC, bad))

        assert refused.value.code == "address_not_public"

    def test_looks_up_once_and_without_search_domains(self):
        asked = []

        def rebinding(host, port):
            asked.append((host, port))
            return [PUBLIC] if len(asked) == 1 else ["127.0.0.1"]

        assert resolve("https://api.example.com", NOTHING, lookup=rebinding).address == PUBLIC
        assert asked == [("api.example.com.", 443)]

    def test_refuses_a_name_without_an_address(self):
        def unknown(_host, _port):
            raise OSError

        with pytest.raises(EgressRefused) as refused:
            resolve("https://api.example.com", NOTHING, lookup=unknown)

        assert refused.value.code == "host_unknown"

    def test_dials_a_private_address_that_is_listed(self):
        rules = EgressRules(allow=frozenset({"llm.internal:8000"}))

        pinned = resolve("http://llm.internal:8000", rules, lookup=answering("10.0.0.7"))

        assert (pinned.address, pinned.operator_allowed) == ("10.0.0.7", True)

    @pytest.mark.parametrize("url", ["http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000"])
    def test_refuses_the_platform_itself_even_when_listed(self, url):
        listed = frozenset({"127.0.0.1:8000", "localhost:8000", "[::1]:8000"})
        rules = EgressRules(allow=listed, refuse=frozenset({"127.0.0.1:8000"}))

        with pytest.raises(EgressRefused) as refused:
            resolve(url, rules, lookup=answering("127.0.0.1"))

        assert refused.value.code == "host_refused"


class TestCheckApiKey:
    @pytest.mark.parametrize(
        "key", ["", "a b", "a\nb", "a\r\nX: y", "é", "{{7*7}}", "${HOME}", "a" * 513, "a\n"]
    )
    def test_refuses_odd_bytes(self, key):
        with pytest.raises(EgressRefused) as refused:
            check_api_key(key)

        assert refused.value.code == "key_characters"

    def test_accepts_what_providers_give(self):
        assert check_api_key("sk-proj_A.b~c+d/e=f") == "sk-proj_A.b~c+d/e=f"
