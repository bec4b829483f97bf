"""Renders every page from fixtures into a folder, to look at without a database.

python -m tests.web.preview OUT && python -m http.server -d OUT
"""

import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE_DIRS = (
    "exchange/web",
    "exchange/accounts",
    "benchmarks",
    "submissions",
    "submissions/campaigns",
    "leaderboards",
    "governance",
)


def configure():
    """Django with templates and URLs alone."""
    import django
    from django.conf import settings

    settings.configure(
        SECRET_KEY="preview", ROOT_URLCONF="tests.web.urls", STATIC_URL="static/", USE_TZ=True,
        VERSION="0.1.0",
        ALLOWED_HOSTS=["*"], INSTALLED_APPS=["django.contrib.staticfiles"],
        TEMPLATES=[{
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "DIRS": [ROOT / folder / "templates" for folder in TEMPLATE_DIRS],
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request", "django.template.context_processors.i18n",
                    "exchange.web.context.site",
                ],
                "libraries": {
                    "charts": "exchange.web.templatetags.charts", "words": "exchange.web.templatetags.words",
                },
            },
        }],
    )  # fmt: skip
    django.setup()


def request_for(path):
    """A reader who is logged in on pages of organizations."""
    from django.test import RequestFactory

    request = RequestFactory().get(path)
    known = path.startswith(("/organizations", "/submit"))
    request.actor = SimpleNamespace(is_authenticated=known, site_role=0)
    request.user = SimpleNamespace(get_username=lambda: "demo")
    return request


def main(out):
    configure()
    from django.template.loader import render_to_string

    from tests.web.pages import PAGES

    for static in filter(Path.exists, (ROOT / folder / "static" for folder in TEMPLATE_DIRS)):
        shutil.copytree(static, out / "static", dirs_exist_ok=True)
    for name, (template, path, context) in PAGES.items():
        html = render_to_string(template, context, request_for(path))
        (out / f"{name}.html").write_text(html.replace('="/static/', '="static/'), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
