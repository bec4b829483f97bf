"""The pages of endpoints, deployments and campaigns, with contexts made of fixtures."""

from tests.web import fixtures as fx

HEAD = {"organization": fx.organization(), "is_member": True, "may_write": True, "may_administer": True}
STATES = {"active": 12, "unstable": 2, "new": 1, "failed": 2, "not_available": 1, "unsupported": 1}
FIGURES = {
    "ttft_p50": 41.3,
    "request_latency_p50": 102.0,
    "output_tokens_per_second": 402.7,
    "error_rate": 0.0,
}
PROBE = {
    "step": "smoke", "number": 1, "status": 200, "error": None, "latency_ms": 40.2,
    "retry_after_seconds": None, "excerpt": "",
}  # fmt: skip
OUTCOMES = {"active": 12, "unstable": 2, "failed": 2, "not_available": 1, "unsupported": 1, "auth_error": 1}


def campaign(**changes):
    return {
        "id": fx.uid(1101), "organization_id": fx.uid(2), "endpoint_id": None, "endpoint_name": None,
        "deployment_id": None, "mode": "full", "profile_version_id": fx.uid(12),
        "profile_slug": "baseline-chat", "profile_version": "1.0.0", "refresh": True, "status": "completed",
        "via": "web", "requested_by_name": "ada", "fault_code": None, "fault_message": None,
        "endpoints": [{"endpoint_id": fx.uid(901), "endpoint_name": "Simulator", "fault_code": None,
                       "fault_message": None}],
        "percent": 100.0, "item_count": 19, "done_count": 19, "failed_measurement_count": 1,
        "outcomes": OUTCOMES, "is_demo": True, "created_at": fx.TIME, "cancel_requested_at": None,
        "started_at": fx.TIME, "finished_at": fx.TIME, **changes,
    }  # fmt: skip


def result(number=1, **changes):
    return {
        "id": fx.uid(1200 + number), "campaign_id": fx.uid(1101), "deployment_id": fx.uid(501),
        "endpoint_id": fx.uid(901), "endpoint_name": "Simulator", "served_name": f"chat-{number}",
        "model_id": fx.uid(401), "position": number, "stage": "done", "outcome": "active",
        "initial_status": "new", "final_status": "active", "status_reason": "answered", "message": None,
        "capability": "chat_text", "capability_source": "probe", "capability_confidence": 0.9,
        "protocol": "chat", "measurement_status": "succeeded", "measurement_side": None,
        "measurement_code": None, "measurement_message": None, "performance_run_id": fx.uid(601),
        "attempt_count": 17, "is_simulated": True, "started_at": fx.TIME, "finished_at": fx.TIME,
        "probes": [PROBE], "figures": FIGURES, **changes,
    }  # fmt: skip


UNTOUCHED = {
    "outcome": None, "final_status": None, "status_reason": None, "measurement_status": "pending",
    "capability": None, "capability_source": None, "capability_confidence": None, "protocol": None,
    "performance_run_id": None, "attempt_count": 0, "started_at": None, "finished_at": None,
    "probes": [], "figures": {},
}  # fmt: skip
FAILED = {
    "outcome": "failed", "final_status": "failed", "initial_status": "active",
    "status_reason": "invalid_response", "measurement_status": "skipped", "figures": {},
    "probes": [PROBE | {"error": "invalid_response", "excerpt": "<html><script>alert(1)</script>"}],
}  # fmt: skip


def results():
    return [
        result(1),
        result(2, **FAILED),
        result(
            3, outcome="unsupported", final_status="unsupported", status_reason="no_probe",
            capability="safety", capability_source="name", capability_confidence=0.8,
            measurement_status="skipped", figures={},
        ),
        result(
            4, outcome="benchmark_error", final_status="active", measurement_status="failed",
            measurement_side="platform", measurement_code="aiperf_failed",
            measurement_message="AIPerf ended with status 1.", figures={},
        ),
        result(5, outcome="auth_error", final_status="new", measurement_status="failed",
               measurement_side="submitter", measurement_code="authentication_failed",
               measurement_message="The endpoint refuses the credential.", figures={}),
    ]  # fmt: skip


def going_on(**changes):
    now = campaign(
        status="running", percent=100 * 7 / 19, done_count=7, outcomes={"active": 6, "failed": 1},
        finished_at=None, failed_measurement_count=0, **changes,
    )  # fmt: skip
    rows = [result(n, **({} if n < 3 else {"stage": "pending", **UNTOUCHED})) for n in range(1, 8)]
    rows[2] |= {"stage": "stability"}
    rows[3] |= {"stage": "benchmark", "measurement_status": "running"}
    return campaign_context(
        campaign=now, is_open=True, items=rows, at_work=rows[2:4], next_up=rows[4], comparison=None
    )


def campaign_context(**changes):
    return {
        **HEAD, "campaign": campaign(), "is_open": False, "items": results(), "next_page_token": "",
        "outcome": "", "at_work": [], "next_up": None, "comparison": comparison(), "active_count": 13,
        **changes,
    }  # fmt: skip


def change(**changes):
    return {
        "deployment_id": fx.uid(501), "endpoint_name": "Simulator", "served_name": "chat-2",
        "previous_status": "active", "status": "failed", "previous_reason": "answered",
        "reason": "invalid_response", "is_changed": True, "ratios": {"ttft_p50": 1.2345}, **changes,
    }  # fmt: skip


def comparison():
    return {
        "campaign": campaign(), "previous": campaign(id=fx.uid(1100)), "appeared": [result(6)],
        "vanished": [result(7)],
        "changes": [change(), change(served_name="chat-1", is_changed=False, status="active")],
    }  # fmt: skip


def price(**changes):
    return {
        "id": fx.uid(1301), "deployment_id": fx.uid(501), "input_per_million": "0.15",
        "output_per_million": "0.6", "effective_at": fx.TIME, "set_by_name": "ada", "created_at": fx.TIME,
        **changes,
    }  # fmt: skip


def status_change(**changes):
    return {
        "old_status": "new", "new_status": "active", "reason": "answered", "campaign_id": fx.uid(1101),
        "changed_by_name": None, "changed_at": fx.TIME, **changes,
    }  # fmt: skip


def deployment_context(**changes):
    return {
        **HEAD, "deployment": fx.deployment(), "endpoint_name": "Simulator", "message": "",
        "changes": [status_change(old_status="active", new_status="disabled", reason="disabled",
                                  campaign_id=None, changed_by_name="ada"), status_change()],
        "checks": [result(1, stage="smoke", **UNTOUCHED), *results()], "prices": [price()], "price": price(),
        "capabilities": [("automatic", "Let the next check find out"), ("chat_text", "Chat")],
        "values": {"input_per_million": "", "output_per_million": ""}, "errors": [], **changes,
    }  # fmt: skip


def endpoint_context(**changes):
    return {
        **HEAD, "endpoint": fx.endpoint(), "states": STATES,
        "last": {"pk": fx.uid(1101), "status": "completed", "created_at": fx.TIME},
        "deployments": [
            {"deployment": fx.deployment(), "price": price(), "figures": FIGURES},
            {"deployment": fx.deployment(served_name="guard", status="unsupported", status_reason="no_probe",
                                         capability="safety", capability_source="name"),
             "price": None, "figures": {}},
        ],
        "filters": {"status": "", "capability": ""}, "next_page_token": "", "values": VALUES, "errors": [],
        **changes,
    }  # fmt: skip


VALUES = {"name": "", "provider_name": "", "base_url": "", "protocol": ""}
SWEEP = {"campaign_id": fx.uid(1101), "status": "completed", "moment": fx.TIME}
PROTOCOLS = [("", "as its address says, or chat"), ("chat", "Chat completions")]


def endpoints_context(**changes):
    return {
        **HEAD, "items": [{"endpoint": fx.endpoint(), "states": STATES, "sweep": SWEEP},
                          {"endpoint": fx.endpoint(name="New one"), "states": {}, "sweep": None}],
        "states": STATES, "protocols": PROTOCOLS, "values": VALUES, "errors": [], **changes,
    }  # fmt: skip


def mode(name, number, *, asks=False):
    return {
        "name": name, "title": name, "meaning": f"Checks {name}.", "number": number, "asks": asks,
        "is_open": asks or number > 0,
    }  # fmt: skip


def start_context(**changes):
    modes = [mode("full", 19, asks=True), mode("new", 0, asks=True), mode("failed", 0), mode("unstable", 1)]
    return {
        **HEAD, "endpoints": [fx.endpoint()], "chosen": "", "modes": modes,
        "profiles": [(fx.uid(12), "Baseline Chat 1.0.0")], "baseline": "Baseline Chat",
        "values": {"mode": "", "profile_version_id": ""}, "errors": [], **changes,
    }  # fmt: skip


HERE = "/organizations/exchange-demo"
PRIVATE = [{"field": "base_url", "code": "private_address", "message": "127.0.0.1 is not a public address."}]
OPEN_ALREADY = [{"field": "", "code": "campaign_open", "message": "A campaign is going on at this endpoint."}]
REFUSED = {
    "status": "failed", "fault_code": "authentication_failed", "outcomes": {"auth_error": 19},
    "fault_message": "The endpoint refuses the credential.",
    "endpoints": [{"endpoint_id": fx.uid(901), "endpoint_name": "Simulator",
                   "fault_code": "authentication_failed", "fault_message": "HTTP 401"}],
}  # fmt: skip
TYPED = {"name": "Local", "provider_name": "Us", "base_url": "http://127.0.0.1/v1", "protocol": "chat"}
VIEWER = {"may_write": False, "may_administer": False}
ASKING = {"percent": None, "item_count": 0, "done_count": 0, "outcomes": {}, "status": "running",
          "finished_at": None, "failed_measurement_count": 0}  # fmt: skip
PAGES = {
    "endpoints": ("campaigns/endpoints.html", f"{HERE}/endpoints", endpoints_context()),
    "endpoints-none": ("campaigns/endpoints.html", f"{HERE}/endpoints", endpoints_context(
        items=[], states={})),
    "endpoints-viewer": ("campaigns/endpoints.html", f"{HERE}/endpoints", endpoints_context(**VIEWER)),
    "endpoints-refused": ("campaigns/endpoints.html", f"{HERE}/endpoints", endpoints_context(
        errors=PRIVATE, values=TYPED)),
    "endpoint": ("campaigns/endpoint.html", "/endpoints/x", endpoint_context()),
    "endpoint-new": ("campaigns/endpoint.html", "/endpoints/x", endpoint_context(
        states={}, deployments=[], last=None)),
    "endpoint-refused": ("campaigns/endpoint.html", "/endpoints/x", endpoint_context(
        errors=PRIVATE, values=TYPED, states={"active": 1}, deployments=[])),
    "endpoint-viewer": ("campaigns/endpoint.html", "/endpoints/x", endpoint_context(**VIEWER)),
    "deployment": ("campaigns/deployment.html", "/deployments/x", deployment_context()),
    "deployment-new": ("campaigns/deployment.html", "/deployments/x", deployment_context(
        deployment=fx.deployment(status="new", status_reason=None, protocol=None), checks=[], changes=[],
        prices=[], price=None)),
    "deployment-disabled": ("campaigns/deployment.html", "/deployments/x", deployment_context(
        deployment=fx.deployment(status="disabled", status_reason="disabled"))),
    "deployment-refused": ("campaigns/deployment.html", "/deployments/x", deployment_context(
        deployment=fx.deployment(capability_source="manual", status="failed",
                                 status_reason="request_refused"),
        message="max_tokens is too small", values={"input_per_million": "-1", "output_per_million": "2"},
        errors=[{"field": "input_per_million", "code": "not_a_price", "message": "At least 0."}])),
    "deployment-viewer": ("campaigns/deployment.html", "/deployments/x", deployment_context(**VIEWER)),
    "campaigns": ("campaigns/campaigns.html", f"{HERE}/campaigns", {
        **HEAD, "campaigns": [campaign(), campaign(**REFUSED), campaign(via="cli", requested_by_name=None),
                              going_on()["campaign"]], "next_page_token": "abc", "status": ""}),
    "campaigns-none": ("campaigns/campaigns.html", f"{HERE}/campaigns", {
        **HEAD, "campaigns": [], "next_page_token": "", "status": ""}),
    "start": ("campaigns/start.html", f"{HERE}/campaigns/start", start_context()),
    "start-chosen": ("campaigns/start.html", f"{HERE}/campaigns/start", start_context(
        chosen=fx.uid(901), baseline="")),
    "start-refused": ("campaigns/start.html", f"{HERE}/campaigns/start", start_context(
        errors=OPEN_ALREADY, profiles=[])),
    "start-nowhere": ("campaigns/start.html", f"{HERE}/campaigns/start", start_context(endpoints=[])),
    "start-viewer": ("campaigns/start.html", f"{HERE}/campaigns/start", start_context(**VIEWER)),
    "campaign": ("campaigns/campaign.html", "/campaigns/x", campaign_context()),
    "campaign-filtered": ("campaigns/campaign.html", "/campaigns/x?outcome=failed", campaign_context(
        items=[], outcome="failed", comparison=None)),
    "campaign-running": ("campaigns/campaign.html", "/campaigns/x", going_on()),
    "campaign-cancelling": ("campaigns/campaign.html", "/campaigns/x", going_on(
        cancel_requested_at=fx.TIME)),
    "campaign-asking": ("campaigns/campaign.html", "/campaigns/x", campaign_context(
        campaign=campaign(**ASKING), is_open=True, items=[], comparison=None)),
    "campaign-refused": ("campaigns/campaign.html", "/campaigns/x", campaign_context(
        campaign=campaign(**REFUSED), items=results()[4:], comparison=None)),
    "campaign-cancelled": ("campaigns/campaign.html", "/campaigns/x", campaign_context(
        campaign=campaign(status="cancelled", outcomes={"active": 2, "cancelled": 17}))),
    "campaign-empty": ("campaigns/campaign.html", "/campaigns/x", campaign_context(
        campaign=campaign(item_count=0, done_count=0, outcomes={}, profile_slug=None), items=[])),
    "progress-campaign": ("campaigns/_progress.html", "/campaigns/x/progress", going_on()),
    "progress-campaign-done": ("campaigns/_progress.html", "/campaigns/x/progress", campaign_context()),
}  # fmt: skip
