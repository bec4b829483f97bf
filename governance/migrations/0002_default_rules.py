"""The rules that hold from the start, for each type of proposal; rules are added, never changed."""

import hashlib
import json
import uuid

from django.conf import settings
from django.db import migrations
from django.db.models.functions import Now

TYPES = ("new_benchmark", "update_benchmark", "deprecate_benchmark", "policy_change")
IMMUTABLE = """
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON governance_votingrules
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
"""


def add_default_rules(apps, schema_editor):
    times = {name: usual for name, (_least, usual, _most) in settings.GOVERNANCE.items()}
    rules = {
        "quorum_percent": 10,
        "quorum_minimum": 3,
        "threshold_numerator": 2,
        "threshold_denominator": 3,
        **times,
    }
    alias = schema_editor.connection.alias
    VotingRules = apps.get_model("governance", "VotingRules")
    for proposal_type in TYPES:
        whole = {"proposal_type": proposal_type, **rules}
        text = json.dumps(whole, sort_keys=True, separators=(",", ":"))
        row = VotingRules.objects.using(alias).create(
            id=uuid.uuid4(),
            number=1,
            **whole,
            decided_by="default",
            effective_at=Now(),
            digest=hashlib.sha256(text.encode()).hexdigest(),
        )
        apps.get_model("governance", "Procedure").objects.using(alias).create(type=proposal_type, rules=row)


def note_earlier_contributions(apps, schema_editor):
    """Who had a submission accepted or published a version before this was noted."""
    alias = schema_editor.connection.alias
    Contribution = apps.get_model("governance", "Contribution")
    submissions = apps.get_model("submissions", "Submission").objects.using(alias)
    published = apps.get_model("core", "AuditEntry").objects.using(alias)
    people = set(apps.get_model("accounts", "User").objects.using(alias).values_list("id", flat=True))
    made = [
        ("submission.created", user, subject, at)
        for user, subject, at in submissions.filter(submitted_by__isnull=False)
        .order_by("created_at")
        .values_list("submitted_by_id", "id", "created_at")
    ]
    made += [
        (kind, user, subject, at)
        for kind, user, subject, at in published.filter(
            kind="benchmark_version.published", actor_id__isnull=False
        ).values_list("kind", "actor_id", "subject_id", "occurred_at")
    ]
    first = {}
    for kind, user, subject, at in made:
        if user in people:
            first.setdefault(user, Contribution(user_id=user, kind=kind, subject_id=subject, made_at=at))
    Contribution.objects.using(alias).bulk_create(first.values(), batch_size=1000)


class Migration(migrations.Migration):
    safe_because = "Claims and the audit chain are only read; the version before does not know what is written."
    dependencies = [
        ("governance", "0001_initial"),
        ("core", "0002_append_only"),
        ("submissions", "0001_initial"),
    ]
    operations = [
        migrations.RunPython(add_default_rules, migrations.RunPython.noop),
        migrations.RunPython(note_earlier_contributions, migrations.RunPython.noop),
        migrations.RunSQL(IMMUTABLE, "DROP TRIGGER immutable ON governance_votingrules"),
    ]
