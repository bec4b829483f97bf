"""What follows each fact. The whole of it, in two tables.

A projection runs in the fact's own transaction; a reaction is a Celery task, rung after commit.
"""

from exchange.core import audit, events
from governance import services as governance
from leaderboards import services as leaderboards
from submissions import verifying
from submissions.campaigns import progress as campaigns
from submissions.runs.tasks import look_for_performance_runs, look_for_quality_runs, ring_when_due

# An endpoint takes one run at a time, so the end of one may let another begin.
LOOK_FOR_RUNS = (look_for_quality_runs, look_for_performance_runs)
FOLLOW_RUN = (verifying.follow_run, campaigns.follow_run)

PROJECTIONS = {
    "*": (audit.append,),
    "run.started": FOLLOW_RUN,
    "run.succeeded": FOLLOW_RUN,
    "run.failed": FOLLOW_RUN,
    "run.cancelled": FOLLOW_RUN,
    "run.postponed": (campaigns.follow_run,),
    "run.requeued": (campaigns.follow_run,),
    "verification.decided": (leaderboards.follow_verification,),
    "submission.withdrawn": (leaderboards.follow_submission,),
    "submission.visibility_changed": (leaderboards.follow_submission,),
    "submission.created": (governance.follow_contribution,),
    "benchmark_version.published": (governance.follow_contribution,),
    "email.verified": (governance.follow_contribution,),
}
REACTIONS = {
    "run.queued": LOOK_FOR_RUNS,
    "run.requeued": LOOK_FOR_RUNS,
    "run.postponed": (*LOOK_FOR_RUNS, ring_when_due),
    "run.succeeded": LOOK_FOR_RUNS,
    "run.failed": LOOK_FOR_RUNS,
    "run.cancelled": LOOK_FOR_RUNS,
}


def connect() -> None:
    events.connect(projections=PROJECTIONS, reactions=REACTIONS)
