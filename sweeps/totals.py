"""What is done of a sweep: sums by point, in memory that does not grow with the number of blocks."""

from collections.abc import Iterable

from sweeps.plan import Block
from sweeps.spec import Sums


class Totals:
    """Sums over the finished blocks of each k, and which blocks those are (a bit each)."""

    def __init__(self, blocks: Iterable[tuple[Block, Sums]] = ()) -> None:
        self.sums: dict[int, Sums] = {}
        self._seen: dict[int, bytearray] = {}
        for block, sums in blocks:
            self.add(block, sums)

    def add(self, block: Block, sums: Sums) -> None:
        """Add a block that is not yet in. Integers and fractions: the order does not matter."""
        k, number = block
        seen = self._seen.setdefault(k, bytearray())
        seen.extend(bytes(max(0, number // 8 + 1 - len(seen))))
        seen[number // 8] |= 1 << number % 8
        total = self.sums.setdefault(k, dict.fromkeys(sums, 0))
        for name, value in sums.items():
            total[name] += value

    def __contains__(self, block: Block) -> bool:
        seen = self._seen.get(block[0], b"")
        return block[1] // 8 < len(seen) and bool(seen[block[1] // 8] >> block[1] % 8 & 1)

    def count(self, k: int) -> int:
        """How many blocks of a point are done."""
        return int.from_bytes(self._seen.get(k, b""), "little").bit_count()
