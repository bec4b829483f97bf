"""The settings of one machine, with limits on tries that a fuzzer does not reach."""

from exchange.settings.dev import *  # noqa: F403  settings are names of a module

LOGIN_TRIES = MAILS_AN_HOUR = INVITATIONS_A_DAY = ACCOUNTS_AN_HOUR = 10_000_000
REQUESTS_A_MINUTE = ANONYMOUS_REQUESTS_A_MINUTE = 0
PROPOSALS_A_DAY = COMMENTS_AN_HOUR = 10_000_000
