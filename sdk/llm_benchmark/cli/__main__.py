"""`python -m llm_benchmark.cli`."""

import sys

from . import main

sys.exit(main())
