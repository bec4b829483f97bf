import pytest

from llm_benchmark.measure.plans import UNGROUPED, Answer, Question, Usage
from llm_benchmark.measure.statistics import wilson
from llm_benchmark.measure.tallies import Totals, group_scores, totals


def question(key, group=UNGROUPED, **more):
    return Question(key, f"{key}?", "yes", "exact_match_v1", group=group, **more)


def answer(key, text="yes", usage=None, **more):
    return Answer(key, text, (text or "").encode(), 1.0, 200, usage=usage or Usage(), **more)


class TestGroupScores:
    def test_count_each_planned_question_of_their_group(self):
        questions = [question("a", "math"), question("b", "math"), question("c", "law"), question("d", "law")]

        math, law = group_scores(questions, [answer("a"), answer("b", "no"), answer("c")])

        assert (math.group, math.sample_count, math.accuracy) == ("math", 2, 0.5)
        assert (law.group, law.sample_count, law.accuracy) == ("law", 2, 0.5)

    def test_keep_the_accuracy_of_answered_questions_apart(self):
        questions = [question("a", "math"), question("b", "math"), question("c")]

        math, rest = group_scores(questions, [answer("a"), answer("b", None, error="overloaded")])

        assert (math.answered_count, math.answered_accuracy) == (1, 1.0)
        assert (rest.group, rest.answered_count, rest.answered_accuracy) == (UNGROUPED, 0, None)

    def test_have_wilson_s_interval(self):
        questions = [question(str(n), "math") for n in range(10)]

        (math,) = group_scores(questions, [answer(str(n), "yes" if n < 7 else "no") for n in range(10)])

        assert (math.low, math.high) == pytest.approx(wilson(7, 10, 0.95))

    def test_are_none_where_no_question_has_a_group(self):
        assert group_scores([question("a"), question("b")], [answer("a")]) == []


class TestTotals:
    def test_add_up_what_every_answer_tells(self):
        assert totals([answer("a", usage=Usage(1, 2)), answer("b", usage=Usage(3, 4))]) == Totals(4, 6)

    @pytest.mark.parametrize(
        ("usages", "expected"),
        [
            ([Usage(1, 2), Usage(3, None)], Totals(4, None)),
            ([Usage(1, 2), Usage()], Totals(None, None)),
            ([Usage(0, 0)], Totals(0, 0)),
            ([], Totals(None, None)),
        ],
    )
    def test_are_unknown_unless_all_are_told(self, usages, expected):
        assert totals(answer(str(n), usage=usage) for n, usage in enumerate(usages)) == expected
