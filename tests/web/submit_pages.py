"""The pages of submitting a result and of consent, with contexts made of fixtures."""

from datetime import timedelta
from uuid import UUID

from django.utils.dateparse import parse_datetime

from tests.web import fixtures as fx

NOW = parse_datetime(fx.TIME) + timedelta(minutes=40)
OPEN = ("top_p", "chat_template", "precision")
MEMBERSHIP = fx.membership()
OFFER = {"organization": MEMBERSHIP, "deployments": [fx.deployment()]}
CASES = '{"key": "q1", "score": 1}\n{"key": "q2", "score": 0}\n{"key": "q2", "score": 1}'


def place(**changes):
    return {
        "organization_id": UUID(fx.uid(2)), "organization_name": "Exchange Demo",
        "benchmark": fx.benchmark(), "version": fx.version(), "deployment": fx.deployment(),
        "settings": [{"name": name, "is_measurable": name != "chat_template"} for name in OPEN],
        "fixed": {"temperature": 0.0, "max_tokens": 12, "system_prompt": "Answer with one number."},
        **changes,
    }  # fmt: skip


def typed(metrics=("accuracy",), **changes):
    names = [f"{part}_{name}" for name in metrics for part in ("value", "count")]
    names += [f"model_{part}" for part in ("publisher", "name", "version")]
    names += [*(f"setting_{name}" for name in OPEN), "cases", "cases_name", "visibility", "notes", "version"]
    return {**dict.fromkeys(names, ""), **changes}


def error(field, message):
    return {"field": field, "code": "refused", "message": message}


REFUSED = [
    error("value_accuracy", "Accuracy: 86.05 % is not possible with 1,000 cases. 860 right gives 86.0 %, 861 "
          "gives 86.1 %."),
    error("cases", "Case q2 stands on several lines: 2, 3. Each case counts once."),
    error("setting_top_p", "A valid number is required."),
]  # fmt: skip
CLAIM = {"step": 2, "place": place(), "errors": [], "most_cases": 20_000, "most_mib": 8}
CHECKS = {
    "step": 3, "place": place(), "values": typed(value_accuracy="0.861", notes="Measured at home."),
    "claims": [(fx.ACCURACY, {"name": "accuracy", "value": 0.861, "sample_count": None})], "case_count": 200,
    "errors": [], "most_files": 20, "most_mib": 100, "once": "Hq3",
}  # fmt: skip
CONSENT = {
    "step": 4, "submission": fx.submission(level="unverified", verdict=None), "version": fx.version(),
    "verification": None, "endpoint": fx.endpoint(), "evidence_count": 2, "bound": fx.bound(), "errors": [],
    "may_verify": True, "may_withdraw": True,
}  # fmt: skip


CHOOSE = {
    "step": 1, "benchmarks": [fx.benchmark()], "offers": [OFFER], "errors": [],
    "values": {"benchmark": fx.uid(1), "subject": ""},
}  # fmt: skip
PAGES = {
    "submit": ("submissions/submit_choose.html", "/submit", CHOOSE),
    "submit-nobody": ("submissions/submit_choose.html", "/submit", CHOOSE | {"offers": []}),
    "submit-claim": ("submissions/submit_claim.html", "/submit/claim", CLAIM | {"values": typed()}),
    "submit-model": ("submissions/submit_claim.html", "/submit/claim", CLAIM | {
        "place": place(deployment=None, version=fx.performance_version(), settings=()),
        "values": typed([metric["name"] for metric in fx.performance_version()["metrics"]])}),
    "submit-refused": ("submissions/submit_claim.html", "/submit/claim", CLAIM | {
        "errors": REFUSED, "values": typed(
            value_accuracy="86.05 %", cases=CASES, cases_name="answers.jsonl", setting_top_p="high")}),
    "submit-checks": ("submissions/submit_checks.html", "/submit/claim", CHECKS),
    "submit-evidence-refused": ("submissions/submit_checks.html", "/submit/results", CHECKS | {
        "case_count": 0, "errors": [error("evidence", "run.bin: By its content this is none of: JSON.")]}),
    "consent": ("submissions/consent.html", "/submissions/x/verify", CONSENT),
    "consent-closed": ("submissions/consent.html", "/submissions/x/verify", CONSENT | {
        "bound": None, "endpoint": None, "cannot_verify": "The endpoint does not list this deployment."}),
}  # fmt: skip
