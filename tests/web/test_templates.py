import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.template import engines
from django.template.loader import get_template, render_to_string
from django.test import RequestFactory
from django.urls import get_resolver

from exchange.core.actors import ANONYMOUS, Actor, SiteRole
from exchange.web.templatetags.words import tolerances
from tests.web import campaign_pages
from tests.web.fixtures import evidence
from tests.web.pages import PAGES, submission_context
from tests.web.preview import ROOT, TEMPLATE_DIRS
from tests.web.urls import routes

FILES = sorted(path for folder in TEMPLATE_DIRS for path in (ROOT / folder / "templates").rglob("*.html"))
NAMES = [str(path).partition("/templates/")[2] for path in FILES]
LONGEST_LINE = 170
HOSTILE = "</title><script>alert(1)</script>"


class Person:
    def get_username(self):
        return "ada"


class Outline(HTMLParser):
    """Collects what a page consists of."""

    VOID = frozenset({"meta", "link", "input", "br", "img"})

    def __init__(self, html):
        super().__init__()
        self.open, self.elements, self.ids, self.wrong = [], [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


@pytest.fixture(autouse=True)
def _routes(settings):
    settings.ROOT_URLCONF = "tests.web.urls"


@pytest.fixture
def render():
    def call(name, *, actor=ANONYMOUS, cookies=None, **changes):
        template, path, context = PAGES[name]
        request = RequestFactory().get(path)
        request.actor, request.user = actor, Person()
        request.COOKIES.update(cookies or {})
        return render_to_string(template, {**context, **changes}, request)

    return call


class TestEveryTemplate:
    @pytest.mark.parametrize("path", FILES, ids=NAMES)
    def test_is_written_in_lines_that_people_can_read(self, path):
        assert [line for line in path.read_text().splitlines() if len(line) > LONGEST_LINE] == []

    @pytest.mark.parametrize("name", NAMES)
    def test_compiles(self, name):
        assert get_template(name)

    @pytest.mark.parametrize("path", FILES, ids=NAMES)
    def test_says_in_its_first_line_what_it_needs(self, path):
        assert re.match(r"\{# .*(?:[Nn]eeds|Blocks).*", path.read_text())

    @pytest.mark.parametrize("path", FILES, ids=NAMES)
    def test_has_no_inline_style_or_script_and_nothing_from_elsewhere(self, path):
        text = path.read_text()

        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)", text)
        assert not re.search(r'(?:src|href)="(?:https?:)?//', text)

    @pytest.mark.parametrize("path", FILES, ids=NAMES)
    def test_has_no_words_outside_gettext(self, path):
        text = re.sub(r"\{#.*?#\}", "", path.read_text())
        text = re.sub(r"\{% blocktrans.*?\{% endblocktrans\w* %\}", "", text, flags=re.DOTALL)
        text = re.sub(r"<[^>]*>", " ", re.sub(r"\{%.*?%\}|\{\{.*?\}\}", " ", text))

        assert not set(re.findall(r"[A-Za-z]{3,}", text)) - {"LLM", "Benchmark", "Exchange"}


class TestEveryPage:
    @pytest.mark.parametrize("name", PAGES)
    def test_renders_well_formed_with_unique_ids_and_one_heading(self, render, name):
        page = Outline(render(name))

        assert (page.open, page.wrong) == ([], [])
        assert len(page.ids) == len(set(page.ids))
        assert sum(tag == "h1" for tag, _ in page.elements) == (0 if name.startswith("progress") else 1)

    @pytest.mark.parametrize("name", PAGES)
    def test_uses_only_what_its_context_has(self, render, name, monkeypatch):
        monkeypatch.setattr(engines["django"].engine, "string_if_invalid", "MISSING %s")

        assert re.findall(r"MISSING [\w.]*", render(name)) == []

    @pytest.mark.parametrize("name", PAGES)
    def test_labels_every_field(self, render, name):
        page = Outline(render(name))
        labelled = {attrs["for"] for tag, attrs in page.elements if tag == "label" and "for" in attrs}
        fields = [
            attrs for tag, attrs in page.elements
            if tag in {"input", "select", "textarea"} and attrs.get("type") not in {"hidden", "checkbox"}
        ]  # fmt: skip

        assert [field for field in fields if field.get("id") not in labelled] == []

    @pytest.mark.parametrize("name", PAGES)
    def test_sends_every_form_that_changes_something_with_a_token(self, render, name):
        html = render(name)
        forms = re.findall(r'<form[^>]*method="post".*?</form>', html, flags=re.DOTALL)

        assert all("csrfmiddlewaretoken" in form for form in forms)


class TestRoutes:
    @pytest.mark.parametrize("route", routes, ids=[route.name for route in routes])
    def test_that_pages_link_to_are_offered(self, route):
        resolver = get_resolver("exchange.urls")
        given = dict.fromkeys(route.pattern.converters, "00000000-0000-4000-8000-000000000001")

        assert resolver.reverse(route.name, **given) is not None


class TestEscaping:
    def test_holds_for_names_of_models_and_organizations(self, render):
        bad = {"model_name": HOSTILE, "organization_name": HOSTILE, "notes": HOSTILE}
        context = submission_context()

        html = render("submission", submission=context["submission"] | bad)

        assert "<script>alert" not in html

    def test_holds_for_answers_of_models(self, render):
        hostile = [
            case | {"measured_answer": HOSTILE, "key": HOSTILE} for case in submission_context()["cases"]
        ]

        assert "<script>alert" not in render("submission", cases=hostile)

    def test_holds_for_the_address_in_the_theme_form(self):
        request = RequestFactory().get("/models", {"query": '"><script>alert(1)</script>'})
        request.actor = ANONYMOUS

        html = render_to_string("leaderboards/models.html", PAGES["models-empty"][2], request)

        assert "<script>alert" not in html


class TestBase:
    @pytest.mark.parametrize(
        ("cookie", "expected"), [("dark", ' data-theme="dark"'), ("light", ' data-theme="light"')]
    )
    def test_takes_the_theme_from_the_cookie(self, render, cookie, expected):
        assert f'<html lang="en"{expected}>' in render("models", cookies={"theme": cookie})

    def test_ignores_a_cookie_that_is_no_theme(self, render):
        assert '<html lang="en">' in render("models", cookies={"theme": '"><script>'})

    def test_offers_the_log_in_to_strangers_and_a_menu_of_their_own_to_members(self, render):
        member = Actor(user_id="00000000-0000-4000-8000-000000000001")

        assert "My organizations</a>" in render("models", actor=member)
        assert "My organizations</a>" not in render("models")
        assert "Log in</a>" in render("models")

    def test_leads_reviewers_alone_to_their_queue(self, render):
        reviewer = Actor(user_id="00000000-0000-4000-8000-000000000001", site_role=SiteRole.REVIEWER)
        member = replace(reviewer, site_role=SiteRole.CONTRIBUTOR)

        assert "Review queue</a>" in render("models", actor=reviewer)
        assert "Review queue</a>" not in render("models", actor=member)

    def test_leads_admins_to_the_operators_pages(self, render):
        admin = Actor(user_id="00000000-0000-4000-8000-000000000001", site_role=SiteRole.ADMIN)

        assert "Operate the site</a>" in render("models", actor=admin)

    def test_marks_the_section_of_the_page(self, render):
        assert re.search(r'href="/submissions" aria-current="page"', render("submission"))

    def test_shows_the_demo_banner_on_demo_data_only(self, render):
        context = submission_context()

        assert 'class="demo"' in render("submission")
        assert 'class="demo"' not in render(
            "submission", submission=context["submission"] | {"is_demo": False}
        )


class TestSubmissionPage:
    def test_polls_while_a_verification_runs_and_offers_a_refresh_without_a_script(self, render):
        html = render("submission-running")

        assert 'data-poll="/submissions/' in html
        assert "<noscript>" in html
        assert "412 of 1,000 done." in html

    def test_ends_the_polling_when_the_verification_ended(self, render):
        assert "data-done" in render("progress-done")
        assert "data-done" not in render("progress")

    def test_says_whose_fault_a_missing_measurement_is(self, render):
        html = render("submission-failed")

        assert "Not measured: The endpoint refused 61 % of calls. The fault is the endpoint’s;" in html
        assert "There is no verdict, and the claim stays as it was." in html

    def test_asks_for_consent_to_the_bound(self, render):
        html = render("submission-unverified")

        assert re.search(r'name="accept_bound" value="v1.1001.52000" required', html)
        assert "<b>1,001 requests</b>" in html

    def test_keeps_the_forms_from_strangers(self, render):
        html = render("submission")

        assert "accept_bound" not in html
        assert "Withdraw this submission" not in html

    def test_gives_the_whole_bundle_to_the_submitters_organization_alone(self, render):
        assert "?part=whole" not in render("submission")
        assert re.search(
            r'href="/api/v1/runs/[^"]*/bundle\?part=whole"', render("submission", may_verify=True)
        )

    def test_links_each_evidence_file(self, render):
        assert len(
            re.findall(r'href="/api/v1/evidence/[^"]*/content" download', render("submission"))
        ) == len(evidence())

    def test_labels_a_simulated_provider(self, render):
        assert "simulated provider" in render("submission-refuted")

    def test_shows_the_reason_of_a_withdrawal(self, render):
        assert "Reason: Wrong precision named." in render("submission-withdrawn")


class TestPolicy:
    def test_names_the_deciding_metrics_first(self):
        metrics = [{"name": name, "title": name.upper()} for name in ("p99", "p50")]
        policy = {"tolerances": {"p50": 0.15, "p99": 0.25}, "deciding_metrics": ["p50"]}

        rows = tolerances({"policy": policy, "metrics": metrics})

        assert [(row["title"], row["decides"]) for row in rows] == [("P50", True), ("P99", False)]


class TestBoardPage:
    def test_says_how_many_neighbours_can_be_told_apart(self, render):
        assert "Of 9 neighbouring pairs only 1 can be told apart," in render("board")

    def test_gives_claims_no_rank(self, render):
        html = render("board")
        claims = html[html.index('class="claims"') :]

        assert re.search(r'class="c-rank" role="cell">\s*–', claims)

    def test_says_how_many_names_it_leaves_out(self, render):
        assert "Sabre 2 Reasoning, Lumen R1 and 2 more" in render("board")

    def test_labels_simulated_rows(self, render):
        assert render("board-performance").count(">simulated<") == 2

    def test_tells_what_to_do_when_it_is_empty(self, render):
        assert "Nobody has been measured on 1.0.0 yet" in render("board-empty")


class TestProfilePage:
    def test_shows_a_secret_once_and_only_when_new(self, render):
        assert "lbx_pat_4x4x" in render("profile")
        assert "lbx_pat_4x4x" not in render("profile", new_token=None)

    def test_says_where_mails_are_and_that_the_address_is_open(self, render):
        assert "/srv/exchange/mail" in render("profile-new")
        assert "is not confirmed yet" not in render("profile")

    def test_joins_the_error_to_its_field(self, render):
        assert '<a href="#f-orcid">' in render("profile-refused")


class TestMembersPage:
    def test_offers_roles_to_owners_and_only_leaving_to_members(self, render):
        assert "/role" in render("members")
        assert "/role" not in render("members-member")
        assert "Leave" in render("members-member")


class TestOrganizationPage:
    def test_keeps_endpoints_from_strangers(self, render):
        assert "Endpoints" in render("organization")
        assert "Endpoints" not in render("organization-stranger")

    def test_leads_from_nothing_to_the_first_endpoint(self, render):
        assert 'href="/organizations/exchange-demo/endpoints#register-endpoint"' in render("organization-new")


class TestEndpointPages:
    def test_never_fill_a_password_again(self, render):
        values = {"name": "x", "provider_name": "", "base_url": "", "protocol": "", "api_key": "sk-secret"}

        assert "sk-secret" not in render("endpoints-refused", values=values)
        assert "sk-secret" not in render("endpoint-refused", values=values)

    def test_join_the_error_to_its_field(self, render):
        html = render("endpoints-refused")

        assert 'aria-invalid="true"' in html
        assert '<a href="#f-base_url">127.0.0.1 is not a public address.</a>' in html

    @pytest.mark.parametrize("of", ["endpoints", "endpoint", "deployment", "start"])
    def test_give_viewers_nothing_to_send(self, render, of):
        main = render(f"{of}-viewer").partition("<main")[2].partition("</main>")[0]

        assert 'method="post"' not in main
        assert "/campaigns/start" not in main


class TestCampaignPages:
    def test_polls_while_it_goes_on_and_offers_a_refresh_without_a_script(self, render):
        html = render("campaign-running")

        assert re.search(r'data-poll="/campaigns/[^"]*/progress"', html)
        assert "<noscript>" in html

    def test_says_exactly_how_far_it_is_and_what_is_done_now_and_next(self, render):
        html = render("progress-campaign")

        assert "7 of 19 models done." in html
        assert "chat-3: three more questions" in html
        assert "chat-4: under load" in html
        assert re.search(r"Next</dt>\s*<dd>chat-5", html)

    def test_ends_the_polling_when_it_ended(self, render):
        assert "data-done" in render("progress-campaign-done")
        assert "data-done" not in render("progress-campaign")

    def test_says_no_share_before_the_rows_are_known(self, render):
        html = render("campaign-asking")

        assert "Asking what is served" in html
        assert "models done" not in html

    def test_offers_to_cancel_once(self, render):
        assert "/cancel" in render("campaign-running")
        assert "/cancel" not in render("campaign-cancelling")

    def test_says_what_to_do_about_a_refused_key(self, render):
        html = render("campaign-refused")

        assert "The endpoint refuses the credential." in html
        assert "Enter the endpoint’s key again" in html

    def test_tells_our_failures_from_the_models_states(self, render):
        assert "Our side failed; this says nothing about the model." in render("campaign")

    def test_shows_what_changed_and_links_both_exports(self, render):
        html = render("campaign")

        assert re.search(r'href="/api/v1/campaigns/[^"]*/export\?format=csv" download', html)
        assert re.search(r'href="/api/v1/campaigns/[^"]*/export\?format=json" download', html)
        assert "was not checked then" in html
        assert "1.23" in html

    def test_shows_what_a_provider_said_as_text(self, render):
        html = render("deployment")

        assert "&lt;html&gt;&lt;script&gt;alert(1)" in html
        assert "<script>alert" not in html

    @pytest.mark.parametrize(
        ("figures", "shown"),
        [
            (
                {"peak_output_tokens_per_second": 402.7, "knee_ttft_p50": 41.3},
                ["403\u00a0tokens/s", "41.3\u00a0ms"],
            ),
            ({"requests_per_second": 12.0, "ttft_p50": None}, ["12.0\u00a0requests/s"]),
        ],
    )
    def test_shows_the_figures_of_sweeps_and_of_loads_without_tokens(self, render, figures, shown):
        html = render("campaign", items=[campaign_pages.result(figures=figures)])

        assert [text for text in shown if text not in html] == []

    def test_lets_nobody_choose_a_mode_that_would_take_nothing(self, render):
        html = render("start")

        assert re.search(r'value="failed"[^>]*disabled', html)
        assert not re.search(r'value="(full|new|unstable)"[^>]*disabled', html)


class TestMeasuredSection:
    def test_shows_a_dash_for_what_the_endpoint_does_not_count(self, render):
        assert re.search(r'data-label="Tokens in">–<', render("submission-clocks"))
        assert re.search(r'data-label="Cost">–<', render("submission-clocks"))
        assert re.search(r'data-label="Cost">\$0.0143<', render("submission-groups"))

    def test_says_both_clocks_what_is_counted_otherwise_and_what_was_cached(self, render):
        html = render("submission-clocks")

        assert "after 41.2\u00a0ms by AIPerf and 40.9\u00a0ms by our gateway" in html
        assert "counts 3\u00a0% more input tokens" in html
        assert "counts 12\u00a0% fewer output tokens" in html
        assert "640 tokens of 5 requests cached" in html

    def test_draws_a_sweep_and_says_where_it_was_stopped(self, render):
        html = render("submission-sweep")

        assert "The knee is at 8 requests at a time" in html
        assert "It ended at 64 at a time: The endpoint limits the rate of requests." in html


class TestStaticFiles:
    STATIC = ROOT / "exchange/web/static/web"

    def test_load_nothing_from_elsewhere(self):
        css = (self.STATIC / "exchange.css").read_text()

        assert set(re.findall(r"url\(([^)]+)\)", css)) == {
            "fonts/archivo-var-latin.woff2", "fonts/archivo-var-latin-ext.woff2",
        }  # fmt: skip
        assert all((self.STATIC / name).is_file() for name in re.findall(r"url\(([^)]+)\)", css))
        assert "@import" not in css

    def test_come_with_the_licence_of_the_font(self):
        assert "SIL OPEN FONT LICENSE" in (self.STATIC / "fonts/OFL.txt").read_text().upper()

    def test_style_only_what_pages_use(self):
        css = re.sub(r"/\*.*?\*/", "", (self.STATIC / "exchange.css").read_text(), flags=re.DOTALL)
        selectors = " ".join(re.findall(r"([^{};]+)\{", css))
        sources = [*FILES, *(ROOT / "exchange/web/charts").glob("*.py"), self.STATIC / "app.js"]
        used = set(re.findall(r"[\w-]+", " ".join(Path(path).read_text() for path in sources)))

        assert set(re.findall(r"\.([a-z][\w-]*)", selectors)) - used <= {
            "s-confirmed",
            "s-inconclusive",
            "s-failed",
        }
