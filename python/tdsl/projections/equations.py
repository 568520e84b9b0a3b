"""Projection equations: which axes are iterated together, and which are functions of others (spec e.2, steps 1-3).

Axes and labels are nodes of a union-find structure. Derivation states equations about nodes, ``solve`` completes the
sizes and checks every equation: none is ever dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias

from tdsl.errors import ShapeError
from tdsl.notation import Span
from tdsl.projections.index import LinearIndex


@dataclass(frozen=True)
class Node:
    """An axis of a tensor, a label, or an axis that a row variable stands for.

    ``name`` is what an iterator over it would be called, ``description`` how messages call it; nodes with the same
    description are the same. ``spans`` is where the spec mentions it.
    """

    description: str
    name: str = field(compare=False)
    spans: tuple[Span, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Window:
    """The right side of ``axis = stride*over + dilation*kernel + offset`` (spec d.7). Without kernel: strided."""

    stride: int
    over: Node
    offset: int = 0
    dilation: int = 1
    kernel: Node | None = None
    padded: bool = False


@dataclass(frozen=True)
class Gap:
    """A component of a concatenation that nobody iterates: ``size`` positions are skipped (spec d.8)."""

    size: int
    number: int  # Tells gaps of one concatenation apart.


Component: TypeAlias = Node | Gap


class Equations:
    """Equations between nodes, in the order in which they were stated. Errors are ShapeError."""

    def __init__(self, spec: str | None = None) -> None:
        self._spec = spec
        self._parents: dict[Node, Node] = {}
        self._sizes: dict[Node, int] = {}
        self._pins: dict[Node, tuple[Node, LinearIndex]] = {}
        self._windows: list[tuple[Node, Window]] = []
        self._concats: list[tuple[Node, tuple[Component, ...]]] = []
        self._members: dict[Node, list[Node]] = {}

    def add(self, node: Node, size: int | None = None) -> Node:
        """State that a node exists and, where known, its size; returns the node."""
        if node not in self._parents:
            self._parents[node] = node
            self._members[node] = [node]
        if size is not None:
            self._resize(node, size)
        return node

    def equate(self, first: Node, second: Node) -> None:
        """Two nodes are iterated together: they have one size and one index."""
        first_root, second_root = self.root(self.add(first)), self.root(self.add(second))
        if first_root == second_root:
            return
        size, other = self._sizes.get(first_root), self._sizes.get(second_root)
        if size is not None and other is not None and size != other:
            self._fail(
                f"Size mismatch: {first.description} has size {size}, {second.description} has size {other}.",
                first,
                second,
            )
        self._parents[second_root] = first_root
        self._members[first_root] += self._members.pop(second_root)
        if other is not None:
            self._sizes[first_root] = other
        if second_root in self._pins:
            self._pin(*self._pins.pop(second_root))

    def pin(self, node: Node, index: int | LinearIndex) -> None:
        """The node is read or written at one position: a number, or a static symbol."""
        self._pin(self.add(node), LinearIndex.constant(index) if isinstance(index, int) else index)

    def window(self, node: Node, window: Window) -> None:
        """The index of the node is an affine function of one or two others."""
        self.add(node)
        self.add(window.over)
        if window.kernel is not None:
            self.add(window.kernel)
        self._windows.append((node, window))

    def concat(self, node: Node, components: Iterable[Component]) -> None:
        """The node runs through its components one after the other."""
        self.add(node)
        components = tuple(components)
        for component in components:
            if isinstance(component, Node):
                self.add(component)
        self._concats.append((node, components))

    # Answers, valid after solve().

    def root(self, node: Node) -> Node:
        """The representative of the class of a node."""
        parent = self._parents[node]
        while parent != node:
            self._parents[node] = self._parents[parent]
            node, parent = parent, self._parents[parent]
        return node

    def size(self, node: Node) -> int:
        """The size of the class of a node."""
        return self._sizes[self.root(node)]

    def pinned(self, node: Node) -> LinearIndex | None:
        """The position at which the class of a node is pinned, or None."""
        found = self._pins.get(self.root(node))
        return None if found is None else found[1]

    def members(self, node: Node) -> tuple[Node, ...]:
        """All nodes of the class of a node, in the order in which they were equated."""
        return tuple(self._members[self.root(node)])

    def windows_of(self, node: Node) -> Iterator[Window]:
        """The affine equations whose left side is in the class of a node."""
        return (window for target, window in self._windows if self.root(target) == self.root(node))

    def concats_of(self, node: Node) -> Iterator[tuple[Component, ...]]:
        """The concatenations whose left side is in the class of a node, with representatives as components."""
        return (
            tuple(self.root(c) if isinstance(c, Node) else c for c in components)
            for target, components in self._concats
            if self.root(target) == self.root(node)
        )

    def solve(self) -> None:
        """Complete the sizes that only follow from affine axes and concatenations, then check every equation.

        Raises:
            ShapeError: An equation does not hold (spec d.7, d.8), or a size does not follow from the shapes.
        """
        progress = True
        while progress:
            inferred = [self._infer_window(*equation) for equation in self._windows]
            inferred += [self._infer_concat(*equation) for equation in self._concats]
            progress = any(inferred)
        for node in self._parents:
            if self.root(node) not in self._sizes:
                self._fail(
                    f"The size of {node.description} does not follow from the shapes.",
                    node,
                    suggestion="Capture it and set its size, or give an operand an axis of that size.",
                )
        for target, window in self._windows:
            self._check_window(target, window)
        for target, components in self._concats:
            self._check_concat(target, components)
        for root, (node, index) in self._pins.items():
            if index.is_constant and not 0 <= index.offset < self._sizes[root]:
                self._fail(
                    f"The fixed index {index.offset} needs an axis of size at least {index.offset + 1}, but "
                    f"{node.description} has size {self._sizes[root]}.",
                    node,
                )

    def _pin(self, node: Node, index: LinearIndex) -> None:
        root = self.root(node)
        previous = self._pins.get(root)
        if previous is not None and not previous[1].equals(index):
            self._fail(
                f"One axis is pinned at both {previous[1]} and {index}: {previous[0].description} is equal to "
                f"{node.description}.",
                previous[0],
                node,
            )
        self._pins[root] = (node, index)

    def _resize(self, node: Node, size: int) -> None:
        root = self.root(node)
        previous = self._sizes.setdefault(root, size)
        if previous != size:
            self._fail(f"Size mismatch: {node.description} has size {previous}, but should have size {size}.", node)

    def _known(self, node: Node) -> int | None:
        return self._sizes.get(self.root(node))

    def _infer_window(self, target: Node, window: Window) -> bool:
        """Solve an affine equation for the one size that is unknown, if there is one that it determines."""
        total, over = self._known(target), self._known(window.over)
        kernel = None if window.kernel is None else self._known(window.kernel)
        if window.kernel is None or window.padded:
            if total is None and over is not None:
                self._resize(target, window.stride * over)
                return True
            if total is not None and over is None and total % window.stride == 0:
                self._resize(window.over, total // window.stride)
                return True
            return False
        if total is None and over is not None and kernel is not None:
            self._resize(target, window.stride * (over - 1) + _span(window, kernel))
            return True
        if total is not None and over is None and kernel is not None:
            rest = total - _span(window, kernel)
            if rest >= 0 and rest % window.stride == 0:
                self._resize(window.over, rest // window.stride + 1)
                return True
        if total is not None and over is not None and kernel is None:
            rest = total - window.stride * (over - 1) - 1
            if rest >= 0 and rest % window.dilation == 0:
                self._resize(window.kernel, rest // window.dilation + 1)
                return True
        return False

    def _infer_concat(self, target: Node, components: tuple[Component, ...]) -> bool:
        sizes = [c.size if isinstance(c, Gap) else self._known(c) for c in components]
        total = self._known(target)
        unknown = [c for c, size in zip(components, sizes, strict=True) if size is None and isinstance(c, Node)]
        known = sum(size for size in sizes if size is not None)
        if not unknown:
            if total is None:
                self._resize(target, known)
                return True
            return False
        if total is not None and total < known:
            self._fail(f"The components of {target.description} exceed its size: {known} of {total}.", target, *unknown)
        if total is None or len({self.root(c) for c in unknown}) > 1 or (total - known) % len(unknown):
            return False
        self._resize(unknown[0], (total - known) // len(unknown))
        return True

    def _check_window(self, target: Node, window: Window) -> None:
        total, over = self.size(target), self.size(window.over)
        if window.kernel is None or window.padded:
            expected = window.stride * over
            reason = f"stride {window.stride} over size {over}"
        else:
            kernel = self.size(window.kernel)
            if 0 in (over, kernel):
                return  # No window is ever placed.
            expected = window.stride * (over - 1) + _span(window, kernel)
            reason = f"stride {window.stride} over size {over} with a window of {_span(window, kernel)}"
        if total != expected:
            self._fail(
                f"Incompatible stride: {target.description} has size {total}, but {reason} needs {expected}.", target
            )

    def _check_concat(self, target: Node, components: tuple[Component, ...]) -> None:
        sizes = [c.size if isinstance(c, Gap) else self.size(c) for c in components]
        if sum(sizes) != self.size(target):
            listed = " + ".join(map(str, sizes))
            self._fail(
                f"Size mismatch: {target.description} has size {self.size(target)}, but its components have {listed}.",
                target,
            )

    def _fail(self, message: str, *nodes: Node, suggestion: str | None = None) -> NoReturn:
        spans = sorted({span for node in nodes for span in node.spans})
        raise ShapeError(message, spec=self._spec, spans=spans, suggestion=suggestion)


def padding_left(window: Window, kernel_size: int) -> int:
    """How many positions before the first cell a padded window begins (spec d.7, k.7)."""
    return max(_span(window, kernel_size), 0) // 2 if window.padded else 0


def _span(window: Window, kernel_size: int) -> int:
    return 1 + (kernel_size - 1) * window.dilation
