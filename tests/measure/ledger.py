"""A sink in memory that knows the rules of the attempt ledger and insists on them."""

from llm_benchmark.measure.sink import SettledAs


class MemorySink:
    def __init__(self, *, beats=None):
        self.states, self.reservations, self.settlements = {}, [], []
        self.beats, self.beat_limit = 0, beats

    def reserve(self, batch):
        first = len(self.reservations)
        self.reservations += batch
        ids = list(range(first, first + len(batch)))
        self.states |= dict.fromkeys(ids, "reserved")
        return ids

    def sent(self, attempt_ids):
        for attempt in attempt_ids:
            assert self.states[attempt] == "reserved"
            self.states[attempt] = "sent"

    def settled(self, batch):
        for settlement in batch:
            before = "reserved" if settlement.state is SettledAs.RELEASED else "sent"
            assert self.states[settlement.attempt_id] == before
            self.states[settlement.attempt_id] = settlement.state.value
        self.settlements += batch

    def heartbeat(self):
        self.beats += 1
        return self.beat_limit is None or self.beats < self.beat_limit

    def counts(self):
        """(purpose, state) → number."""
        pairs = [(r.purpose.value, self.states[n]) for n, r in enumerate(self.reservations)]
        return {pair: pairs.count(pair) for pair in pairs}
