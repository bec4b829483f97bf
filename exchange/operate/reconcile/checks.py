"""Every check there is. Each yields its differences in words; a new one is a line here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from exchange.operate.watch import Watch

from . import boards, campaigns, chain, contents, credentials, evidence, references, runs, verdicts, votes

Find = Callable[[Watch], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Check:
    """`find` reads all of the database through the watch it is given. `reads_bytes`: of the store, too."""

    title: str
    find: Find
    reads_bytes: bool = False


CHECKS = (
    Check("audit chain", chain.unbroken),
    Check("outbox", chain.delivered),
    Check("versions and their hashes", contents.versions),
    Check("policies and their digests", contents.policies),
    Check("voting rules and their digests", contents.voting_rules),
    Check("proposals and what they do", contents.actions),
    Check("attempts of runs", runs.ledger),
    Check("runs that succeeded", runs.endings),
    Check("runs and verifications that go on", runs.goes_on),
    Check("campaigns and their rows", campaigns.rows),
    Check("deployments and their history", campaigns.histories),
    Check("scores from the stored answers", runs.scores),
    Check("verdicts from the stored scores", verdicts.verdicts),
    Check("claims and their latest verdict", verdicts.claims),
    Check("rows of boards", boards.rows),
    Check("votes and their counts", votes.counts),
    Check("electorates", votes.electorates),
    Check("sealed secrets", credentials.sealed),
    Check("references", references.guarded_by_nothing),
    Check("sizes of evidence", evidence.sizes),
    Check("bytes of evidence", evidence.contents, reads_bytes=True),
    Check("objects that nothing names", evidence.orphans),
)
