"""The cheapest flow through a small network, some of whose arcs pay for being used."""

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TypeAlias

Node: TypeAlias = Hashable
UNBOUNDED = 1 << 60


@dataclass(slots=True)
class _Arc:
    tail: Node
    head: Node
    spare: int
    cost: int


@dataclass(slots=True)
class Network:
    """Arcs of whole capacities and costs; each is followed by the reverse arc over which its flow goes back."""

    _arcs: list[_Arc] = field(default_factory=list)
    _leaving: dict[Node, list[int]] = field(default_factory=dict)

    def add(self, tail: Node, head: Node, capacity: int, cost: int = 0) -> int:
        """A new arc; the number returned asks for its flow."""
        number = len(self._arcs)
        for arc in (_Arc(tail, head, capacity, cost), _Arc(head, tail, 0, -cost)):
            self._leaving.setdefault(arc.tail, []).append(len(self._arcs))
            self._arcs.append(arc)
        return number

    def flow(self, number: int) -> int:
        """What runs through an arc."""
        return self._arcs[number ^ 1].spare

    def fill(self, source: Node, sink: Node) -> None:
        """Push flow along cheapest paths while that lowers the cost: the flow is then the cheapest of any amount.

        The network without flow must hold no cycle of negative cost (successive shortest paths).
        """
        while path := self._paying_path(source, sink):
            amount = min(self._arcs[number].spare for number in path)
            for number in path:
                self._arcs[number].spare -= amount
                self._arcs[number ^ 1].spare += amount

    def _paying_path(self, source: Node, sink: Node) -> list[int]:
        """The arcs of a cheapest path from `sink` back to `source`; none when it costs nothing or more."""
        cost, reached_by = {source: 0}, dict[Node, int]()
        waiting = deque([source])
        while waiting:
            node = waiting.popleft()
            for number in self._leaving.get(node, ()):
                arc = self._arcs[number]
                if arc.spare and (arc.head not in cost or cost[node] + arc.cost < cost[arc.head]):
                    cost[arc.head], reached_by[arc.head] = cost[node] + arc.cost, number
                    if arc.head not in waiting:
                        waiting.append(arc.head)
        return self._walk_back(sink, source, reached_by) if cost.get(sink, 0) < 0 else []

    def _walk_back(self, sink: Node, source: Node, reached_by: dict[Node, int]) -> list[int]:
        path, node = [], sink
        while node != source:
            path.append(reached_by[node])
            node = self._arcs[path[-1]].tail
        return path
