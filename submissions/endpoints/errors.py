from exchange.core.errors import Conflict, NotFound


class EndpointNotFound(NotFound):
    """There is no such endpoint, or you may not know of it."""

    code = "endpoint_not_found"


class DeploymentNotFound(NotFound):
    """There is no such deployment, or you may not know of it."""

    code = "deployment_not_found"


class DeploymentDisabled(Conflict):
    """The deployment is disabled. Enable it first."""

    code = "deployment_disabled"


class ModelNotFound(NotFound):
    """There is no such model."""

    code = "model_not_found"


class EndpointNameTaken(Conflict):
    """This organization has an endpoint of that name. Choose another one."""

    code = "endpoint_name_taken"


class EndpointInUse(Conflict):
    """Runs on this endpoint are open. Change its address, protocol or key when they have ended."""

    code = "endpoint_in_use"


class DiscoveryRunning(Conflict):
    """Your organization is discovering models at this moment. Wait for the end of it."""

    code = "discovery_running"


class DiscoveryFailed(Conflict):
    """The endpoint could not be asked what it serves."""

    code = "discovery_failed"


class CredentialUnavailable(Conflict):
    """The variable that stands for the key leads to none. Enter a key, or ask who operates the exchange."""

    code = "credential_unavailable"
