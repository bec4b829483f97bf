"""What one worker of xdist does whole, and in which order it is begun."""

# Folders whose tests ask one running stack, and those of their files that do not.
WORLDS = ("tests/docs", "tests/e2e", "tests/sdk/mcp")
OWN_WORLD = (
    "test_attack_inputs.py",
    "test_attacks.py",
    "test_cli_journey.py",
    "test_demo.py",
    "test_foreign_ids.py",
    "test_governance_journey.py",
    "test_hostile_text.py",
    "test_secret_ballot.py",
    "test_worker_killed.py",
)
# What takes longest, the longest first, as `--durations=0` tells.
LONGEST = (
    "tests/e2e",
    "tests/docs",
    "tests/e2e/test_cli_journey.py",
    "tests/operate/test_backup.py",
    "tests/sdk/mcp",
    "tests/served/test_stopping_workers.py",
    "tests/e2e/test_hostile_text.py",
    "tests/embedded/test_servers.py",
    "tests/e2e/test_governance_journey.py",
    "tests/contract/test_queries.py",
    "tests/e2e/test_foreign_ids.py",
    "tests/e2e/test_worker_killed.py",
    "tests/core/test_settings.py",
    "tests/e2e/test_secret_ballot.py",
    "tests/database/test_migrate.py",
    "tests/database/test_postgres_15.py",
    "tests/measure/test_performance.py",
    "tests/test_model_server.py",
    "tests/e2e/test_attacks.py",
    "tests/upgrade/test_beside_the_site.py",
    "tests/served/test_stopping.py",
    "tests/runs/test_nothing_is_lost.py",
    "tests/upgrade/test_first_version.py",
    "tests/sdk/home/test_load.py",
    "tests/embedded/test_supervisor.py",
    "tests/served/test_clients.py",
)


def scope_of(nodeid):
    """A file, or a world with all files that ask it: what was started for them is started once."""
    file = nodeid.partition("::")[0]
    shared = (world for world in WORLDS if file.startswith(f"{world}/") and not file.endswith(OWN_WORLD))
    return next(shared, file)


def place_of(nodeid):
    """Begun first, what takes longest leaves no core without work at the end."""
    scope = scope_of(nodeid)
    return LONGEST.index(scope) if scope in LONGEST else len(LONGEST)
