from django.utils.translation import gettext as _

from exchange.core.errors import DomainError, FieldError, InvalidInput, NotFound, TooLarge, Unavailable


class EvidenceTooLarge(TooLarge):
    """This file is larger than what is accepted here."""

    code = "evidence_too_large"


class DigestMismatch(InvalidInput):
    """The bytes that arrived do not have the SHA-256 that was announced. Nothing was stored."""

    code = "digest_mismatch"

    @classmethod
    def between(cls, announced: str, found: str) -> "DigestMismatch":
        message = _("The bytes that arrived have the SHA-256 %(found)s, not %(announced)s.")
        shown = {"found": found, "announced": announced}
        return cls(message % shown, errors=[FieldError("sha256", cls.code, message % shown)])


class EvidenceMissing(NotFound):
    """No bytes are stored under this digest."""

    code = "evidence_missing"


class EvidenceDamaged(DomainError):
    """The stored bytes no longer have their digest. The fault is ours; they are not handed out."""

    code = "evidence_damaged"


class EvidenceUnavailable(Unavailable):
    """Evidence files cannot be kept or read at the moment; nothing was changed. Try again later."""

    code = "evidence_unavailable"
