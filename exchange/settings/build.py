"""What `collectstatic` needs while an image is built: no server, no secret. Nothing is served with these."""

from .base import *  # noqa: F403  settings are names of a module
from .static import *  # noqa: F403

SECRET_KEY = "only-for-building"  # noqa: S105  signs nothing
