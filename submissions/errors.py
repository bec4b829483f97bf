from exchange.core.errors import Conflict, NotFound

NOT_THE_FULL_SET = "not_the_full_set"
"""Of fields: what rests on a part of the cases bears out no claim about all of them."""


class SubmissionNotFound(NotFound):
    """There is no such submission, or you may not know of it."""

    code = "submission_not_found"


class EvidenceNotFound(NotFound):
    """There is no such evidence file, or you may not know of it."""

    code = "evidence_not_found"


class EvidenceUploadNotFound(NotFound):
    """There is no such upload: it was completed, refused, or begun over an hour ago. Begin another one."""

    code = "evidence_upload_not_found"


class VerificationNotFound(NotFound):
    """There is no such verification, or you may not know of it."""

    code = "verification_not_found"


class BenchmarkNotActive(Conflict):
    """This benchmark is not active, so it takes no submissions."""

    code = "benchmark_not_active"


class VersionNotPublished(Conflict):
    """This version takes no submissions: it is a draft, superseded or voided. Name a published one."""

    code = "version_not_published"


class SubmissionClosed(Conflict):
    """This submission was withdrawn or revoked. It stays as it is."""

    code = "submission_closed"


class TooManyFiles(Conflict):
    """This submission has as many evidence files as it may have."""

    code = "too_many_files"


class EvidenceNameTaken(Conflict):
    """This submission has an evidence file of that name. Files are never replaced; choose another name."""

    code = "evidence_name_taken"


class DirectUploadNotOffered(Conflict):
    """Evidence cannot be sent straight to the store here. Send the file itself: POST …/evidence."""

    code = "direct_upload_not_offered"


class TooManyUploads(Conflict):
    """This submission has many uploads under way. Complete them, wait an hour, or send the file itself."""

    code = "too_many_uploads"


class NotVerifiable(Conflict):
    """What an outside harness measured is checked by its evidence; the platform cannot measure it again."""

    code = "not_verifiable"


class DeploymentRequired(Conflict):
    """This claim names no deployment, so there is nothing to measure. Submit it again with one."""

    code = "deployment_required"


class DeploymentNotListed(Conflict):
    """The endpoint does not list this deployment any more. Discover its models again before measuring."""

    code = "deployment_not_listed"


class ConfigurationDiffers(Conflict):
    """The platform would measure another configuration than the one that was claimed."""

    code = "configuration_differs"


class BoundNotAccepted(Conflict):
    """A verification costs requests and tokens at your endpoint. Accept the bound to have it measured."""

    code = "bound_not_accepted"


class VerificationOpen(Conflict):
    """This submission is being verified already. Wait for the end, or cancel it."""

    code = "verification_open"


class VerificationClosed(Conflict):
    """This verification has ended; it can no longer be cancelled."""

    code = "verification_closed"


class RepeatNeedsReason(Conflict):
    """This claim has a verdict. It is measured again only for a reason."""

    code = "repeat_needs_reason"
