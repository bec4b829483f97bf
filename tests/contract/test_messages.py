"""What no RPC may be given: always a status with our code that names the field, never INTERNAL."""

import logging

import pytest
from google.protobuf.internal.encoder import _VarintBytes

from exchange.accounts.api.grpc import OrganizationService, UserService
from exchange.api.convert import read
from exchange.api.interceptors import around
from exchange.api.pb import benchmarks_pb2, users_pb2
from exchange.core.errors import InvalidInput
from exchange.core.models import IdempotencyRecord
from exchange.servicers import SERVICES, message_classes
from tests.factories.accounts import UserFactory, token_for
from tests.factories.benchmarks import BenchmarkFactory
from tests.rpc import Context, RpcFailed, call

pytestmark = pytest.mark.django_db
BENCHMARKS = next(servicer for _pb, _stubs, name, servicer in SERVICES if name == "BenchmarkService")
NEW_VERSION = benchmarks_pb2.CreateBenchmarkVersionRequest
FOUND = {"slug": "acme", "name": "Acme", "type": "ORGANIZATION_TYPE_ENTERPRISE"}


@pytest.fixture
def token(db):
    return token_for(UserFactory())


def refusal(method, request, **options):
    with pytest.raises(RpcFailed) as failed:
        call(method, request, **options)
    return failed.value.grpc, failed.value.code, failed.value.fields


def create_version(token, **case):
    request = NEW_VERSION(benchmark_id=str(BenchmarkFactory().pk), version="1.0.0")
    added = request.test_cases.add(key="q1", prompt="?", scorer="exact_match")
    added.scorer_config.update(case)
    return refusal(BENCHMARKS().CreateBenchmarkVersion, request, token=token)


class TestValues:
    @pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
    def test_that_are_no_numbers_are_named_inside_a_struct(self, token, number):
        answer = create_version(token, share=float(number))

        assert answer == ("INVALID_ARGUMENT", "invalid_input", ["test_cases[0].scorer_config.share"])

    def test_with_nul_are_named(self, token):
        assert create_version(token, share=["\0"])[2] == ["test_cases[0].scorer_config.share[0]"]

    @pytest.mark.parametrize("number", [99, -1, 2**31 - 1])
    def test_of_an_enum_that_nobody_knows_are_named(self, token, number):
        request = users_pb2.CreateOrganizationRequest(**{**FOUND, "type": number})

        answer = refusal(OrganizationService().CreateOrganization, request, token=token)

        assert answer == ("INVALID_ARGUMENT", "invalid_input", ["type"])

    @pytest.mark.parametrize("days", [-(2**31), 0, 2**31 - 1])
    def test_of_an_integer_are_bounded(self, token, days):
        request = users_pb2.CreateApiTokenRequest(name="x", scopes=["profile:read"], expires_in_days=days)

        assert refusal(UserService().CreateApiToken, request, token=token)[2] == ["expires_in_days"]


class TestReading:
    @pytest.mark.parametrize(
        ("message", "raw", "fields"),
        [
            (users_pb2.LoginRequest, b"\x0a\x02\xff\xfe", ["email_or_username"]),
            (users_pb2.CreateApiTokenRequest, b"\x0a\x01a\x12\x01\xff", ["scopes"]),
            (NEW_VERSION, b"\x0a\x01\xff\x12\x01\xff", ["benchmark_id", "version"]),
            (users_pb2.LoginRequest, b"\x0a", [""]),
            (users_pb2.LoginRequest, b"\xff\xff\xff\xff", [""]),
        ],
    )  # fmt: skip
    def test_names_the_strings_that_are_none(self, message, raw, fields):
        with pytest.raises(InvalidInput) as refused:
            read(message, raw)
        assert [error.field for error in refused.value.errors] == fields

    def test_names_a_string_inside_a_message(self):
        inner = b"\x0a\x01\xff"  # TestCase.key
        number = NEW_VERSION.DESCRIPTOR.fields_by_name["test_cases"].number
        raw = bytes([number << 3 & 0x7F | 0x82, number >> 4]) if number > 15 else bytes([number << 3 | 2])

        with pytest.raises(InvalidInput) as refused:
            read(NEW_VERSION, raw + bytes([len(inner)]) + inner)
        assert [error.field for error in refused.value.errors] == ["test_cases.key"]

    @pytest.mark.parametrize("path", sorted(message_classes()))
    def test_refuses_noise_in_every_call(self, path):
        asked, answered = message_classes()[path]
        service, method = path.rpartition(".")[2].split("/")
        served = getattr(next(cls for _m, _s, name, cls in SERVICES if name == service)(), method)

        with pytest.raises(RpcFailed) as failed:
            around(served, request_class=asked, answer_class=answered)(b"\xff\x01\xfe", Context([]))
        assert (failed.value.grpc, failed.value.code) == ("INVALID_ARGUMENT", "invalid_input")

    def test_of_a_message_in_a_message_without_end_does_no_harm(self):
        """Whoever sends it need not have logged in."""
        raw = b"\xff"
        for _ in range(3000):
            raw = delimited(6, delimited(1, raw))  # a Value's list, and a value of that
        raw = delimited(1, delimited(1, b"k") + delimited(2, raw))  # a Struct's entry
        place = NEW_VERSION.DESCRIPTOR.fields_by_name["test_cases"].number

        with pytest.raises(InvalidInput):
            read(NEW_VERSION, delimited(place, delimited(5, raw)))

    def test_names_no_more_than_anybody_wants_to_read(self):
        with pytest.raises(InvalidInput) as refused:
            read(users_pb2.CreateApiTokenRequest, b"\x12\x01\xff" * 10_000)
        assert len(refused.value.errors) == 100

    def test_looks_for_no_names_in_what_is_very_large(self):
        with pytest.raises(InvalidInput) as refused:
            read(users_pb2.CreateApiTokenRequest, b"\x12\x01\xff" * 1_000_000)
        assert [error.code for error in refused.value.errors] == ["malformed_message"]


def delimited(number, content):
    """A field that says how long it is."""
    return bytes([number << 3 | 2]) + _VarintBytes(len(content)) + content


class TestKeys:
    def test_of_reads_keep_no_answer(self, token):
        request = users_pb2.GetProfileRequest()
        call(UserService().GetProfile, request, token=token, key="k", answer_class=users_pb2.User)

        assert not IdempotencyRecord.objects.exists()

    @pytest.mark.parametrize(
        "key", ["", "k" * 256, "k" * 100_000, "é", "a\nb"], ids=lambda key: ascii(key)[:12]
    )
    @pytest.mark.parametrize("known", [True, False])
    def test_of_an_unknown_form_are_refused(self, token, key, known):
        request = users_pb2.UpdateProfileRequest(bio="New")
        metadata = [("idempotency-key", key)] + ([("authorization", f"Bearer {token}")] if known else [])
        served = around(UserService().UpdateProfile, answer_class=users_pb2.User)

        with pytest.raises(RpcFailed) as failed:
            served(request, Context(metadata))
        assert failed.value.fields == ["Idempotency-Key"]


class TestFailures:
    def test_that_nobody_foresaw_are_internal_and_logged_with_the_request_id(self, caplog):
        def broken(request, context):
            raise KeyError("secret detail")

        with pytest.raises(RpcFailed) as failed, caplog.at_level(logging.INFO):
            call(broken, users_pb2.LoginRequest())

        from google.rpc.error_details_pb2 import RequestInfo

        from exchange.core import requests

        assert (failed.value.grpc, failed.value.code) == ("INTERNAL", "internal_error")
        assert "secret detail" not in str(failed.value)
        assert failed.value.detail(RequestInfo).request_id == requests.request_id()
        assert [record.levelname for record in caplog.records if "exchange" in record.name] == [
            "ERROR",
            "INFO",
        ]

    def test_that_were_foreseen_are_logged_by_method_and_code(self, caplog):
        with caplog.at_level(logging.INFO, logger="exchange.access"):
            refusal(UserService().GetProfile, users_pb2.GetProfileRequest())

        [line] = caplog.records
        assert line.getMessage() == "UserService.GetProfile UNAUTHENTICATED"
        assert line.fields["refusal"] == "unauthenticated"
