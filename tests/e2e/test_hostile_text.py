"""Text that wants to be code, in every field that a page shows: it stays text."""

from html.parser import HTMLParser

import pytest
from django.db import transaction
from django.test import Client

pytestmark = pytest.mark.usefixtures("undone")

VECTORS = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    '"><script>alert(1)</script>',
    "'><img src=x onerror=alert(1)>",
    "<img src=x onerror=alert(1)//",
    "<svg/onload=alert(1)>",
    "<svg><animate onbegin=alert(1) attributeName=x>",
    "<body onload=alert(1)>",
    "<iframe src=javascript:alert(1)>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<a href=javascript:alert(1)>x</a>",
    "<a href='java\tscript:alert(1)'>x</a>",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    '" onmouseover="alert(1)',
    "' autofocus onfocus='alert(1)",
    "` onclick=`alert(1)",
    "<form action=//evil.example><input type=submit>",
    "<meta http-equiv=refresh content=0;url=//evil.example>",
    "<base href=//evil.example>",
    "<style>@import'//evil.example'</style>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "{{7*7}}{% debug %}${7*7}<%= 7*7 %>#{7*7}",
    "<!--<script>-->\u202e\u2066[x](javascript:alert(1))![x](//evil.example/p)",
)
SHOWING_PAGES = 6
PLAIN = []
COUNTED_TAGS = {"script", "form", "base", "meta", "iframe", "style", "object", "embed"}


class Page(HTMLParser):
    """Tags by name with their attributes, as a browser would see them."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data

    def counted(self):
        return [tag for tag, _ in self.tags if tag in COUNTED_TAGS]

    def handlers(self):
        return [name for _, attributes in self.tags for name in attributes if name.startswith("on")]

    def strange_links(self):
        """Whatever leads anywhere but to a page of ours."""
        leads = {"href", "src", "action", "formaction", "srcdoc", "xlink:href", "data"}
        values = [value or "" for _, found in self.tags for name, value in found.items() if name in leads]
        return [value for value in values if not value.startswith(("/", "#", "?")) and value]


def as_name(text):
    """Nothing else is taken as a name."""
    return "".join(filter(str.isprintable, text[:100]))


@pytest.fixture
def show(client, mine):
    """Put a text into everything that has words, and give the pages that show it."""

    def fill(text):
        ids, name = mine.ids, text[:100]
        line = as_name(text)
        answers = [client.patch("/api/v1/users/me", {"display_name": line})]
        organization = {"name": line, "description": text}
        answers.append(client.patch(f"/api/v1/organizations/{ids['organization']}", organization))
        benchmark = {"name": line, "description": text, "tags": [line[:50]], "license": "custom"}
        benchmark |= {"visibility": "public", "custom_license": name, "long_description": text}
        benchmark |= {"citation": {"title": name, "authors": [name], "doi": name, "bibtex": text}}
        answers.append(client.patch(f"/api/v1/benchmarks/{ids['benchmark']}", benchmark))
        claim = {
            "organization_id": str(ids["organization"]), "benchmark_id": str(ids["benchmark"]), "notes": text,
            "model": {"publisher": line, "name": line, "version": line},
            "claims": [{"name": "accuracy", "value": 0.5, "sample_count": 2}],
        }  # fmt: skip
        answers.append(client.post("/api/v1/submissions", claim))
        submission = answers[-1].json()
        endpoint = {"organization_id": str(ids["organization"]), "name": line, "provider_name": line}
        answers.append(
            client.post("/api/v1/endpoints", endpoint | {"base_url": "https://api.example.org/v1"})
        )
        registered = answers[-1].json()["id"]
        answers.append(client.post("/api/v1/tokens", {"name": line, "scopes": ["profile:read"]}))
        withdrawn = client.post("/api/v1/submissions", claim).json()["id"]
        reason = {"reason": f"{text} because"}
        answers.append(client.post(f"/api/v1/submissions/{withdrawn}/withdraw", reason))
        assert {answer.status_code for answer in answers} <= {200, 201}, [a.content for a in answers]
        return [
            "/", "/benchmarks", f"/benchmarks/{mine.slugs['benchmark']}?verified_only=false", "/submissions",
            f"/submissions/{submission['id']}", f"/submissions/{withdrawn}", "/models", "/organizations",
            f"/models/{submission['model_id']}", f"/organizations/{mine.slugs['organization']}",
            f"/organizations/{mine.slugs['organization']}/endpoints", f"/endpoints/{registered}",
            f"/organizations/{mine.slugs['organization']}/campaigns/start",
            f"/benchmarks?query={text[:20]}", f"/models?query={text[:20]}", "/login?next=" + text[:40],
        ]  # fmt: skip

    return fill


@pytest.fixture
def browser(mine):
    browser = Client()
    browser.force_login(mine.person)
    return browser


def seen(browser, paths):
    return [Page(browser.get(path).content.decode()) for path in paths]


def tags_of_plain_words(show, browser):
    """What the pages have of themselves; the same for each text, so it is looked at once."""
    if not PLAIN:
        with transaction.atomic():
            PLAIN.extend(page.counted() for page in seen(browser, show("Plain words")))
            transaction.set_rollback(True)
    return PLAIN


class TestPages:
    @pytest.mark.parametrize("text", VECTORS)
    def test_show_it_as_text(self, show, browser, text):
        plain = tags_of_plain_words(show, browser)
        pages = seen(browser, show(text))

        assert sum(text in page.text or as_name(text) in page.text for page in pages) >= SHOWING_PAGES
        for page, before in zip(pages, plain, strict=True):
            assert page.counted() == before
            assert page.handlers() == []
            assert page.strange_links() == []

    def test_show_what_a_board_shows_as_text_too(self, mine, show, browser):
        from submissions.models import Submission

        paths = show(VECTORS[0])
        Submission.objects.filter(pk=mine.submission.pk).update(visibility="public")
        mine.submission.deployment.model.name = VECTORS[3]
        mine.submission.deployment.model.save()

        for page in seen(browser, [*paths, f"/submissions/{mine.submission.pk}"]):
            assert "img" not in {tag for tag, _ in page.tags}
            assert page.handlers() == []

    @pytest.mark.parametrize(
        "website", ["javascript:alert(1)", "data:text/html,x", "//evil.example", "x y", "ftp:x"]
    )
    def test_link_to_no_website_that_is_none(self, client, mine, website):
        path = f"/api/v1/organizations/{mine.ids['organization']}"

        assert client.patch(path, {"website": website}).status_code == 400
