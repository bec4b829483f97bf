import re
from xml.etree import ElementTree as ET

import pytest

from exchange.web import charts
from tests.web.governance_fixtures import TALLY, counted, proposal, rules

HOSTILE = '"><script>alert(1)</script>'
ONE_AND_A_HALF = [
    {"name": "Quorum", "before": "10", "after": "20"},
    {"name": HOSTILE, "before": "", "after": HOSTILE},
]
NOBODY = {"approve": 0, "reject": 0, "abstain": 0, "ballot_count": 0, "ballots_without_proposer": 0}


def drawn():
    """Every picture of a vote on data of every kind."""
    abstained = TALLY | {"approve": 0, "reject": 0}
    everybody = rules(threshold_numerator=1, threshold_denominator=1)
    return {
        "threshold before the close": charts.threshold_picture(proposal()),
        "threshold": charts.threshold_picture(counted()),
        "threshold of few": charts.threshold_picture(counted(tally=TALLY | {"approve": 1, "reject": 9})),
        "threshold of all": charts.threshold_picture(counted(rules=everybody)),
        "threshold of nobody": charts.threshold_picture(counted(tally=abstained)),
        "quorum before the close": charts.quorum_picture(proposal()),
        "quorum": charts.quorum_picture(counted()),
        "quorum of nobody": charts.quorum_picture(counted(tally=NOBODY)),
        "quorum above the electorate": charts.quorum_picture(proposal(electorate_size=2, ballots_needed=3)),
        "before and after": charts.before_after(ONE_AND_A_HALF),
    }


def title_of(markup):
    return ET.fromstring(f"<div>{markup}</div>").find(".//svg/title").text


class TestEveryPicture:
    @pytest.mark.parametrize("name", drawn())
    def test_is_a_named_image_inside_its_frame(self, name):
        root = ET.fromstring(f"<div>{drawn()[name]}</div>")

        assert next(node for node in root.iter("svg") if node.get("role") == "img").find("title").text
        places = re.findall(r'(?:x|x1|x2|cx|width)="(-?[\d.]+)%"', drawn()[name])
        assert all(0 <= float(place) <= 100 for place in places)

    @pytest.mark.parametrize("name", drawn())
    def test_holds_no_markup_of_others_and_no_style(self, name):
        assert "<script" not in drawn()[name]
        assert not re.search(r"\sstyle=|\son[a-z]+=", drawn()[name])


class TestThreshold:
    def test_says_only_what_is_needed_until_the_close(self):
        markup = charts.threshold_picture(proposal())

        assert title_of(markup) == "Of the votes that approve or reject, at least 2/3 must approve."
        assert 'class="pt"' not in markup

    def test_draws_the_share_that_was_reached(self):
        markup = charts.threshold_picture(counted())

        assert 'class="pt" x1="85.71%"' in markup
        assert title_of(markup).startswith("85.7\xa0% of the votes")

    def test_draws_no_share_of_nobody(self):
        assert 'class="pt"' not in drawn()["threshold of nobody"]


class TestQuorum:
    def test_draws_no_ballot_until_the_close(self):
        markup = charts.quorum_picture(proposal())

        assert title_of(markup) == "Of 41 people entitled to vote, 5 must vote, not counting the proposer."
        assert "seg" not in markup
        assert "<table" not in markup

    def test_draws_the_ballots_side_by_side_and_lists_them(self):
        markup = charts.quorum_picture(counted())
        bar = re.findall(r'seg v-(\w+)"[^>]*x="([\d.]+)%" width="([\d.]+)%" y="22"', markup)

        assert bar == [("approve", "0", "29.27"), ("reject", "29.27", "4.88"), ("abstain", "34.15", "7.32")]
        assert re.findall(r"<td[^>]*>(\d+)</td>", markup) == ["12", "2", "3", "24"]


class TestBeforeAndAfter:
    def test_draws_nothing_of_nothing(self):
        assert charts.before_after([]) == ""

    def test_draws_a_dash_for_nothing_and_cuts_what_is_long(self):
        markup = charts.before_after([{"name": "Description", "before": "", "after": "long " * 20}])

        assert ">–</text>" in markup
        assert "long long long long…</text>" in markup
