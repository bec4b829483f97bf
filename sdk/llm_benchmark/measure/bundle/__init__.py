"""A run's evidence as one file that anyone can check: what was asked, what came back, what follows."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from llm_benchmark.measure.canonical import canonical_json, digest
from llm_benchmark.measure.verdict import Session

from . import formats
from .archive import (
    MANIFEST,
    Entry,
    Malformed,
    content_digest,
    manifest_at_head,
    read_archive,
    read_member,
    section_of,
    write_archive,
)
from .checking import SCHEMA, BundleProblem, Report, check
from .members import KeptAnswers, Member, Part, TooLarge, keep_answers, performance_members, quality_members

__all__ = [
    "SCHEMA",
    "BundleManifest",
    "BundleProblem",
    "KeptAnswers",
    "Malformed",
    "Member",
    "Part",
    "Report",
    "TooLarge",
    "check",
    "keep_answers",
    "manifest_at_head",
    "performance_members",
    "public_part",
    "quality_members",
    "sessions_in",
    "write_bundle",
]


@dataclass(frozen=True, slots=True)
class BundleManifest:
    """What a bundle says of itself, its members apart.

    Args:
        kind: `quality` or `performance`.
        configuration: what the submitter chose (no URL, no credential); its digest is the fingerprint.
        snapshot: everything else that was in force (seed, host, calibration, policy, times): JSON.
        code: name and version of the measuring code.
        tools: versions, e.g. `{"aiperf": "0.13.0"}`.
    """

    kind: str
    configuration: Mapping[str, Any]
    snapshot: Mapping[str, Any]
    code: Mapping[str, str]
    tools: Mapping[str, str]

    @property
    def fingerprint(self) -> str:
        return digest(self.configuration)


def write_bundle(path: Path, manifest: BundleManifest, members: Mapping[str, Member]) -> str:
    """Write the whole bundle and give its SHA-256. The same arguments give the same bytes anywhere.

    Raises:
        ValueError: a member's name is unsafe, or it is too large.
    """
    everything = {**members, "snapshot.json": Member(canonical_json(manifest.snapshot))}
    listing = {name: _listing(member) for name, member in everything.items()}
    described = {
        "schema": SCHEMA,
        "kind": manifest.kind,
        "configuration": manifest.configuration,
        "fingerprint": manifest.fingerprint,
        "snapshot": manifest.snapshot,
        "code": manifest.code,
        "tools": manifest.tools,
        "members": listing,
    }
    contents = {name: member.content for name, member in everything.items()}
    return write_archive(path, contents | {MANIFEST: canonical_json(described)})


def _listing(member: Member) -> dict[str, Any]:
    sha256, size = content_digest(member.content)
    return {"part": member.part, "sha256": sha256, "size": size}


def sessions_in(path: Path) -> list[Session]:
    """The counted requests of a performance bundle in which `check` found nothing wrong."""
    records = formats.parse(read_member(path, read_archive(path)["records.json"]))
    return [formats.read_session(fields) for fields in records["sessions"]]


def public_part(path: Path, out: Path) -> str:
    """Write the bundle without its restricted members and give that file's SHA-256.

    The manifest stays whole, so the digests of what is left out are public.

    Raises:
        Malformed: `path` is not a bundle.
    """
    entries = read_archive(path)
    listed = _listed(path, entries)
    public = [name for name in entries if name == MANIFEST or listed.get(name) == Part.PUBLIC]
    return write_archive(out, {name: section_of(path, entries[name]) for name in public})


def _listed(path: Path, entries: Mapping[str, Entry]) -> dict[str, str]:
    try:
        manifest = formats.parse(read_member(path, entries[MANIFEST]))
        return {name: listing["part"] for name, listing in manifest["members"].items()}
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise Malformed(MANIFEST, "malformed", "The manifest cannot be read.") from error
