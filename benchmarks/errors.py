from exchange.core.errors import Conflict, NotFound, PermissionDenied


class BenchmarkNotFound(NotFound):
    """There is no such benchmark, or you may not know of it."""

    code = "benchmark_not_found"


class VersionNotFound(NotFound):
    """There is no such version of this benchmark, or you may not know of it."""

    code = "benchmark_version_not_found"


class CasesArePrivate(PermissionDenied):
    """The test cases of this version are not public. Members of its organization see them."""

    code = "cases_are_private"


class SlugTaken(Conflict):
    """Another benchmark has this short name. Choose another one."""

    code = "benchmark_slug_taken"


class VersionIsPublished(Conflict):
    """A published version never changes. Create a new version instead."""

    code = "version_is_published"


class VersionMustGrow(Conflict):
    """A new version needs a number above all earlier ones."""

    code = "version_must_grow"


class NoPublishedVersion(Conflict):
    """This benchmark has no published version yet."""

    code = "no_published_version"


class StatusChanged(Conflict):
    """It is no longer in the state that you expected. Reload it, then decide again."""

    code = "status_changed"


class NeedsAProposal(Conflict):
    """The community decided this by a vote, so only a vote changes it. Open a proposal."""

    code = "needs_a_proposal"


class PrivateIsNotReviewed(Conflict):
    """Reviewers cannot see a private benchmark. Make it public or unlisted, then submit it again."""

    code = "private_is_not_reviewed"


class IsUnderReview(Conflict):
    """Reviewers are looking at the published version, so it stays as it is. Wait for their decision."""

    code = "benchmark_is_under_review"


class BenchmarkIsArchived(Conflict):
    """An archived benchmark can be read, and nothing else. Make a new benchmark instead."""

    code = "benchmark_is_archived"


class NotAReviewer(PermissionDenied):
    """Only reviewers of this site do this. Ask an operator for the role."""

    code = "not_a_reviewer"


class ReviewerIsAuthor(PermissionDenied):
    """Nobody reviews their own or their organization's benchmark. Another reviewer decides."""

    code = "reviewer_is_author"


class OnlyByTheSystem(PermissionDenied):
    """Only a proposal that passed, or an operator, does this. Submit the benchmark for review instead."""

    code = "only_by_the_system"
