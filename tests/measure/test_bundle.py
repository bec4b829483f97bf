import io
import json
import struct
import weakref
import zipfile
from dataclasses import replace

import pytest

from llm_benchmark.measure.bundle import (
    BundleManifest,
    KeptAnswers,
    Malformed,
    Member,
    Part,
    TooLarge,
    check,
    formats,
    keep_answers,
    performance_members,
    public_part,
    quality_members,
    write_bundle,
)
from llm_benchmark.measure.bundle import members as bundle_members
from llm_benchmark.measure.bundle.archive import write_archive
from llm_benchmark.measure.canonical import canonical_json, digest
from llm_benchmark.measure.metrics import MetricKind, score_answers
from llm_benchmark.measure.plans import Answer, PerformancePlan, QualityPlan, Question, RequestRecord, Usage
from llm_benchmark.measure.verdict import Claim, QualityPolicy, Session, performance_policy

MANIFEST = BundleManifest(
    kind="quality",
    configuration={"temperature": 0.0},
    snapshot={"order_seed": 5, "host": "x86_64"},
    code={"name": "llm-benchmark", "version": "0.1.0"},
    tools={"python": "3.11"},
)
QUESTIONS = tuple(Question(f"q{i}", f"What is {i} + {i}?", str(2 * i), "numeric_v1") for i in range(15))


def answers(right):
    texts = [str(2 * i) if i < right else "no idea" for i in range(14)]
    return [
        Answer(f"q{i}", text, json.dumps({"content": text}).encode(), 12.5, 200, "stop", "m", Usage(9, 2))
        for i, text in enumerate(texts)
    ]


def quality(right=7, claimed=13, **changes):
    cases = {q.key: float(i < claimed) for i, q in enumerate(QUESTIONS)}
    given = {
        "plan": QualityPlan(QUESTIONS, order_seed=5),
        "answers": answers(right),
        "claim": Claim({"accuracy": claimed / 15}, cases),
        "policy": QualityPolicy(),
        "journal": b'{"attempt":1}\n',
    }
    given |= changes
    return quality_members(**given | {"answers": kept(given["plan"].questions, given["answers"])})


def kept(questions, found):
    return KeptAnswers(formats.lines(map(formats.answer, found)), score_answers(questions, found))


def records(count=10):
    return [
        RequestRecord(i * 250_000_000, 40.0 + i, 200.0 + i, 5.0, 64, 32, Usage(60, 32)) for i in range(count)
    ]


def performance(**changes):
    given = {
        "plan": PerformancePlan(128, 128, 10, seed=7),
        "sessions": [Session(records(), {"cached_outside_warmup"})],
        "files": {"profile_export.jsonl": b'{"a":1}\n', "journal-1.jsonl": b"{}\n"},
        "claim": Claim({"ttft_p50": 13.3, "request_latency_p50": 204.5}),
        "policy": performance_policy(["ttft_p50", "request_latency_p50"]),
    }
    return performance_members(**(given | changes))


@pytest.fixture
def bundle(tmp_path):
    """Writes members as a bundle and gives its path."""

    def write(members, manifest=MANIFEST, name="run.zip"):
        path = tmp_path / name
        write_bundle(path, manifest, members)
        return path

    return write


def codes(report):
    return {(problem.member, problem.code) for problem in report.problems}


def changed(members, name, change):
    value = json.loads(members[name].content)
    change(value)
    return members | {name: replace(members[name], content=canonical_json(value))}


PERFORMANCE = replace(MANIFEST, kind="performance", tools={"aiperf": "0.13.0"})


class TestWriteBundle:
    def test_gives_the_same_bytes_in_any_order(self, bundle):
        members = quality()
        one = bundle(members)
        other = bundle(dict(reversed(members.items())), name="again.zip")
        assert one.read_bytes() == other.read_bytes()

    def test_keeps_to_the_bytes_it_always_wrote(self, bundle):
        path = bundle({"plan.json": Member(b"{}")}, replace(MANIFEST, snapshot={}, tools={}))
        assert check(path).sha256 == "2ec4c4f606b8cba4b3401fc9f2e75d29edd62bde8b7b67e9d6fab8512fb4f31b"

    @pytest.mark.parametrize(
        ("is_public", "whole", "public"),
        [
            (
                False,
                "bdcb21df13f3d998f35cd94a1f41a5087ce107d2d75b1db1b8254723f9c3b357",
                "3a5463d25e3ff8fa6504f27fae3038379b49950ad869f7b11705dc79abb949bc",
            ),
            (
                True,
                "1db994d8385e3c64d2d46462245d2646eba0bc4e11a2af6df24972e8660caac4",
                "c6c6bc4bb5c234df93a06a26e6968573cbf224250e7a345617d8ed71abe1973a",
            ),
        ],
    )
    def test_keeps_to_the_bytes_of_a_whole_run(self, bundle, tmp_path, is_public, whole, public):
        path = bundle(quality(are_cases_public=is_public))
        assert check(path).sha256 == whole
        assert public_part(path, tmp_path / "public.zip") == public

    def test_writes_what_any_unzip_reads(self, bundle):
        members = quality()
        with zipfile.ZipFile(bundle(members)) as archive:
            assert archive.testzip() is None
            assert archive.namelist()[0] == "manifest.json"
            assert archive.read("scores.json") == members["scores.json"].content

    def test_takes_files_from_disk(self, bundle, tmp_path):
        export = tmp_path / "profile_export.jsonl"
        export.write_bytes(b"x" * 3_000_000)
        path = bundle(performance(files={export.name: export}), PERFORMANCE)
        assert check(path).ok

    @pytest.mark.parametrize(
        "name", ["../x", "/etc/passwd", "a/../b", "C:\\x", "a\0b", "ä.json", "", ".x", "a//b", "A.json"]
    )
    def test_refuses_names_that_lead_astray(self, bundle, name):
        with pytest.raises(ValueError, match="unsafe"):
            bundle({name: Member(b""), "a.json": Member(b"")})

    def test_leaves_nothing_behind_when_it_fails(self, bundle, tmp_path):
        with pytest.raises(OSError, match="absent"):
            bundle({"a": Member(tmp_path / "absent")})
        assert list(tmp_path.iterdir()) == []

    def test_refuses_an_export_that_is_not_what_was_parsed(self):
        with pytest.raises(ValueError, match="changed"):
            performance(digests={"profile_export.jsonl": "0" * 64})


class TestKeepAnswers:
    def test_writes_and_scores_them_as_if_all_were_at_hand(self, tmp_path):
        found = keep_answers(tmp_path / "answers.jsonl", QUESTIONS, iter(answers(7)))
        expected = kept(QUESTIONS, answers(7))
        assert (found.content.read_bytes(), found.cases) == (expected.content, expected.cases)

    def test_holds_one_at_a_time(self, tmp_path):
        alive = []

        class Words(str):
            """A text that can be watched."""

        def coming():
            for number in range(9):
                text = Words("x")
                alive.append(weakref.ref(text))
                assert sum(ref() is not None for ref in alive) <= 2
                yield Answer(f"q{number}", text, b"x", 1.0, 200)
                del text

        keep_answers(tmp_path / "answers.jsonl", QUESTIONS, coming())

    def test_refuses_more_than_a_bundle_can_have(self, tmp_path, monkeypatch):
        monkeypatch.setattr(bundle_members, "LARGEST_MEMBER", 1000)
        with pytest.raises(TooLarge):
            keep_answers(tmp_path / "answers.jsonl", QUESTIONS, answers(7))


def small_quality():
    plan = QualityPlan(QUESTIONS[:2])
    claim = Claim({"accuracy": 0.5}, {"q0": 1.0, "q1": 0.0})
    return quality(plan=plan, answers=answers(1)[:2], claim=claim)


def flip(file, index, byte):
    file.seek(index)
    file.write(bytes([byte]))


class TestCheck:
    def test_passes_an_honest_quality_bundle_and_gives_its_verdict(self, bundle):
        report = check(bundle(quality(7, 7)))
        assert (report.ok, report.problems, report.is_public_part) == (True, (), False)
        assert report.verdict["verdict"] == "consistent"
        assert report.scores["metrics"]["accuracy"]["value"] == pytest.approx(7 / 15)
        assert report.manifest["fingerprint"] == digest(MANIFEST.configuration)

    def test_passes_a_performance_bundle_and_gives_its_verdict(self, bundle):
        report = check(bundle(performance(), PERFORMANCE))
        assert (report.ok, report.problems) == (True, ())
        assert report.verdict["verdict"] == "refuted"

    def test_passes_several_sessions(self, bundle):
        sessions = [Session(records(count)) for count in (10, 11, 12)]
        assert check(bundle(performance(sessions=sessions), PERFORMANCE)).ok

    def test_keeps_an_answer_that_utf_8_cannot_hold(self, bundle):
        broken = [replace(answer, text=f"\ud800 {answer.text}") for answer in answers(7)]
        assert check(bundle(quality(answers=broken))).ok

    def test_computes_the_interval_of_the_declared_kind_again(self, bundle):
        kinds = {"accuracy": MetricKind.MEAN}
        report = check(bundle(quality(kinds=kinds)))
        assert (report.ok, report.problems) == (True, ())
        assert report.scores["metrics"]["accuracy"]["kind"] == "mean"

    def test_needs_no_claim_at_home(self, bundle):
        report = check(bundle(quality(claim=None)))
        assert (report.ok, report.verdict) == (True, None)

    def test_sees_another_file_than_the_published_one(self, bundle):
        assert codes(check(bundle(quality()), sha256="0" * 64)) == {("", "digest")}

    def test_finds_each_flipped_byte(self, bundle):
        path = bundle(small_quality())
        assert check(path).ok
        whole, undetected = path.read_bytes(), []
        with path.open("r+b", buffering=0) as file:
            for index, byte in enumerate(whole):
                flip(file, index, byte ^ 1)
                if check(path).ok:
                    undetected.append(index)
                flip(file, index, byte)
        assert (undetected, path.read_bytes()) == ([], whole)

    def test_finds_each_cut(self, bundle):
        path = bundle(quality())
        whole = path.read_bytes()
        for part in range(64):
            path.write_bytes(whole[: len(whole) * part // 64])
            assert not check(path).ok

    @pytest.mark.parametrize("around", [(b"x", b""), (b"", b"x"), (b"PK\3\4", b""), (b"", b"\0" * 22)])
    def test_finds_bytes_before_and_behind(self, bundle, around):
        path = bundle(quality())
        path.write_bytes(around[0] + path.read_bytes() + around[1])
        assert not check(path).ok

    def test_finds_a_second_archive(self, bundle):
        path = bundle(quality())
        path.write_bytes(path.read_bytes() * 2)
        assert not check(path).ok

    def test_says_when_there_is_no_file(self, tmp_path):
        assert codes(check(tmp_path / "absent.zip")) == {("", "unreadable")}

    @pytest.mark.parametrize(
        ("member", "change"),
        [
            ("scores.json", lambda v: v["cases"][9].update(score=1.0)),
            ("scores.json", lambda v: v["metrics"]["accuracy"].update(value=0.9)),
            ("scores.json", lambda v: v["cases"][0].update(answer_sha256="0" * 64)),
            ("verdict.json", lambda v: v.update(verdict="confirmed")),
            ("verdict.json", lambda v: v["judgements"][0].update(difference=0.0)),
            ("verdict.json", lambda v: v["judgements"][0]["reasons"].pop()),
            ("plan.json", lambda v: v["questions"][0].update(weight=2.0)),
        ],
    )
    def test_finds_a_lie_written_with_fresh_digests(self, bundle, member, change):
        report = check(bundle(changed(quality(), member, change)))
        assert (member, "differs") in codes(report)

    def test_finds_another_claim_than_the_one_judged(self, bundle):
        members = changed(quality(), "claim.json", lambda v: v["metrics"].update(accuracy=0.2))
        assert ("verdict.json", "differs") in codes(check(bundle(members)))

    def test_finds_an_answer_changed_together_with_nothing_else(self, bundle):
        members = quality() | {"answers.jsonl": quality(8)["answers.jsonl"]}
        assert ("scores.json", "differs") in codes(check(bundle(members)))

    def test_finds_a_faster_record(self, bundle):
        members = changed(
            performance(), "records.json", lambda v: v["sessions"][0]["records"][4].update(ttft_ms=1.0)
        )
        assert ("scores.json", "differs") in codes(check(bundle(members, PERFORMANCE)))

    def test_finds_left_out_and_doubled_answers(self, bundle):
        members = quality()
        lines = members["answers.jsonl"].content.splitlines(keepends=True)
        fewer = members | {"answers.jsonl": Member(b"".join(lines[1:]), Part.RESTRICTED)}
        double = members | {"answers.jsonl": Member(b"".join([*lines, lines[0]]), Part.RESTRICTED)}
        assert ("scores.json", "differs") in codes(check(bundle(fewer)))
        assert ("answers.jsonl", "duplicate") in codes(check(bundle(double)))

    def test_allows_a_billionth(self, bundle):
        def nudge(value):
            value["metrics"]["accuracy"]["value"] += 1e-12

        assert check(bundle(changed(quality(), "scores.json", nudge))).ok

    def test_finds_a_fingerprint_of_another_configuration(self, bundle):
        path = bundle(quality())
        with zipfile.ZipFile(path) as archive:
            contents = {name: archive.read(name) for name in archive.namelist()}
        manifest = json.loads(contents["manifest.json"]) | {"configuration": {"temperature": 1.0}}
        write_archive(path, contents | {"manifest.json": canonical_json(manifest)})
        assert codes(check(path)) == {("manifest.json", "fingerprint")}

    @pytest.mark.parametrize("before", [b'"metrics":{"accuracy":0.1},', b" "])
    def test_refuses_a_second_reading_of_the_same_json(self, bundle, before):
        members = quality()
        content = members["claim.json"].content
        doubled = members | {"claim.json": Member(content[:1] + before + content[1:])}
        assert codes(check(bundle(doubled))) == {("", "malformed")}

    @pytest.mark.parametrize("name", ["plan.json", "scores.json", "answers.jsonl", "verdict.json"])
    def test_misses_each_member(self, bundle, name):
        members = quality()
        del members[name]
        assert not check(bundle(members)).ok

    @pytest.mark.parametrize(
        "content",
        [b"{", b"[]", b"null", b'{"cases":[],"cases":[]}', b'{"cases":NaN}', b"[" * 100_000, b"\xff"],
    )
    @pytest.mark.parametrize(
        "name", ["scores.json", "plan.json", "claim.json", "policy.json", "answers.jsonl"]
    )
    def test_reports_nonsense_instead_of_failing(self, bundle, name, content):
        assert not check(bundle(quality() | {name: Member(content, Part.RESTRICTED)})).ok


def rezipped(path, change=lambda info: None, compression=zipfile.ZIP_STORED):
    """The same members, written by another zip writer."""
    out = io.BytesIO()
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(out, "w", compression) as again:
        for info in archive.infolist():
            fresh = zipfile.ZipInfo(info.filename, info.date_time)
            fresh.external_attr, fresh.compress_type = info.external_attr, compression
            change(fresh)
            again.writestr(fresh, archive.read(info))
    return out.getvalue()


class TestHostileArchives:
    @pytest.mark.parametrize(
        ("compression", "code"),
        [
            (zipfile.ZIP_DEFLATED, "compressed"),
            (zipfile.ZIP_BZIP2, "compressed"),
            (zipfile.ZIP_LZMA, "compressed"),
        ],
    )
    def test_inflates_nothing(self, bundle, compression, code):
        path = bundle(quality())
        path.write_bytes(rezipped(path, compression=compression))
        assert {found for _, found in codes(check(path))} == {code}

    def test_refuses_a_symbolic_link(self, bundle):
        path = bundle(quality())
        path.write_bytes(rezipped(path, lambda info: setattr(info, "external_attr", 0o120777 << 16)))
        assert {found for _, found in codes(check(path))} == {"not_a_file"}

    def test_refuses_other_times(self, bundle):
        path = bundle(quality())
        path.write_bytes(rezipped(path, lambda info: setattr(info, "date_time", (2024, 1, 1, 0, 0, 0))))
        assert not check(path).ok

    @pytest.mark.filterwarnings("ignore:Duplicate name")
    @pytest.mark.parametrize("name", ["../../x", "/etc/passwd", "..\\x", "a/../b"])
    def test_refuses_a_name_that_leads_out(self, bundle, name):
        path = bundle(quality())
        path.write_bytes(rezipped(path, lambda info: setattr(info, "filename", name)))
        assert {found for _, found in codes(check(path))} == {"name"}

    @pytest.mark.filterwarnings("ignore:Duplicate name")
    def test_refuses_a_name_twice(self, bundle):
        path = bundle(quality())
        path.write_bytes(rezipped(path, lambda info: setattr(info, "filename", "plan.json")))
        assert {found for _, found in codes(check(path))} == {"duplicate"}

    def test_refuses_an_encrypted_member(self, bundle):
        path = bundle(quality())
        raw = bytearray(path.read_bytes())
        start = raw.index(b"PK\1\2")
        struct.pack_into("<H", raw, start + 8, 1)
        path.write_bytes(raw)
        assert {found for _, found in codes(check(path))} == {"encrypted"}

    def test_refuses_an_unlisted_member(self, bundle, tmp_path):
        path = bundle(quality())
        out = io.BytesIO(path.read_bytes())
        with zipfile.ZipFile(out, "a") as archive:
            archive.writestr("zz.json", b"{}")
        path.write_bytes(out.getvalue())
        assert not check(path).ok


class TestPublicPart:
    def test_leaves_out_the_restricted_members_and_keeps_their_digests(self, bundle, tmp_path):
        path, out = bundle(quality()), tmp_path / "public.zip"
        sha256 = public_part(path, out)
        report = check(out, sha256=sha256)
        assert (report.ok, report.is_public_part) == (True, True)
        assert report.manifest == check(path).manifest
        with zipfile.ZipFile(out) as archive:
            assert not {"cases.jsonl", "answers.jsonl", "journal.jsonl"} & set(archive.namelist())

    @pytest.mark.parametrize("secret", [b"What is 3 + 3?", b"no idea", b'{"attempt"', b'"reference"'])
    def test_tells_nothing_of_prompts_references_or_answers(self, bundle, tmp_path, secret):
        out = tmp_path / "public.zip"
        public_part(bundle(quality()), out)
        assert secret not in out.read_bytes()

    def test_keeps_everything_when_the_cases_are_public(self, bundle, tmp_path):
        out = tmp_path / "public.zip"
        public_part(bundle(quality(are_cases_public=True, journal=None)), out)
        assert check(out).ok
        assert not check(out).is_public_part

    def test_still_finds_a_changed_score(self, bundle, tmp_path):
        out = tmp_path / "public.zip"
        members = changed(quality(), "scores.json", lambda v: v["cases"][9].update(score=1.0))
        public_part(bundle(members), out)
        assert ("scores.json", "differs") in codes(check(out))

    def test_keeps_the_exports_and_drops_the_journal_of_a_performance_run(self, bundle, tmp_path):
        out = tmp_path / "public.zip"
        public_part(bundle(performance(), PERFORMANCE), out)
        with zipfile.ZipFile(out) as archive:
            assert "aiperf/profile_export.jsonl" in archive.namelist()
            assert "journal-1.jsonl" not in archive.namelist()
        assert check(out).ok

    EXPORTS = {
        "profile_export_aiperf.json": json.dumps(
            {
                "input_config": {
                    "endpoint": {"urls": ["http://127.0.0.1:4711"]},
                    "artifacts": {"dir": "/srv/runs/7/aiperf/artifacts"},
                },
                "run_info": {
                    "cli_command": "aiperf --url=http://127.0.0.1:4711 -o=/srv/runs/7/aiperf/artifacts"
                },
                "error_summary": [
                    {"error_details": {"code": 500, "message": "host db7 is down"}, "count": 1}
                ],
            }
        ).encode(),
        "profile_export.jsonl": b'{"metrics":{"x":1}}\n{"error":{"code":500,"message":"host db7 is down"}}\n',
        "profile_export_raw.jsonl": b'{"payload":"a prompt"}\n',
        "inputs.json": b'{"data":["a prompt"]}',
        "logs/aiperf.log": b"/srv/runs/7/aiperf",
        "gateway/journal.jsonl": b'{"event":"sent"}\n',
        "gateway/bodies.jsonl.gz": b"a raw answer",
    }

    @pytest.fixture
    def shown(self, bundle, tmp_path):
        def shown(**changes):
            out = tmp_path / "public.zip"
            public_part(bundle(performance(files=self.EXPORTS, **changes), PERFORMANCE), out)
            assert check(out).ok
            with zipfile.ZipFile(out) as archive:
                return {name: archive.read(name) for name in archive.namelist()}

        return shown

    def test_shows_of_the_load_what_holds_no_prompt_and_no_answer(self, shown):
        names = {name for name in shown() if "/" in name}
        assert names == {"aiperf/profile_export_aiperf.json", "aiperf/profile_export.jsonl"}

    @pytest.mark.parametrize("secret", [b"127.0.0.1", b"4711", b"/srv", b"db7", b"a prompt", b"a raw answer"])
    def test_shows_no_address_no_path_and_no_word_of_a_provider(self, shown, secret):
        assert not [name for name, content in shown().items() if secret in content]

    def test_shows_the_load_where_the_cases_are_public(self, shown):
        names = {name for name in shown(are_cases_public=True) if "/" in name}
        assert {"aiperf/profile_export_raw.jsonl", "aiperf/inputs.json", "gateway/bodies.jsonl.gz"} < names
        assert "gateway/journal.jsonl" not in names

    def test_keeps_the_exports_as_they_were_written(self):
        members = performance(files=self.EXPORTS)
        for name in ("profile_export_aiperf.json", "profile_export.jsonl"):
            original = members[f"aiperf/original/{name}"]
            assert (original.content, original.part) == (self.EXPORTS[name], Part.RESTRICTED)
        assert b'{"metrics":{"x":1}}\n' in members["aiperf/profile_export.jsonl"].content

    def test_refuses_what_is_no_bundle(self, tmp_path):
        path = tmp_path / "x.zip"
        path.write_bytes(b"nothing")
        with pytest.raises(Malformed):
            public_part(path, tmp_path / "y.zip")
