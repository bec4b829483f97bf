import pytest

from llm_benchmark import Settings
from llm_benchmark.errors import NotConfigured


class TestTheEnvironment:
    def test_says_all(self):
        settings = Settings.from_environment(
            {
                "LLM_BENCHMARK_API_URL": "https://exchange.example/api/v1/",
                "LLM_BENCHMARK_TOKEN": "lbx_pat_x\n",
                "LLM_BENCHMARK_TIMEOUT": "2.5",
                "LLM_BENCHMARK_DEBUG": "TRUE",
            }
        )

        assert settings == Settings("https://exchange.example", "lbx_pat_x", 2.5, debug=True)

    def test_may_say_nothing(self):
        assert Settings.from_environment({}) == Settings("http://127.0.0.1:8000", "", 30.0, debug=False)

    def test_calls_the_token_a_key_too(self):
        assert Settings.from_environment({"LLM_BENCHMARK_API_KEY": "a"}).token == "a"

    def test_prefers_the_token(self):
        environ = {"LLM_BENCHMARK_API_KEY": "a", "LLM_BENCHMARK_TOKEN": "b"}

        assert Settings.from_environment(environ).token == "b"

    @pytest.mark.parametrize("seconds", ["soon", "0", "-1", "inf", "nan"])
    def test_is_refused_where_the_time_out_is_none(self, seconds):
        with pytest.raises(NotConfigured, match="LLM_BENCHMARK_TIMEOUT"):
            Settings.from_environment({"LLM_BENCHMARK_TIMEOUT": seconds})


class TestTheAddress:
    @pytest.mark.parametrize(
        "url",
        [
            "",
            "a.example",
            "ftp://a.example",
            "https://",
            "https://a?q=1",
            "https://a.example:port",
            "http://[::1",
            "ht\ntps://a.example",
            "https://a.example/x y",
            "https://a.example\\.b.example",
        ],
    )
    def test_is_refused_where_it_is_none(self, url):
        with pytest.raises(NotConfigured, match="is no address of an exchange"):
            Settings(url)

    def test_holds_no_password(self):
        with pytest.raises(NotConfigured, match="Leave user and password out"):
            Settings("https://me:secret@a.example")

    def test_is_encrypted_where_a_token_goes_out(self):
        with pytest.raises(NotConfigured, match="unencrypted to http://a"):
            Settings("http://a.example", "lbx_pat_x")

    def test_is_encrypted_however_it_is_spelled(self):
        with pytest.raises(NotConfigured, match="unencrypted to http://a"):
            Settings("HTTP://A.example", "lbx_pat_x")

    def test_is_kept_in_one_spelling(self):
        assert Settings("HTTPS://Exchange.Example/Path/").api_url == "https://exchange.example/Path"

    @pytest.mark.parametrize("url", ["http://localhost:8000", "http://127.0.0.1", "http://[::1]:8000"])
    def test_need_not_be_encrypted_on_this_machine(self, url):
        assert Settings(url, "lbx_pat_x").is_local


class TestTheToken:
    def test_is_not_shown(self):
        assert "secret" not in repr(Settings("https://a.example", "lbx_pat_secret"))

    @pytest.mark.parametrize("token", ["two\nlines", "zwölf", "a b"])
    def test_is_refused_where_no_header_can_hold_it(self, token):
        with pytest.raises(NotConfigured, match="LLM_BENCHMARK_TOKEN") as refusal:
            Settings("https://a.example", token)
        assert token not in str(refusal.value)
