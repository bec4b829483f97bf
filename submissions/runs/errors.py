from exchange.core.errors import NotFound


class RunNotFound(NotFound):
    """There is no such run, or you may not know of it."""

    code = "run_not_found"


class BundleNotFound(NotFound):
    """This run has no bundle: only runs that succeeded have one."""

    code = "bundle_not_found"
