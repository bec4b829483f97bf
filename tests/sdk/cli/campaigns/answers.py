"""What an exchange answers of campaigns."""

CAMPAIGN = "5f6c1b1e-0000-4000-8000-00000000000a"
AT = "2026-03-01T12:00:00Z"


def campaign(status="completed", **changes):
    return {
        "id": CAMPAIGN, "organization_id": "o", "endpoint_id": "e", "endpoint_name": "mine",
        "deployment_id": None, "mode": "full", "profile_version_id": None, "profile_slug": None,
        "profile_version": None, "refresh": True, "status": status, "via": "cli", "requested_by_name": "ann",
        "fault_code": None, "fault_message": None, "endpoints": [], "percent": 100.0, "item_count": 2,
        "done_count": 2, "failed_measurement_count": 0, "outcomes": {"active": 1, "failed": 1},
        "is_demo": False, "created_at": AT, "cancel_requested_at": None, "started_at": AT, "finished_at": AT,
        **changes,
    }  # fmt: skip


def item(name, final_status="active", **changes):
    return {
        "id": name, "campaign_id": CAMPAIGN, "deployment_id": f"d-{name}", "endpoint_id": "e",
        "endpoint_name": "mine", "served_name": name, "model_id": "m", "position": 0, "stage": "done",
        "outcome": final_status, "initial_status": "new", "final_status": final_status,
        "status_reason": "answered", "message": None, "capability": "chat_text",
        "capability_source": "probe", "capability_confidence": 0.9, "protocol": "chat",
        "measurement_status": "skipped", "measurement_side": None, "measurement_code": None,
        "measurement_message": None, "performance_run_id": None, "attempt_count": 4, "is_simulated": False,
        "started_at": AT, "finished_at": AT, **changes,
    }  # fmt: skip


def page(*items):
    return {"items": list(items), "next_page_token": ""}
