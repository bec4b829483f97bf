"""What the simulator received, for whoever checks the books."""

from dataclasses import asdict, dataclass


@dataclass(slots=True)
class Counts:
    """Per model. `answered`: whole responses, failures included; `bytes_*` are bodies."""

    requests: int = 0
    answered: int = 0
    bytes_received: int = 0
    bytes_sent: int = 0
    in_flight: int = 0
    in_flight_max: int = 0

    def begin(self, size: int) -> int:
        """Count a request in; its number, from 1."""
        self.requests += 1
        self.bytes_received += size
        self.in_flight += 1
        self.in_flight_max = max(self.in_flight_max, self.in_flight)
        return self.requests

    def end(self, *, answered: bool) -> None:
        self.in_flight -= 1
        self.answered += answered

    def to_json(self) -> dict[str, int]:
        return asdict(self)
