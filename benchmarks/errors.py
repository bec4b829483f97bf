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
