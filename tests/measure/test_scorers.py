import os
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from llm_benchmark.measure.plans import Question
from llm_benchmark.measure.scorers import SCORERS, score, validate_question

CHOICES = {"A": "Paris", "B": "London", "C": "a dog", "D": "Rome"}


def choice(text, reference="B", choices=CHOICES):
    return score(Question("k", "p", reference, "multiple_choice_v1", choices=choices), text)


def number(text, reference="1234", **config):
    return score(Question("k", "p", reference, "numeric_v1", config), text)


def exact(text, reference="New York", **config):
    return score(Question("k", "p", reference, "exact_match_v1", config), text)


class TestExactMatch:
    @pytest.mark.parametrize("text", ["New York", " new  york\r\n", "NEW\tYORK", "new\u00a0york"])
    def test_sees_past_case_and_spacing(self, text):
        assert exact(text).value == 1

    @pytest.mark.parametrize("text", ["York", "New York.", "new-york"])
    def test_gives_nothing_for_other_words(self, text):
        assert (exact(text).value, exact(text).error) == (0, None)

    def test_minds_case_when_asked(self):
        assert exact("new york", case_sensitive=True).value == 0

    def test_minds_spacing_when_asked(self):
        assert exact("New  York", collapse_whitespace=False).value == 0

    def test_takes_two_spellings_of_one_letter_as_equal(self):
        assert exact("cafe\u0301", "café").value == 1

    @pytest.mark.parametrize("text", [None, "", " \n"])
    def test_says_when_there_is_no_answer(self, text):
        assert exact(text).error == "empty_response"


class TestMultipleChoice:
    @pytest.mark.parametrize(
        "text",
        [
            "B",
            "b",
            "B.",
            "(B)",
            "（B）",
            "Ｂ",
            "**B**",
            "`B`",
            "\\boxed{B}",
            "$\\boxed{\\text{B}}$",
            "B. London",
            "B) London",
            "Option B",
            "选项B",
            "Answer: B",
            "answer: b",
            "**Answer:** B",
            "Answer - B",
            "Answer:\n\n**B**",
            "Answer: B London",
            "Answer: **B) London**",
            "The correct answer is (B) London.",
            "The final answer is: $B$",
            "The answer is B because it is",
            "I choose B",
            "The best choice is option B: London",
            "### Answer\nB",
            "**Final Answer**: B) London",
            "最终答案：B",
            "答案是B。",
            "答案是 B，因为",
            "所以选B",
            "故选（B）",
            "正确答案为【B】",
            "Let me think.\n\nB",
            "B\n\nExplanation: A is wrong.",
            "<think>Answer: A</think>B",
        ],
    )
    def test_reads_the_letter(self, text):
        assert (choice(text).value, choice(text).parsed) == (1, "B")

    @pytest.mark.parametrize(
        "text",
        [
            "the answer is a dog",
            "The answer is A dog",
            "A dog",
            "A-level",
            "Answer: I'm not sure",
            "The answer is not B",
        ],
    )
    def test_takes_no_word_for_a_letter(self, text):
        assert (choice(text).value, choice(text).error) == (0, "choice_not_found")

    def test_takes_a_letter_before_its_own_text_even_if_it_is_an_article(self):
        assert choice("Answer: A Paris", "A").value == 1

    @pytest.mark.parametrize(
        "text",
        ["Answer: A. Wait. Final answer: B", "Answer: A\nAnswer: B", "Final answer: B. Is the answer: A? No"],
    )
    def test_takes_the_last_final_marker(self, text):
        assert choice(text).parsed == "B"

    @pytest.mark.parametrize(
        "text",
        [
            "Answer: B or C",
            "Answer: A/B",
            "A or B",
            "A\nB",
            "A. Paris\nB. London",
            "答案：B、C",
            "Answer: A, B and C",
        ],
    )
    def test_does_not_guess_between_two(self, text):
        assert (choice(text).value, choice(text).error) == (0, "ambiguous_choice")

    def test_does_not_fall_back_when_the_final_answer_is_none_of_them(self):
        assert choice("My answer is B.\nFinal answer: neither").error == "choice_not_found"

    @pytest.mark.parametrize("text", ["E", "Answer: E", "\\boxed{E}"])
    def test_refuses_a_letter_that_was_not_offered(self, text):
        assert choice(text).error == "invalid_choice"

    @pytest.mark.parametrize("choices", [None, {}, {"A": "x"}, {"a": "x", "b": "y"}, {"A": "x", "10": "y"}])
    def test_refuses_a_question_without_lettered_choices(self, choices):
        assert choice("A", "A", choices).error == "invalid_choices_config"


class TestNumeric:
    @pytest.mark.parametrize(
        "text",
        [
            "1234",
            "1,234",
            "1 234",
            "１２３４",
            "１，２３４",
            "1\u202f234",
            "1'234",
            "1{,}234",
            "$1,234$",
            "$1,234.00",
            "1.234e3",
            "The answer is 1,234 km.",
            "1234km",
            "1234 %",
            "1234 km/h",
            "The answer is 1234!",
            "**1234**",
            "Answer: 12. Final answer: 1234",
            "\\boxed{1234}",
            "\\boxed{1{,}234 \\text{ km}}",
            "work\n#### 1234",
            "x = 1234",
            "Answer: x = 1234",
            "Answer: 2*617 = 1234",
            "Answer: 1234 (since 2*617=1234)",
            "GPT-4 says 1234",
            "It is 1st of 1234",
            "答案是1234元",
            "最终答案：１２３４",
            "approximately 1234.0",
            "(1234)",
            "1234 = 1234",
        ],
    )
    def test_reads_the_number(self, text):
        assert (number(text).value, number(text).error) == (1, None)

    @pytest.mark.parametrize("text", ["-5", "−5", "The answer is -5.", "Answer: −5 °C", "- 5"])
    def test_reads_the_sign(self, text):
        assert number(text, "-5").value == 1

    @pytest.mark.parametrize(
        ("text", "error"),
        [
            ("1/2", "invalid_numeric_expression"),
            ("\\boxed{\\frac{1}{2}}", "invalid_numeric_expression"),
            ("2^10", "invalid_numeric_expression"),
            ("10²", "invalid_numeric_expression"),
            ("5-10", "invalid_numeric_expression"),
            ("2024-01-05", "invalid_numeric_expression"),
            ("1.5 × 10^3", "invalid_numeric_expression"),
            ("1,23", "invalid_numeric"),
            ("1.2.3", "invalid_numeric"),
            ("12:30", "invalid_numeric"),
            ("1e100001", "invalid_numeric"),
            ("1e99999999999999999999", "invalid_numeric"),
            ("1" * 300, "invalid_numeric"),
            ("NaN", "non_finite_number"),
            ("The answer is infinity", "non_finite_number"),
            ("\\boxed{-\\infty}", "non_finite_number"),
            ("\\boxed{x}", "invalid_boxed_numeric"),
            ("\\boxed{12", "invalid_boxed_numeric"),
            ("12 and 13", "ambiguous_numeric"),
            ("Answer: 12 or 13", "ambiguous_numeric"),
            ("Answer: 12, 13", "ambiguous_numeric"),
            ("Answer: 5 to 10", "ambiguous_numeric"),
            ("no number", "numeric_not_found"),
            ("I had 1234.\nFinal answer: unknown", "numeric_not_found"),
            ("", "empty_response"),
        ],
    )
    def test_says_why_it_cannot_read(self, text, error):
        assert (number(text).value, number(text).error) == (0, error)

    def test_compares_decimals_exactly(self):
        assert number("0.30", "0.3").value == 1
        assert number("0.1" + "0" * 40 + "1", "0.1").value == 0
        assert number("1e100000", "1e99999").value == 0

    @pytest.mark.parametrize(
        ("text", "reference", "config", "value"),
        [
            ("3.1416", "3.14159", {"abs_tolerance": 0.001}, 1),
            ("3.15", "3.14159", {"abs_tolerance": 0.001}, 0),
            ("101", "100", {"rel_tolerance": "0.01"}, 1),
            ("101.01", "100", {"rel_tolerance": 0.01}, 0),
            ("0.3", "0.1", {"abs_tolerance": 0.2}, 1),
        ],
    )
    def test_keeps_to_the_tolerance(self, text, reference, config, value):
        assert number(text, reference, **config).value == value

    def test_reads_percent_as_a_unit_unless_told_otherwise(self):
        assert number("50 %", "50").value == 1
        assert number("50%", "0.5", percent_is_fraction=True).value == 1

    @pytest.mark.parametrize("tolerance", [-1, "x", True, None, "nan", float("inf")])
    def test_refuses_a_bad_tolerance(self, tolerance):
        assert number("1", "1", abs_tolerance=tolerance).error == "invalid_tolerance"

    @given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=3))
    @settings(max_examples=100, deadline=None)
    def test_reads_back_whatever_python_writes(self, value):
        for text in (f"{value}", f"{value:,}", f"The answer is {value:,}.", f"\\boxed{{{value}}}"):
            assert number(text, str(value)).value == 1


class TestValidateQuestion:
    @pytest.mark.parametrize(
        ("scorer", "reference", "config", "choices", "problem"),
        [
            ("bleu_v1", "x", {}, None, ("scorer", "unknown_scorer")),
            ("exact_match_v1", " ", {}, None, ("reference", "invalid_reference_answer")),
            ("exact_match_v1", "x", {"case": True}, None, ("scorer_config.case", "unknown_option")),
            (
                "exact_match_v1",
                "x",
                {"case_sensitive": 1},
                None,
                ("scorer_config.case_sensitive", "not_boolean"),
            ),
            ("multiple_choice_v1", "E", {}, CHOICES, ("reference", "invalid_reference_answer")),
            ("multiple_choice_v1", "A", {}, {"A": "x"}, ("choices", "invalid_choices_config")),
            ("numeric_v1", "1/2", {}, None, ("reference", "invalid_reference_answer")),
            ("numeric_v1", "4 or 5", {}, None, ("reference", "invalid_reference_answer")),
            (
                "numeric_v1",
                "4",
                {"rel_tolerance": -0.1},
                None,
                ("scorer_config.rel_tolerance", "invalid_tolerance"),
            ),
        ],
    )
    def test_names_the_field(self, scorer, reference, config, choices, problem):
        found = validate_question(Question("k", "p", reference, scorer, config, choices))
        assert [(problem.field, problem.code) for problem in found] == [problem]

    @pytest.mark.parametrize("weight", [0, -1, float("nan"), float("inf")])
    def test_refuses_a_weight_that_cannot_weigh(self, weight):
        found = validate_question(Question("k", " ", "x", "exact_match_v1", weight=weight))
        assert [problem.code for problem in found] == ["empty_prompt", "invalid_weight"]

    def test_passes_a_good_question(self):
        assert validate_question(Question("k", "p", "1,234", "numeric_v1", {"abs_tolerance": "0.5"})) == []


HOSTILE = [
    "a ",
    "A ",
    "answer ",
    "Answer: ",
    "1 ",
    "1,",
    "1",
    "1.",
    "\\boxed",
    "\\boxed{",
    "{",
    "(",
    "**",
    "选",
    "答案",
    "-",
    "final answer ",
    "\n",
    "A\n",
    "1 2 ",
    " ",
    "1e",
    "1/",
    "'",
    "####",
    "$ ",
    "999,",
    "\\text{",
    "or A",
    "..",
    "\\frac",
]


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize("unit", HOSTILE)
def test_work_grows_no_faster_than_the_text(scorer, unit):
    """Bytecode and calls are counted, not seconds: four times the text, at most about five times the work."""
    question = Question("k", "p", "A" if scorer.startswith("m") else "1", scorer, choices=CHOICES)
    work = [_calls(question, unit * (size // len(unit))) for size in (6_000, 24_000)]
    assert work[1] <= 5 * work[0] + 2_000


def _calls(question, text):
    count = 0

    def trace(frame, event, _argument):
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(trace)
    try:
        score(question, text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize("unit", HOSTILE)
def test_a_hundred_kilobytes_end(scorer, unit):
    question = Question("k", "p", "A" if scorer.startswith("m") else "1", scorer, choices=CHOICES)
    text = unit * (100_000 // len(unit))
    assert score(question, text) == score(question, text)


@given(st.text(max_size=300), st.sampled_from(sorted(SCORERS)))
@settings(max_examples=300, deadline=None)
def test_any_text_gets_a_score_or_a_reason(text, scorer):
    question = Question("k", "p", "A" if scorer.startswith("m") else "1", scorer, choices=CHOICES)
    scored = score(question, text)
    assert scored.value in {0.0, 1.0}
    assert (scored.parsed is None) == (scored.error is not None)
    assert scored.value == 0 or scored.error is None


def test_scores_do_not_depend_on_the_hash_seed():
    code = (
        "from llm_benchmark.measure.plans import Question as Q\n"
        "from llm_benchmark.measure.scorers import score\n"
        "print([score(Q('k','p','A','multiple_choice_v1',choices={'A':'x','B':'y'}),t) for t in"
        " ('A\\nB','Answer: A or B','A','the answer is a dog')])"
    )
    path = os.pathsep.join(sys.path)
    outputs = [
        subprocess.check_output(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed, "PYTHONPATH": path}
        )
        for seed in ("0", "1", "2")
    ]
    assert all(one == other for one, other in pairwise(outputs))
