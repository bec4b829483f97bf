import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmarks.errors import VersionNotFound
from benchmarks.models import Benchmark
from exchange.core.actors import ANONYMOUS
from exchange.core.errors import InvalidInput
from leaderboards import comparing
from leaderboards.errors import EntryNotFound, NotComparable
from leaderboards.models import Entry
from submissions.runs.models import Response
from tests.factories.accounts import OrganizationFactory
from tests.factories.benchmarks import case
from tests.factories.leaderboards import measured_quality, measured_speed
from tests.factories.submissions import (
    deployment_of,
    load_benchmark,
    make_load_submission,
    make_submission,
    question_benchmark,
)

pytestmark = pytest.mark.django_db
MANY = [case(f"q{n}", prompt=f"What is {n} plus {n}?", reference=str(2 * n)) for n in range(40)]


def entry_of(submission):
    return Entry.objects.get(submission=submission)


def row(benchmark, right, *, name=None, count=10, **changes):
    """A measured row that has the first `right` questions right."""
    submission = make_submission(
        benchmark=benchmark,
        cases=[],
        claims=[{"name": "accuracy", "value": 0.5, "sample_count": None}],
        **changes,
    )
    if name:
        submission.model.name = name
        submission.model.save()
    measured_quality(submission, value=right / count, right=[f"q{n}" for n in range(right)])
    return entry_of(submission)


def compare(*entries, **named):
    ids = {"entry_ids": [entry.pk for entry in entries], **named}
    return comparing.compare_models(actor=ANONYMOUS, benchmark_id=entries[0].version.benchmark_id, **ids)


class TestQuality:
    def test_pairs_the_questions_of_both_and_says_who_is_better(self):
        benchmark = question_benchmark(test_cases=MANY, cases_public=True)
        worse = row(benchmark, 10, name="slow-one", count=40)
        better = row(benchmark, 30, name="bright-one", count=40)
        found = compare(worse, better)

        [pair] = found.pairs
        assert (pair.first.key, pair.second.key) == (better.pk, worse.pk)
        assert (pair.difference.method, pair.difference.shared_count) == ("mcnemar_exact", 40)
        assert pair.difference.p_value == pytest.approx(2 / 2**20)
        assert pair.better.key == better.pk
        assert found.summary.startswith("bright-one is better than slow-one by 50.0\u00a0points (")
        assert len(found.differing_cases) == 20

    def test_says_that_a_small_difference_cannot_be_told_from_chance(self):
        benchmark = question_benchmark()
        found = compare(row(benchmark, 6, name="a"), row(benchmark, 5, name="b"))

        assert found.pairs[0].better is None
        assert "a and b cannot be told apart: the difference is +10.0\u00a0points (" in found.summary

    def test_compares_every_pair_and_adjusts_for_their_number(self):
        benchmark = question_benchmark(test_cases=MANY)
        entries = [row(benchmark, right, count=40) for right in (40, 33, 30)]
        found = compare(*entries)

        assert len(found.pairs) == 3
        assert all(pair.difference.p_adjusted >= pair.difference.p_value for pair in found.pairs)
        assert found.summary == "Of 3 pairs 2 can be told apart."

    def test_keeps_the_ranks_of_the_whole_board(self):
        benchmark = question_benchmark()
        _best, second, third = (row(benchmark, right) for right in (9, 8, 7))

        assert [found.standing.rank for found in compare(third, second).rows] == [2, 3]

    def test_shows_no_cases_that_are_not_public(self):
        benchmark = question_benchmark(cases_public=False)
        assert compare(row(benchmark, 9), row(benchmark, 1)).differing_cases is None

    def test_falls_back_to_two_samples_where_answers_are_not_stored(self):
        benchmark = question_benchmark()
        entries = row(benchmark, 9), row(benchmark, 1)
        Response.objects.filter(run__verifications=entries[0].verification).delete()

        [pair] = compare(*entries).pairs
        assert (pair.difference.method, pair.difference.shared_count) == ("two_proportions", None)

    def test_calls_rows_of_one_model_by_what_tells_them_apart(self):
        benchmark, organization = question_benchmark(), OrganizationFactory()
        north, south = (deployment_of(organization, provider_name=name) for name in ("North", "South"))
        south.model = north.model
        south.save()
        entries = [
            row(benchmark, right, organization=organization, deployment=deployment, configuration=choice)
            for right, deployment, choice in ((9, north, {}), (1, south, {"precision": "int4"}))
        ]
        assert (
            f"{north.model.name} (North) is better than {north.model.name} (South)"
            in compare(*entries).summary
        )

    def test_takes_the_submissions_that_the_rows_stand_for(self):
        benchmark = question_benchmark()
        entries = [row(benchmark, right) for right in (9, 1)]
        named = {"entry_ids": [], "submission_ids": [entry.submission_id for entry in entries]}

        assert {found.key for found in compare(*entries, **named).rows} == {entry.pk for entry in entries}


class TestModels:
    def test_stand_for_their_best_placed_rows(self):
        benchmark = question_benchmark()
        better, other = row(benchmark, 9), row(benchmark, 5)
        worse = row(benchmark, 2, configuration={"precision": "int4"})
        Entry.objects.filter(pk=worse.pk).update(model=better.model_id)

        found = compare(worse, entry_ids=[], model_ids=[other.model_id, better.model_id])
        assert [found.key for found in found.rows] == [better.pk, other.pk]

    def test_stand_for_rows_of_the_version_that_is_named(self):
        entry = row(question_benchmark(), 5)
        with pytest.raises(VersionNotFound):
            compare(entry, entry_ids=[], model_ids=[entry.model_id], version="9.9.9")

    def test_without_a_row_are_named(self):
        here, elsewhere = row(question_benchmark(), 5), row(question_benchmark(), 5)
        with pytest.raises(EntryNotFound) as refused:
            compare(here, entry_ids=[], model_ids=[here.model_id, elsewhere.model_id])
        assert [error.field for error in refused.value.errors] == ["models[1]"]

    @pytest.mark.parametrize("beside", ["entry_ids", "submission_ids"])
    def test_do_not_stand_beside_rows(self, beside):
        entry = row(question_benchmark(), 5)
        named = {"entry_ids": [], beside: [uuid.uuid4()], "model_ids": [entry.model_id]}
        with pytest.raises(InvalidInput) as refused:
            compare(entry, **named)
        assert [(error.field, error.code) for error in refused.value.errors] == [("models", "beside_rows")]

    def test_have_to_be_two(self):
        entry = row(question_benchmark(), 5)
        with pytest.raises(InvalidInput) as refused:
            compare(entry, entry_ids=[], model_ids=[entry.model_id] * 2)
        assert [error.field for error in refused.value.errors] == ["models"]


class TestSpeed:
    @pytest.fixture
    def benchmark(self):
        return load_benchmark(policy={"sessions": 3, "deciding_metrics": ["ttft_p50"]})

    def measured(self, benchmark, *ttft, **changes):
        kept = {name: changes.pop(name) for name in ("flags", "low", "high") if name in changes}
        submission = make_load_submission({"ttft_p50": ttft[0]}, benchmark=benchmark, **changes)
        measured_speed(submission, ttft=list(ttft), **kept)
        return entry_of(submission)

    def test_compares_sessions_by_their_ratio(self, benchmark):
        fast = self.measured(benchmark, 20.0, 20.5, 19.8)
        slow = self.measured(benchmark, 40.0, 41.0, 39.9)

        [pair] = compare(fast, slow).pairs
        assert (pair.difference.method, pair.better.key) == ("log_ratio_t", fast.pk)
        assert pair.difference.percent == pytest.approx(-50.1, abs=0.5)
        assert "Ttft p50 is 50.1\u00a0% lower (48.2 to 52.0\u00a0%)." in pair.summary

    def test_of_a_model_is_that_of_its_lowest_row_where_lower_is_better(self, benchmark):
        slow, fast, other = (self.measured(benchmark, t, t + 0.5, t - 0.2) for t in (40.0, 20.0, 30.0))
        Entry.objects.filter(pk=slow.pk).update(model=fast.model_id)

        found = compare(slow, entry_ids=[], model_ids=[other.model_id, fast.model_id])
        assert [found.key for found in found.rows] == [fast.pk, other.pk]

    def test_of_one_session_each_says_what_that_cannot_show(self):
        benchmark = load_benchmark()
        fast, slow = (
            self.measured(benchmark, ttft, low=0.95 * ttft, high=1.1 * ttft) for ttft in (20.0, 40.0)
        )
        [pair] = compare(fast, slow).pairs

        assert pair.difference.p_value is None
        assert "Ttft p50 is 20.0\u00a0ms lower (16.0 to 25.0\u00a0ms)." in pair.summary
        assert pair.summary.endswith("there is no p-value.")

    def test_refuses_what_answered_at_another_length(self, benchmark):
        entries = [
            self.measured(benchmark, 20.0, 21.0, 22.0, flags=flags) for flags in ((), ("not_comparable",))
        ]
        with pytest.raises(NotComparable) as refused:
            compare(*entries)
        assert [error.code for error in refused.value.errors] == ["not_comparable"]


class TestRefusals:
    @pytest.fixture
    def benchmark(self):
        return question_benchmark(generation=None)

    @pytest.mark.parametrize(
        ("name", "ours", "theirs"),
        [("temperature", 0.0, 1.0), ("max_tokens", 16, 32), ("system_prompt", "", "Think.")],
    )
    def test_name_each_setting_that_differs(self, benchmark, name, ours, theirs):
        entries = [row(benchmark, 5, configuration={name: value}) for value in (ours, theirs)]
        with pytest.raises(NotComparable) as refused:
            compare(*entries)
        assert [error.field for error in refused.value.errors] == [f"configuration.{name}"]

    def test_do_not_meet_what_belongs_to_the_subject(self, benchmark):
        entries = [
            row(benchmark, right, configuration={"precision": p}) for right, p in ((6, "bf16"), (5, "int4"))
        ]
        assert compare(*entries).subject_differences == {"precision": ["bf16", "int4"]}

    def test_name_another_benchmark(self, benchmark):
        with pytest.raises(NotComparable) as refused:
            compare(row(benchmark, 5), row(question_benchmark(), 5))
        assert [error.field for error in refused.value.errors] == ["benchmark_id"]

    def test_name_another_version(self, benchmark):
        with pytest.raises(NotComparable) as refused:
            compare(row(benchmark, 5), row(benchmark, 6), version="9.9.9")
        assert {error.field for error in refused.value.errors} == {"version"}

    @pytest.mark.parametrize("twice", [True, False])
    def test_ask_for_two_different_rows(self, benchmark, twice):
        entry = row(benchmark, 5)
        with pytest.raises(InvalidInput) as refused:
            compare(*[entry] * (1 + twice))
        assert refused.value.errors[0].field == "entry_ids"

    def test_name_the_row_that_is_not_there(self, benchmark):
        entry = row(benchmark, 5)
        with pytest.raises(EntryNotFound) as refused:
            compare(entry, entry_ids=[entry.pk, uuid.uuid4()])
        assert [error.field for error in refused.value.errors] == ["entry_ids[1]"]

    def test_do_not_tell_of_a_private_board(self, benchmark):
        entry, hidden = row(benchmark, 5), row(question_benchmark(), 5)
        Benchmark.objects.filter(pk=hidden.version.benchmark_id).update(visibility="private")
        with pytest.raises(EntryNotFound):
            compare(entry, hidden)


class TestCost:
    def test_is_the_same_for_two_rows_and_for_six(self):
        benchmark = question_benchmark()
        entries = [row(benchmark, right) for right in (9, 8, 7, 6, 5, 4)]
        counts, _loaded = [], entries[0].version
        for chosen in (entries[:2], entries):
            with CaptureQueriesContext(connection) as queries:
                compare(*chosen)
            counts.append(len(queries))
        assert counts[0] == counts[1] < 20
