"""Hard stops: how many requests and tokens a run may spend."""

from llm_benchmark.measure.plans import QualityPlan, Usage

# What a chat template may put around a prompt.
TEMPLATE_TOKENS = 64


class BoundReached(Exception):
    """The next request could exceed a bound. `code` is request_bound_reached or token_bound_reached."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Budget:
    """Admits a request only if it fits at its worst: prompt plus `max_tokens`, on top of all in flight.

    No byte-level tokenizer makes more tokens of a text than it has bytes.
    Where the provider tells no usage the worst case counts as spent.
    """

    def __init__(self, plan: QualityPlan) -> None:
        self._requests, self._tokens = plan.request_bound, plan.token_bound
        self._longest_answer = plan.generation.max_tokens or 0
        self._committed = 0
        self.sent = 0

    def worst_case(self, *prompts: str) -> int:
        """The most tokens that a request with these texts may cost."""
        return sum(len(prompt.encode()) for prompt in prompts) + TEMPLATE_TOKENS + self._longest_answer

    def admit(self, worst: int) -> None:
        """Set the worst case aside; give it back to `spend`. Raises BoundReached."""
        if self._requests is not None and self.sent >= self._requests:
            raise BoundReached("request_bound_reached")
        if self._tokens is not None and self._committed + worst > self._tokens:
            raise BoundReached("token_bound_reached")
        self.sent += 1
        self._committed += worst

    def spend(self, set_aside: int, usage: Usage) -> None:
        told = (usage.input_tokens, usage.output_tokens)
        if None not in told:
            self._committed += sum(count or 0 for count in told) - set_aside
