#!/usr/bin/env python3
"""Django's command line."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "exchange.settings.dev")
    from django.core.management import execute_from_command_line

    from exchange.plainly import refused_plainly

    with refused_plainly():
        execute_from_command_line(sys.argv)
