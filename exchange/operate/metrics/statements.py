"""The SQL of the figures. Each statement is bounded by an index, a window or a limit.

`now()` stands still in a transaction, so that an index can be searched for it.
"""

QUEUED = """
SELECT kind, count(*), count(*) FILTER (WHERE not_before <= now()),
       extract(epoch FROM now() - min(not_before) FILTER (WHERE not_before <= now())),
       count(*) FILTER (WHERE failed_attempts > 0)
FROM runs_run WHERE status = 'queued' GROUP BY kind"""

RUNNING = """
SELECT kind, count(*), count(*) FILTER (WHERE cancel_requested_at IS NOT NULL),
       count(*) FILTER (WHERE lease_until < now())
FROM runs_run WHERE status = 'running' GROUP BY kind"""

OLDEST_LEASE = "SELECT extract(epoch FROM now() - min(lease_until)) FROM runs_run WHERE status = 'running'"

DEAD = "SELECT kind, count(*) FROM runs_run WHERE status = 'dead' AND finished_at IS NOT NULL GROUP BY kind"

LATENCIES = """
SELECT count(*),
       percentile_cont(%(of)s::float8[]) WITHIN GROUP (ORDER BY extract(epoch FROM started_at - created_at)),
       percentile_cont(%(of)s::float8[]) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - started_at)),
       percentile_cont(%(of)s::float8[]) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - created_at))
FROM (SELECT created_at, started_at, finished_at FROM runs_run
      WHERE status = 'succeeded' AND finished_at > now() - interval '1 hour'
      ORDER BY finished_at DESC LIMIT %(most)s) AS latest"""

ATTEMPTS = """
SELECT attempt.status, count(*) FROM runs_run AS run JOIN runs_attempt AS attempt ON attempt.run_id = run.id
WHERE run.status = 'running' AND attempt.status IN ('reserved', 'sent') GROUP BY attempt.status"""

OUTBOX = """
SELECT count(*), extract(epoch FROM now() - min(created_at))
FROM (SELECT created_at FROM core_outboxmessage
      WHERE delivered_at IS NULL ORDER BY id LIMIT %(most)s) AS oldest"""

LETTERS = """
SELECT count(*) FILTER (WHERE attempts < %(tries)s), count(*) FILTER (WHERE attempts >= %(tries)s),
       extract(epoch FROM now() - min(not_before) FILTER (WHERE attempts < %(tries)s))
FROM (SELECT attempts, not_before FROM accounts_letter
      WHERE sent_at IS NULL ORDER BY not_before LIMIT %(most)s) AS oldest"""

PROPOSALS = """
SELECT count(*), extract(epoch FROM now() - min(since)) FROM (
  SELECT voting_closes_at AS since FROM governance_proposal WHERE status = 'voting'
  UNION ALL SELECT execute_after FROM governance_proposal WHERE status = 'queued'
  UNION ALL SELECT expires_at FROM governance_proposal WHERE status = 'failed'
) AS steps WHERE since <= now()"""

EVENTS = """
SELECT kind, count(*)
FROM (SELECT kind, occurred_at FROM core_auditentry ORDER BY sequence DESC LIMIT %(most)s) AS latest
WHERE occurred_at > now() - interval '15 minutes' GROUP BY kind"""

WORKERS = """
SELECT kind, count(*) FILTER (WHERE last_progress_at >= now() - make_interval(secs => %(stalled)s)), count(*)
FROM core_workerprocess GROUP BY kind"""

ACTIVITIES = """
SELECT activity, extract(epoch FROM now() - min(last_progress_at))
FROM core_workerprocess GROUP BY activity"""

SNAPSHOT = "SELECT extract(epoch FROM now()), extract(epoch FROM clock_timestamp() - now())"
