"""Files that pages receive."""

import hashlib

from django.core.files.uploadedfile import UploadedFile


def sha256_of(file: UploadedFile) -> str:
    """Of the whole file, which is left at its beginning."""
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    file.seek(0)
    return digest.hexdigest()
