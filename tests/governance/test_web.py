import re
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from governance import models, selectors, services
from governance.web.countdown import countdown, duration
from governance.web.facts import worded
from governance.web.threads import threads
from tests.factories import governance as make
from tests.factories.accounts import UserFactory
from tests.factories.benchmarks import active_benchmark

pytestmark = pytest.mark.django_db


@pytest.fixture
def client_of():
    """`client_of(user)`: a browser in which that person is logged in."""

    def log_in(user):
        client = Client()
        client.force_login(user)
        return client

    return log_in


def page_of(client, proposal, status=200, query=""):
    answer = client.get(f"/proposals/{proposal.pk}{query}")
    assert answer.status_code == status
    return answer.content.decode()


def words(html):
    """What a reader reads, in one line."""
    return " ".join(re.sub(r"<[^>]*>", "", html).split())


FRAME = 5  # a savepoint and the tenant, before and after


def queries(client, path):
    """How many a page takes, beside those that every page takes."""
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return len(captured) - FRAME


def user_of(actor):
    return models.User.objects.get(pk=actor.user_id)


class TestList:
    def test_says_what_to_do_when_there_is_none(self, client):
        assert "Nothing has been proposed yet" in client.get("/proposals").content.decode()

    def test_shows_open_votes_first_with_their_countdown(self, client):
        open_vote = make.voting_proposal(title="Open now")
        make.closed_proposal(title="Closed before")
        html = client.get("/proposals").content.decode()

        assert html.index("Open now") < html.index("Closed before")
        assert html.count(f"/proposals/{open_vote.pk}") == 1
        assert 'role="timer"' in html

    def test_says_in_a_line_what_each_will_do(self, client):
        proposal = make.reviewed_proposal()

        html = words(client.get("/proposals").content.decode())
        assert f"Deprecates {proposal.benchmark_name}" in html

    @pytest.mark.parametrize(
        ("query", "shown"),
        [
            ("status=under_review", "Waits"),
            ("type=policy_change", "Rules"),
            ("query=waits", "Waits"),
            ("status=voting", None),
            ("query=nobody", None),
        ],
    )
    def test_filters(self, client, query, shown):
        make.reviewed_proposal(title="Waits")
        make.reviewed_proposal(title="Rules", kind="set_voting_rules", approved=True)
        services.withdraw_proposal(
            actor=make.proposer_of(rules := models.Proposal.objects.get(title="Rules")), proposal_id=rules.pk
        )
        html = client.get(f"/proposals?{query}").content.decode()

        found = [title for title in ("Waits", "Rules") if title in html.partition("<main")[2]]
        assert found == ([shown] if shown else [])
        assert ("No proposal fits these filters" in html) is (shown is None)

    def test_shows_those_about_a_benchmark(self, client):
        proposal, other = make.reviewed_proposal(title="This one"), make.reviewed_proposal(title="Another")
        html = client.get(f"/proposals?benchmark={proposal.benchmark_slug}").content.decode()

        assert "This one" in html
        assert other.title not in html
        assert f"about {proposal.benchmark_name}" in words(html)

    def test_knows_no_benchmark_that_there_is_not(self, client):
        assert client.get("/proposals?benchmark=nothing").status_code == 404
        assert client.get("/proposals?benchmark=%00").status_code == 400

    def test_offers_a_new_proposal_to_contributors_and_says_to_others_how_to_become_one(self, client_of):
        contributor = client_of(make.ContributorFactory()).get("/proposals").content.decode()
        reader = client_of(UserFactory()).get("/proposals").content.decode()

        assert "/proposals/new" in contributor
        assert "/proposals/new" not in reader
        assert "confirm your e-mail address" in words(reader)

    def test_does_not_show_drafts(self, client):
        make.draft_proposal(title="Not yet")

        assert "Not yet" not in client.get("/proposals").content.decode()

    def test_takes_as_many_queries_for_one_as_for_six(self, client):
        make.voting_proposal(), make.closed_proposal()
        one = queries(client, "/proposals")
        for _ in range(5):
            make.reviewed_proposal()
        make.voting_proposal()

        assert queries(client, "/proposals") == one == 3


class TestPage:
    def test_hides_a_draft_from_everybody_else(self, client, client_of):
        draft = make.draft_proposal()

        page_of(client, draft, status=404)
        page_of(client_of(make.ReviewerFactory()), draft, status=404)
        assert "only you can see" in page_of(client_of(draft.proposer), draft)

    def test_says_first_where_it_stands(self, client):
        assert "Voting is open until" in page_of(client, make.voting_proposal())
        assert "Approved: 3 of 3 votes for." in words(page_of(client, make.closed_proposal()))
        assert "is deprecated and takes no new results" in words(page_of(client, make.executed_proposal()))
        rejected = make.closed_proposal("reject", "reject", "approve", "abstain")
        assert "Rejected: 1 of 3 votes for." in words(page_of(client, rejected))
        undecided = make.closed_proposal(*["abstain"] * 3)
        assert "everybody who voted abstained" in words(page_of(client, undecided))

    def test_says_that_too_few_voted(self, client):
        proposal = make.voting_proposal(voters=4)
        make.vote(proposal, "approve")
        make.move_end(proposal)
        services.finalise_due()

        text = words(page_of(client, proposal))
        assert "3 ballots were needed, not counting the proposer’s, and the count is 1" in text

    def test_says_that_it_is_being_counted_between_the_end_and_the_count(self, client):
        proposal = make.voting_proposal()
        make.move_end(proposal)

        html = page_of(client, proposal)
        assert "Voting closed on" in html
        assert 'name="choice"' not in html

    def test_shows_what_will_change_and_the_digest(self, client):
        proposal = make.voting_proposal()
        text = words(page_of(client, proposal))

        assert "Status Active Deprecated" in text
        assert proposal.action_digest[:8] in text

    def test_draws_what_has_changed(self, client):
        html = page_of(client, make.executed_proposal(kind="set_voting_rules"))

        assert 'class="slope"' in html
        assert "Quorum, percent of the electorate" in html

    def test_shows_why_it_failed_and_lets_the_proposer_try_again(self, client, client_of):
        proposal = failed_proposal()
        html = page_of(client_of(proposal.proposer), proposal)

        assert proposal.execution_error in html
        assert "Tried 1 time" in words(html)
        assert f"/proposals/{proposal.pk}/retry" in html
        assert f"/proposals/{proposal.pk}/retry" not in page_of(client, proposal)

    def test_tells_nothing_of_ballots_until_the_count(self, client):
        proposal = make.voting_proposal()
        paths = ("/proposals", f"/proposals/{proposal.pk}")
        before = [without_clock(client.get(path).content.decode()) for path in paths]
        make.vote(proposal, "approve", "reject")

        assert [without_clock(client.get(path).content.decode()) for path in paths] == before
        assert client.get(f"/proposals/{proposal.pk}/ballots").status_code == 409

    def test_draws_the_count_and_calls_the_roll_after_it(self, client):
        proposal = make.closed_proposal("approve", "approve", "reject", "abstain")
        html = page_of(client, proposal)

        assert "66.7 % approve" in html.replace("\xa0", " ")
        assert "did not vote" in html
        roll = words(client.get(f"/proposals/{proposal.pk}/ballots").content.decode())
        assert f"4 of {proposal.electorate_size} people entitled voted" in roll

    def test_takes_as_many_queries_with_a_debate_as_without(self, client_of):
        proposal = make.closed_proposal()
        reader = client_of(proposal.proposer)
        few = queries(reader, f"/proposals/{proposal.pk}")
        for _ in range(3):
            make.CommentFactory(proposal=proposal)

        assert queries(reader, f"/proposals/{proposal.pk}") == few == 11

    def test_escapes_what_people_write(self, client):
        proposal = make.reviewed_proposal(title="<script>x</script>", description="<img src=x>")
        make.CommentFactory(proposal=proposal, body="<script>y</script>")
        html = page_of(client, proposal)

        assert "<script>x" not in html
        assert "<script>y" not in html
        assert "<img" not in html


def without_clock(html):
    """A page without what is of its moment: the time that is left, and the token of its forms."""
    return re.sub(r'<p class="count.*?</p>|name="csrfmiddlewaretoken".*?>', "", html, flags=re.DOTALL)


def failed_proposal(*choices):
    """Approved, but its action was altered afterwards."""
    proposal = make.closed_proposal(*choices)
    models.Proposal.objects.filter(pk=proposal.pk).update(action_digest="0" * 64)
    make.end_timelock(proposal)
    services.finalise_due()
    return make.reread(proposal)


class TestSteps:
    def send(self, client, proposal, step, **form):
        return client.post(f"/proposals/{proposal.pk}/{step}", form)

    def status(self, proposal):
        return make.reread(proposal).status

    def test_lead_from_the_draft_to_the_vote(self, client_of):
        draft = make.draft_proposal()
        proposer, reviewer = client_of(draft.proposer), client_of(make.ReviewerFactory())
        make.ContributorFactory.create_batch(3)

        assert self.send(proposer, draft, "submit").status_code == 302
        assert 'name="decision"' not in page_of(proposer, draft)
        assert 'name="decision"' in page_of(reviewer, draft)
        assert self.send(reviewer, draft, "review", decision="approve").status_code == 302
        assert self.send(proposer, draft, "open-voting").status_code == 302
        assert self.status(draft) == "voting"

    def test_show_a_refused_review_with_what_was_typed(self, client_of):
        proposal = make.reviewed_proposal()
        answer = self.send(
            client_of(make.ReviewerFactory()), proposal, "review", decision="reject", reason="No."
        )

        html = answer.content.decode()
        assert answer.status_code == 400
        assert "Not accepted yet" in html
        assert ">No.</textarea>" in html
        assert re.search(r'value="reject"\s+required\s+checked', html)

    def test_withdraw(self, client_of):
        proposal = make.reviewed_proposal()

        assert self.send(client_of(proposal.proposer), proposal, "withdraw").status_code == 302
        assert self.status(proposal) == "withdrawn"

    def test_retry(self, client_of):
        proposal = failed_proposal()

        assert self.send(client_of(proposal.proposer), proposal, "retry").status_code == 302
        assert self.status(proposal) == "queued"

    @pytest.mark.parametrize("step", ["submit", "open-voting", "withdraw", "retry"])
    def test_refuse_others_in_words(self, client_of, step):
        answer = self.send(client_of(make.ContributorFactory()), make.reviewed_proposal(), step)

        assert answer.status_code == 403
        assert "Only its proposer may do this" in answer.content.decode()

    @pytest.mark.parametrize(
        "step", ["submit", "review", "open-voting", "vote", "withdraw", "retry", "comments"]
    )
    def test_know_no_draft_of_others(self, client_of, step):
        form = {"choice": "approve", "decision": "approve", "body": "A word"}
        given = form if step in {"vote", "review", "comments"} else {}
        wanted = {"vote": ("choice",), "review": ("decision",), "comments": ("body",)}.get(step, ())
        given = {name: given[name] for name in wanted}

        answer = self.send(client_of(make.ReviewerFactory()), make.draft_proposal(), step, **given)
        assert answer.status_code == 404


class TestVote:
    def test_casts_a_ballot_and_changes_it(self, client_of):
        proposal = make.voting_proposal()
        actor = make.voters_of(proposal)[0]
        voter = client_of(user_of(actor))

        for choice in ("approve", "reject"):
            answer = voter.post(f"/proposals/{proposal.pk}/vote", {"choice": choice, "reason": "As I said."})
            assert answer.status_code == 302
        html = page_of(voter, proposal)

        assert selectors.get_my_ballot(actor=actor, proposal_id=proposal.pk).choice == "reject"
        assert re.search(r'value="reject"\s+required\s+checked', html)
        assert "Your ballot says “Reject”" in words(html)
        assert ">As I said.</textarea>" in html

    def test_says_after_the_end_that_it_is_over(self, client_of):
        proposal = make.voting_proposal()
        voter = client_of(user_of(make.voters_of(proposal)[0]))
        make.move_end(proposal)

        answer = voter.post(f"/proposals/{proposal.pk}/vote", {"choice": "approve"})
        assert answer.status_code == 409
        assert "Voting on this proposal is over" in answer.content.decode()

    def test_names_the_choice_that_is_missing(self, client_of):
        proposal = make.voting_proposal()
        voter = client_of(user_of(make.voters_of(proposal)[0]))

        answer = voter.post(f"/proposals/{proposal.pk}/vote", {"reason": "Kept."})
        assert answer.status_code == 400
        assert ">Kept.</textarea>" in answer.content.decode()

    def test_says_who_is_on_the_roll_to_whoever_is_not(self, client, client_of):
        proposal = make.voting_proposal()
        late = client_of(make.ContributorFactory())

        assert "You are not on the roll" in page_of(late, proposal)
        assert "Log in to vote" in page_of(client, proposal)
        answer = late.post(f"/proposals/{proposal.pk}/vote", {"choice": "approve"})
        assert answer.status_code == 403


class TestDebate:
    def test_takes_a_comment_and_an_answer_without_a_script(self, client_of):
        proposal = make.reviewed_proposal()
        person = client_of(make.ContributorFactory())
        path = f"/proposals/{proposal.pk}/comments"

        assert person.post(path, {"body": "First", "kind": "issue"}).status_code == 302
        first = models.Comment.objects.get()
        html = page_of(person, proposal, query=f"?reply={first.pk}")
        assert f'name="parent_id" value="{first.pk}"' in html
        assert (
            person.post(path, {"body": "Second", "kind": "comment", "parent_id": first.pk}).status_code == 302
        )
        assert models.Comment.objects.get(body="Second").parent == first

    def test_keeps_what_was_typed_when_it_is_refused(self, client_of):
        proposal = make.reviewed_proposal()
        person = client_of(make.ContributorFactory())

        answer = person.post(f"/proposals/{proposal.pk}/comments", {"body": "x" * 2001, "kind": "praise"})
        assert answer.status_code == 400
        assert "x" * 2001 in answer.content.decode()
        assert not models.Comment.objects.exists()

    def test_offers_to_resolve_an_issue_to_its_author_and_the_proposer(self, client_of):
        proposal = make.reviewed_proposal()
        issue = make.CommentFactory(proposal=proposal, kind="issue")
        path = f"/proposals/{proposal.pk}/comments/{issue.pk}/resolve"

        assert path not in page_of(client_of(make.ContributorFactory()), proposal)
        assert path in page_of(client_of(issue.author), proposal)
        assert client_of(proposal.proposer).post(path).status_code == 302
        assert path not in page_of(client_of(proposal.proposer), proposal)
        assert "resolved by" in words(page_of(client_of(issue.author), proposal))

    def test_says_to_readers_what_makes_a_contributor(self, client, client_of):
        proposal = make.reviewed_proposal()

        assert "Log in to comment" in page_of(client, proposal)
        assert "confirm your e-mail address" in words(page_of(client_of(UserFactory()), proposal))


TEXT = {"title": "A proposal", "description": "What it is.", "rationale": "Why."}


class TestWriting:
    def test_sends_strangers_to_the_log_in(self, client):
        assert client.get("/proposals/new")["Location"] == "/login?next=%2Fproposals%2Fnew"

    def test_says_to_readers_what_makes_a_contributor(self, client_of):
        assert (
            "Only contributors can propose" in client_of(UserFactory()).get("/proposals/new").content.decode()
        )

    def test_offers_each_kind_with_what_it_can_be_about(self, client_of):
        active, endorsed, waiting = active_benchmark(), active_benchmark(), make.reviewable_benchmark()
        named = {active: "Aardvark", endorsed: "Badger", waiting: "Cheetah"}
        for benchmark, name in named.items():
            models.Benchmark.objects.filter(pk=benchmark.pk).update(
                name=name, is_endorsed=benchmark == endorsed
            )
        html = client_of(make.ContributorFactory()).get("/proposals/new").content.decode()

        assert [html.count(name) for name in named.values()] == [4, 3, 1]

    def test_endorses_what_is_active_already(self, client_of):
        person, benchmark = client_of(make.ContributorFactory()), active_benchmark()
        path, html = self.form(person, "activate_benchmark", benchmark_id=benchmark.pk)

        person.post(path, {**self.fields(html), **TEXT})
        assert [change["name"] for change in models.Proposal.objects.get().planned] == ["is_endorsed"]

    def form(self, client, kind, **about):
        query = "&".join(f"{name}={value}" for name, value in {"kind": kind, **about}.items())
        path = f"/proposals/new?{query}"
        answer = client.get(path)
        assert answer.status_code == 200
        return path, answer.content.decode()

    def fields(self, html):
        """What a browser would send unchanged."""
        form = html.partition('<form class="form" method="post"')[2].partition("</form>")[0]
        inputs = re.findall(r"<input([^>]*)>", form)
        given = {
            name[1]: (value[1] if (value := re.search(r'value="([^"]*)"', attrs)) else "")
            for attrs in inputs
            if (name := re.search(r'\bname="([^"]+)"', attrs))
            and ("checkbox" not in attrs or re.search(r"\schecked", attrs))
        }
        given |= dict(re.findall(r'<textarea[^>]*name="([^"]+)"[^>]*>(.*?)</textarea>', form, re.DOTALL))
        for name, options in re.findall(r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>', form, re.DOTALL):
            given[name] = (re.findall(r'value="([^"]*)" selected', options) or [""])[0]
        return given

    @pytest.mark.parametrize(
        ("kind", "changes"),
        [
            ("activate_benchmark", {}),
            ("update_benchmark", {"action.update_benchmark.changes.name": "A better name"}),
            ("deprecate_benchmark", {"action.deprecate_benchmark.reason": "Its cases have leaked."}),
            ("set_verification_policy", {"action.set_verification_policy.delta": "0.03"}),
            ("set_voting_rules", {"action.set_voting_rules.quorum_percent": "20"}),
        ],
    )
    def test_makes_a_draft_of_each_kind(self, client_of, kind, changes):
        person = client_of(make.ContributorFactory())
        benchmark = make.reviewable_benchmark() if kind == "activate_benchmark" else active_benchmark()
        rules = {"proposal_type": "new_benchmark"}
        about = rules if kind == "set_voting_rules" else {"benchmark_id": benchmark.pk}
        path, html = self.form(person, kind, **about)

        answer = person.post(path, {**self.fields(html), **TEXT, **changes})
        made = models.Proposal.objects.get()
        assert answer["Location"] == f"/proposals/{made.pk}"
        assert (made.status, made.action["kind"]) == ("draft", kind)
        assert made.planned

    def test_names_only_what_changes(self, client_of):
        person, benchmark = client_of(make.ContributorFactory()), active_benchmark()
        path, html = self.form(person, "update_benchmark", benchmark_id=benchmark.pk)

        person.post(path, {**self.fields(html), **TEXT, "action.update_benchmark.changes.tags": "a, b"})
        assert models.Proposal.objects.get().action["update_benchmark"]["changes"] == {"tags": ["a", "b"]}

    def test_shows_refusals_at_their_fields_and_loses_nothing(self, client_of):
        person, benchmark = client_of(make.ContributorFactory()), active_benchmark()
        path, html = self.form(person, "deprecate_benchmark", benchmark_id=benchmark.pk)
        name = "action.deprecate_benchmark.reason"

        answer = person.post(path, {**self.fields(html), **TEXT, name: "Old."})
        shown = answer.content.decode()
        assert answer.status_code == 400
        assert f'id="e-{name}"' in shown
        assert ">Old.</textarea>" in shown
        assert ">What it is.</textarea>" in shown
        assert not models.Proposal.objects.exists()

    @pytest.mark.parametrize("typed", ["much", "nan", "0,03", "-1"])
    def test_shows_numbers_that_are_none(self, client_of, typed):
        person, benchmark = client_of(make.ContributorFactory()), active_benchmark()
        path, html = self.form(person, "set_verification_policy", benchmark_id=benchmark.pk)
        name = "action.set_verification_policy.delta"

        answer = person.post(path, {**self.fields(html), **TEXT, name: typed})
        assert answer.status_code == 400
        assert f'id="e-{name}"' in answer.content.decode()

    @pytest.mark.parametrize("kind", ["update_benchmark", "set_verification_policy"])
    @pytest.mark.parametrize(
        "name",
        [
            "action",
            "action.{kind}",
            "action.{kind}.changes",
            "action.{kind}.tolerances",
            "action.{kind}.changes.tags.x",
            "no.such.field",
            "\0",
        ],
    )
    def test_refuses_a_form_of_another_shape(self, client_of, kind, name):
        person, benchmark = client_of(make.ContributorFactory()), active_benchmark()
        path = f"/proposals/new?kind={kind}&benchmark_id={benchmark.pk}"

        assert person.post(path, {**TEXT, name.format(kind=kind): "x"}).status_code == 400

    def test_shows_what_the_rules_of_times_refuse(self, client_of):
        person = client_of(make.ContributorFactory())
        path, html = self.form(person, "set_voting_rules", proposal_type="new_benchmark")
        name = "action.set_voting_rules.voting_seconds"

        answer = person.post(path, {**self.fields(html), **TEXT, name: "1"})
        assert answer.status_code == 400
        assert f'id="e-{name}"' in answer.content.decode()

    @pytest.mark.parametrize("query", ["kind=nothing", "kind=set_voting_rules", "kind=update_benchmark",
                                       "kind=update_benchmark&benchmark_id=x"])  # fmt: skip
    def test_asks_again_what_it_is_about(self, client_of, query):
        person = client_of(make.ContributorFactory())

        for answer in (person.get(f"/proposals/new?{query}"), person.post(f"/proposals/new?{query}", TEXT)):
            assert "What should change?" in answer.content.decode()

    def test_knows_no_benchmark_of_others(self, client_of):
        private = active_benchmark()
        models.Benchmark.objects.filter(pk=private.pk).update(visibility="private")
        answer = client_of(make.ContributorFactory()).get(
            f"/proposals/new?kind=deprecate_benchmark&benchmark_id={private.pk}"
        )

        assert private.name not in answer.content.decode()

    @pytest.mark.parametrize("kind", make.ACTIONS)
    def test_edits_a_draft(self, client_of, kind):
        draft = make.draft_proposal(kind=kind)
        person, path = client_of(draft.proposer), f"/proposals/{draft.pk}/edit"
        html = person.get(path).content.decode()

        answer = person.post(path, {**self.fields(html), "title": "Another title"})
        assert answer["Location"] == f"/proposals/{draft.pk}"
        edited = make.reread(draft)
        assert (edited.title, edited.action_digest) == ("Another title", draft.action_digest)

    @pytest.mark.parametrize("kind", ["deprecate_benchmark", "update_benchmark", "set_verification_policy"])
    def test_does_not_edit_what_is_about_something_hidden_since(self, client_of, kind):
        draft = make.draft_proposal(kind=kind)
        models.Benchmark.objects.filter(pk=draft.benchmark_id).update(visibility="private")
        person = client_of(draft.proposer)
        for send in (person.get, person.post):
            answer = send(f"/proposals/{draft.pk}/edit")
            assert answer.status_code == 409
            assert "Make the benchmark public first" in answer.content.decode()

    def test_does_not_edit_what_is_no_draft_of_ones_own(self, client_of):
        draft, sent = make.draft_proposal(), make.reviewed_proposal()
        stranger = client_of(make.ContributorFactory())

        assert stranger.get(f"/proposals/{draft.pk}/edit").status_code == 404
        assert stranger.get(f"/proposals/{sent.pk}/edit").status_code == 403
        assert client_of(sent.proposer).get(f"/proposals/{sent.pk}/edit").status_code == 409


class TestVotingRules:
    def test_shows_those_in_force_and_those_before(self, client):
        make.executed_proposal(kind="set_voting_rules")
        text = words(client.get("/voting-rules").content.decode())

        assert "20 %, at least 3" in text
        assert "Number 2, decided by a proposal" in text
        assert "1 earlier edition" in text
        assert queries(client, "/voting-rules") == 1


class TestCountdown:
    NOW = datetime(2026, 12, 1, tzinfo=UTC)

    def parts(self, **left):
        now = self.NOW
        return [(p["name"], p["number"]) for p in countdown(now + timedelta(**left), now)["parts"]]

    def test_counts_in_the_three_largest_units(self):
        assert self.parts(days=2, hours=3, minutes=54) == [("days", 2), ("hours", 3), ("minutes", 54)]
        assert self.parts(minutes=1, seconds=5) == [("hours", 0), ("minutes", 1), ("seconds", 5)]

    def test_is_nothing_without_an_end_or_after_it(self):
        assert countdown(None, self.NOW) is None
        assert countdown(self.NOW, self.NOW) is None

    @pytest.mark.parametrize(
        ("seconds", "said"),
        [(604800, "7 days"), (5400, "1 hour 30 minutes"), (1, "1 second"), (0, "0 seconds")],
    )
    def test_says_lengths_of_time_in_words(self, seconds, said):
        assert duration(seconds).replace("\xa0", " ") == said


class TestThreads:
    def comment(self, parent=None):
        return {"id": str(uuid4()), "parent_id": parent and parent["id"]}

    def test_put_answers_below_and_deeper_ones_at_the_third_level(self):
        first = self.comment()
        second = self.comment(first)
        third = self.comment(second)
        fourth = self.comment(third)
        (root,) = threads([first, second, third, fourth])

        assert [node["comment"] for node in root["answers"][0]["answers"]] == [third, fourth]

    def test_begin_anew_where_what_is_answered_is_not_there(self):
        orphan = self.comment({"id": "elsewhere"})

        assert threads([orphan]) == [{"comment": orphan, "answers": []}]


class TestFacts:
    def test_are_said_in_words(self):
        changes = [
            {"name": "is_endorsed", "before": "false", "after": "true"},
            {"name": "voting_seconds", "before": "604800", "after": "86400"},
            {"name": "tolerances.ttft_p50", "before": None, "after": "0.15"},
            {"name": "new_field", "before": "a", "after": "b"},
        ]

        assert [tuple(fact.values()) for fact in worded(changes)] == [
            ("Endorsed", "no", "yes"),
            ("Voting lasts", "7\xa0days", "1\xa0day"),
            ("Tolerances: ttft_p50", "", "0.15"),
            ("new_field", "a", "b"),
        ]
