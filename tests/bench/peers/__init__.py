"""The question runner beside lm-eval, Inspect AI and promptfoo: `make bench-peers`.

All ask the same questions of the same instant simulated provider, in turn, at concurrency 32 and with a right
answer to each. A run is a whole cold process that scores and keeps every answer: ours in PostgreSQL with
fsync, theirs in files. Each peer has what its own documents offer for speed: bytecode, prepared data and no
display; response caches are off.
"""
