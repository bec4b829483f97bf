"""Every REST action has an RPC, and every RPC a REST action; both do the same.

Two methods mirror each other when they call the same services and selectors (`doors.py` reads the code). The
RPC's request message names the form that both parse, so the verbs agree too; the one verb kept from the older
contract is SubmitResults, which is `create` in REST.
"""

import inspect
import re
from pathlib import Path

import pytest
from django.conf import settings
from google.protobuf.descriptor import FieldDescriptor as F

from exchange.api.interceptors import is_read
from exchange.servicers import SERVICES

from .doors import actions, deed, reads, routes, rpcs, serializers

PROTOS = settings.BASE_DIR / "protos"
RPCS = list(rpcs())
ACTIONS = list(actions())
rpc = pytest.mark.parametrize(
    ("method", "served"),
    [(method, served) for _service, method, served in RPCS],
    ids=lambda x: x.name if hasattr(x, "name") else "",
)
action = pytest.mark.parametrize(
    "served",
    [function for *_where, function in ACTIONS],
    ids=[f"{cls.__name__}.{name}" for cls, name, _ in ACTIONS],
)


# Those of the older exchange, by service. Here SubmitResults is the only verb that REST has not.
OLDER = {
    "BenchmarkService": "CreateBenchmark GetBenchmark ListBenchmarks UpdateBenchmark SubmitForReview"
    " ApproveBenchmark RejectBenchmark",
    "SubmissionService": "SubmitResults GetSubmission ListSubmissions RequestVerification",
    "LeaderboardService": "GetLeaderboard GetCategoryLeaderboard CompareModels",
    "GovernanceService": "CreateProposal GetProposal ListProposals CastVote",
    "UserService": "Register Login GetProfile UpdateProfile",
}


class TestOlderRpcs:
    @pytest.mark.parametrize(
        "name", [f"{service}.{rpc}" for service in OLDER for rpc in OLDER[service].split()]
    )
    def test_are_offered_under_their_names(self, name):
        assert name in {f"{service}.{method.name}" for service, method, _served in RPCS}


class TestEveryRpc:
    @rpc
    def test_is_served(self, method, served):
        """The generated base class answers UNIMPLEMENTED for what nobody wrote."""
        assert not served.__module__.endswith("_pb2_grpc")

    @rpc
    def test_has_a_rest_action_that_does_the_same(self, method, served):
        same = deed(served).functions

        assert same, "calls no service and no selector"
        assert same in {deed(function).functions for *_where, function in ACTIONS}

    def test_is_what_some_rest_action_says_it_is(self):
        said = {function.operation.rpc for *_where, function in ACTIONS}

        assert said == {method.name for _service, method, _served in RPCS}

    def test_that_is_a_get_takes_no_key(self):
        assert {method.name for _service, method, _served in RPCS if is_read(method.name)} == set(reads())

    @rpc
    def test_parses_the_form_named_after_its_request(self, method, served):
        form = deed(served).form

        if form is None:
            assert not method.input_type.fields
        else:
            assert form.__name__ == f"{method.input_type.name}Serializer"
            assert method.input_type.name == f"{method.name}Request"

    @rpc
    def test_answers_with_a_message_of_its_file_or_an_empty_one(self, method, served):
        answer = method.output_type
        listing = [field.name for field in answer.fields] == ["items", "next_page_token"]

        assert f"{answer.name}Serializer" in serializers() or listing or not answer.fields


class TestEveryRestAction:
    def test_is_a_method_of_a_viewset(self):
        assert all(methods for _path, methods in routes())

    @action
    def test_has_an_rpc_that_does_the_same(self, served):
        same = deed(served).functions

        assert same, "calls no service and no selector"
        assert same in {deed(function).functions for _service, _method, function in RPCS}

    @action
    def test_parses_the_form_of_its_rpc(self, served):
        mine, said = deed(served), served.operation.form
        theirs = {
            deed(function).form for *_rest, function in RPCS if deed(function).functions == mine.functions
        }

        assert theirs == {mine.form}
        assert mine.form is said or (mine.form is None and not said().fields)

    @action
    def test_lets_in_every_field_of_the_form(self, served):
        """From its path, or from the body or query, which may hold any."""
        filled = deed(served).filled

        assert filled is None or filled == set(served.operation.form().fields)

    @action
    def test_shows_what_its_rpc_answers(self, served):
        said, answer = served.operation, answer_of(served)

        if said.files:
            assert F.TYPE_BYTES in {field.type for field in answer.fields}
        elif said.answer is None:
            assert not answer.fields
        else:
            assert said.answer.__name__ == f"{answer.name}Serializer"

    @action
    def test_shows_pages_of_what_its_rpc_lists(self, served):
        said, answer = served.operation, answer_of(served)
        if said.answer is None or not said.answer.__name__.endswith("ResponseSerializer"):
            return
        shown = type(said.answer().fields["items"].child).__name__
        assert shown == f"{answer.fields_by_name['items'].message_type.name}Serializer"

    @pytest.mark.parametrize(
        "served",
        [function for cls, _name, function in ACTIONS if cls.own_transaction],
        ids=lambda function: function.__qualname__,
    )
    def test_has_its_own_transaction_at_both_doors(self, served):
        same = [function for *_rest, function in RPCS if deed(function).functions == deed(served).functions]

        assert [getattr(function, "own_transaction", False) for function in same] == [True]


def answer_of(served):
    """The message with which the RPC of a REST action answers."""
    return next(
        method.output_type for _service, method, _served in RPCS if method.name == served.operation.rpc
    )


class TestServices:
    def test_of_the_published_contract_are_all_registered_once(self):
        names = [name for _module, _stubs, name, _servicer in SERVICES]
        text = "".join(map(Path.read_text, PROTOS.glob("*.proto")))
        published = re.findall(r"^service (\w+)", text, re.MULTILINE)

        assert sorted(names) == sorted(published)

    @pytest.mark.parametrize(
        "served",
        [function for *_where, function in [*ACTIONS, *RPCS]],
        ids=lambda function: function.__qualname__,
    )
    def test_get_exactly_the_cleaned_names_of_their_form(self, served):
        """With what the door adds, they are the function's arguments; only a lock is no door's business."""
        done = deed(served)
        if done.unpacked is None:
            return
        fields = done.form().fields.items()
        cleaned = {field.source or name for name, field in fields} - {"page_size", "page_token"}
        taken = set(inspect.signature(done.unpacked).parameters) - {"lock"}
        assert cleaned | done.explicit == taken
