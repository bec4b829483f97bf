"""Static files where they are served collected, under names that carry their hash."""

from pathlib import Path

STATIC_ROOT = Path(__file__).resolve().parents[2] / "staticfiles"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
