import pytest

from exchange.api.pb import (
    benchmarks_pb2,
    campaigns_pb2,
    endpoints_pb2,
    leaderboards_pb2,
    submissions_pb2,
    users_pb2,
)
from tests.web import campaign_pages
from tests.web import fixtures as fx

PAIRS = [
    (benchmarks_pb2.Benchmark, fx.benchmark()), (benchmarks_pb2.BenchmarkVersion, fx.version()),
    (benchmarks_pb2.Metric, fx.ACCURACY), (benchmarks_pb2.VerificationPolicy, fx.policy()),
    (benchmarks_pb2.Generation, fx.version()["generation"]),
    (benchmarks_pb2.LoadProfile, fx.performance_version()["load_profile"]),
    (endpoints_pb2.Endpoint, fx.endpoint()), (endpoints_pb2.Deployment, fx.deployment()),
    (endpoints_pb2.LanguageModel, fx.model()), (leaderboards_pb2.Leaderboard, fx.leaderboard()),
    (leaderboards_pb2.LeaderboardEntry, fx.leaderboard()["items"][0]),
    (leaderboards_pb2.LeaderboardEntry, fx.leaderboard()["items"][-1]),
    (leaderboards_pb2.LeaderboardEntry, fx.performance_board()["items"][0]),
    (submissions_pb2.Submission, fx.submission()), (submissions_pb2.Configuration, fx.configuration()),
    (submissions_pb2.Verification, fx.verification()), (submissions_pb2.MetricJudgement, fx.judgement()),
    (submissions_pb2.Run, fx.run()), (submissions_pb2.CaseComparison, fx.case(1, 1, 1)),
    (submissions_pb2.Evidence, fx.evidence()[0]), (submissions_pb2.VerificationBound, fx.bound()),
    (users_pb2.Organization, fx.organization()), (users_pb2.Member, fx.members()[0]),
    (campaigns_pb2.Campaign, campaign_pages.campaign()),
    (campaigns_pb2.CampaignResult, campaign_pages.result()),
    (campaigns_pb2.CampaignChange, campaign_pages.change()),
    (campaigns_pb2.CampaignComparison, campaign_pages.comparison()),
    (endpoints_pb2.Price, campaign_pages.price()),
    (endpoints_pb2.DeploymentStatusChange, campaign_pages.status_change()),
    (users_pb2.OrganizationMembership, fx.membership()), (users_pb2.ApiToken, fx.token()),
]  # fmt: skip


class TestFixtures:
    @pytest.mark.parametrize(("message", "data"), PAIRS, ids=[message.__name__ for message, _ in PAIRS])
    def test_have_the_fields_of_the_published_contract(self, message, data):
        assert set(data) == set(message.DESCRIPTOR.fields_by_name)
