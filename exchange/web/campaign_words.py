"""The words for how models stand, why, and what campaigns do about it."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from llm_benchmark.measure.faults import FAULTS

STATES = {
    "active": _("active"),
    "unstable": _("unstable"),
    "new": _("new"),
    "failed": _("failed"),
    "not_available": _("not available"),
    "incompatible": _("incompatible"),
    "unsupported": _("not checked"),
    "missing": _("missing"),
    "disabled": _("disabled"),
}
STATE_MEANINGS = {
    "active": _("answered every question of the last check at the first try"),
    "unstable": _("answered, but not every time"),
    "new": _("found, and not checked yet"),
    "failed": _("did not answer as its protocol says"),
    "not_available": _("listed, but the endpoint says that it does not exist"),
    "incompatible": _("made for another kind of request than it was asked"),
    "unsupported": _("made for something that we have no question for"),
    "missing": _("not listed by its endpoint any more"),
    "disabled": _("taken out by hand"),
}
CAPABILITIES = {
    "chat_text": _("Chat"),
    "embedding": _("Embeddings"),
    "rerank": _("Documents in order (rerank)"),
    "vision": _("Pictures (vision)"),
    "multimodal": _("Pictures and text"),
    "parser": _("Reading documents"),
    "translation": _("Translation"),
    "safety": _("Safety"),
    "special": _("Something else"),
    "unknown": _("Not known"),
}
SOURCES = {
    "metadata": _("as its endpoint lists it"),
    "name": _("from its name"),
    "probe": _("from its answers"),
    "manual": _("set by hand"),
    "unknown": _("not found out yet"),
}
REASONS = {
    "answered": _("It answered the first question and three more."),
    "answered_after_retries": _("It answered only after it was asked again."),
    "unstable_probes": _("It answered once, and not every time after that."),
    "errors_under_load": _("It answered, and failed under load."),
    "no_probe": _("There is no question for models of this kind, so none was sent."),
    "not_listed": _("Its endpoint does not list it any more."),
    "listed_again": _("Its endpoint lists it again."),
    "endpoint_moved": _("Its endpoint has another address or protocol now, and was not asked since."),
    "disabled": _("Somebody of the organization took it out."),
    "enabled": _("Somebody of the organization brought it back."),
}
NEXT_STEPS = {
    "authentication_failed": _("Enter the endpoint’s key again, then check it once more."),
    "payment_required": _("Settle the account at the provider, then check again."),
    "model_not_found": _("Look for models again: it may be served under another name."),
    "capability_mismatch": _("Set what it is for by hand if this is wrong."),
    "request_refused": _("Read what it answered, and check the endpoint’s protocol."),
    "rate_limited": _("Check it again later, or ask the provider for a higher limit."),
    "overloaded": _("Check it again later."),
    "connect_failed": _("See that the endpoint is running and its address is right."),
    "connect_timeout": _("See that the endpoint is running and its address is right."),
    "tls_certificate": _("Let the endpoint show a valid certificate, then check again."),
    "tls_failed": _("See that the endpoint’s address begins with the right scheme."),
    "redirect_refused": _("Give the endpoint the address that it redirects to."),
    "invalid_response": _("Check the endpoint’s protocol and address."),
    "credential_unavailable": _("Enter a key, or ask who operates the exchange."),
    "no_probe": _("Set what it is for by hand if it takes chat, embeddings or rerank."),
    "not_listed": _("Look for models again when it should be back."),
    "endpoint_moved": _("Look for models again."),
    "unstable_probes": _("Check it again to see whether it lasts."),
    "answered_after_retries": _("Check it again to see whether it lasts."),
    "errors_under_load": _("Check it again, or with a lighter load."),
}
MODES = {
    "full": _("Everything"),
    "new": _("What is new"),
    "active": _("What is active"),
    "unstable": _("What is unstable"),
    "failed": _("What failed"),
    "unstable_failed": _("What is unstable or failed"),
    "one": _("One model"),
}
MODE_MEANINGS = {
    "full": _("First asks what is served, then checks all of it but what is disabled."),
    "new": _("First asks what is served, then checks what was never checked before."),
    "active": _("Looks whether what worked still works."),
    "unstable": _("Looks whether what answered now and then has settled."),
    "failed": _("Gives what failed another chance."),
    "unstable_failed": _("Both of these in one go."),
    "one": _("Checks this model alone."),
}
CAMPAIGN_STATUSES = {
    "queued": _("Waiting"),
    "running": _("Going on"),
    "completed": _("Complete"),
    "completed_with_errors": _("Complete, with gaps"),
    "failed": _("Stopped by a refusal"),
    "cancelled": _("Cancelled"),
}
STAGES = {
    "pending": _("waiting"),
    "capability": _("finding out what it is for"),
    "smoke": _("first question"),
    "stability": _("three more questions"),
    "benchmark": _("under load"),
    "done": _("done"),
}
OUTCOMES = {
    **{name: STATES[name] for name in ("active", "unstable", "not_available", "incompatible", "failed")},
    "unsupported": STATES["unsupported"],
    "skipped_unsupported_profile": _("answers, not for this load"),
    "benchmark_error": _("not measured"),
    "auth_error": _("key refused"),
    "cancelled": _("cancelled"),
}
SIDES = {
    "platform": _("Our side failed; this says nothing about the model."),
    "provider": _("The endpoint’s side failed."),
    "model": _("The model’s side failed."),
    "submitter": _("The endpoint’s settings are to be mended."),
}
DOORS = {
    "api": _("by a program"),
    "grpc": _("over gRPC"),
    "cli": _("at the command line"),
    "mcp": _("by an agent"),
    "web": _("on the website"),
}
CREDENTIALS = {
    "none": _("none"),
    "stored": _("stored encrypted; never shown"),
    "environment": _("a variable that the operator keeps"),
}
PROTOCOLS = {
    "": _("as its address says, or chat"),
    "chat": _("Chat completions"),
    "completions": _("Completions"),
    "responses": _("Responses"),
    "messages": _("Messages (Anthropic)"),
    "embeddings": _("Embeddings"),
    "rerank": _("Rerank (Cohere, Jina)"),
    "rerank_tei": _("Rerank (TEI)"),
}
CAMPAIGN_FAMILIES: dict[str, Mapping[str, Any]] = {
    "state": STATES,
    "state_meaning": STATE_MEANINGS,
    "capability": CAPABILITIES,
    "capability_source": SOURCES,
    "next_step": NEXT_STEPS,
    "mode": MODES,
    "mode_meaning": MODE_MEANINGS,
    "campaign_status": CAMPAIGN_STATUSES,
    "stage": STAGES,
    "outcome": OUTCOMES,
    "fault_side": SIDES,
    "door": DOORS,
    "credential": CREDENTIALS,
    "protocol": PROTOCOLS,
}


def reason_words(code: str | None) -> str:
    """Why a model stands as it does, or why it was not measured; a code without words as it is."""
    if not code:
        return ""
    fault = FAULTS.get(code)
    return str(REASONS.get(code) or (fault.message if fault else code))


def next_step(code: str | None) -> str:
    """What to do about a reason; empty where there is nothing to do."""
    return str(NEXT_STEPS.get(code or "", ""))
