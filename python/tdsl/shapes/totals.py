"""Constraints on products of sizes: numbers of elements, packed random words, scaled sizes (spec d.3 and d.9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tdsl.errors import ShapeError
from tdsl.shapes import errors
from tdsl.shapes.provenance import Cause, Provenance
from tdsl.shapes.solver import Constraint, Solver
from tdsl.shapes.variables import AxisVariable, RowTerm, resolve


class TotalElements(Constraint):
    """The product of all sizes of ``row_terms`` is ``factor * number / divisor``; ``number`` None counts as 1.

    ``rounded`` is for packed random words: the last of the ``number`` words may be used in part (spec k.14), so that
    only words follow from elements with certainty, and elements from words where nothing else determines them.
    """

    __slots__ = ("divisor", "factor", "number", "rounded", "row_terms", "subject")

    def __init__(
        self,
        row_terms: Sequence[RowTerm],
        factor: int,
        number: AxisVariable | None,
        divisor: int,
        subject: str,
        cause: Cause,
        *,
        rounded: bool = False,
    ) -> None:
        super().__init__(cause)
        self.row_terms = tuple(row_terms)
        self.factor = factor
        self.number = number
        self.divisor = divisor
        self.subject = subject
        self.rounded = rounded

    def axes(self) -> Iterable[AxisVariable]:
        if self.number is not None:
            yield self.number
        for row in self.row_terms:
            yield from row.axes

    def rows(self) -> Iterable[RowTerm]:
        return self.row_terms

    def propagate(self, solver: Solver) -> None:
        state = self.state(solver)
        if state is None:
            return
        known, unknown = state
        number = 1 if self.number is None else self.number.find().size
        if number is None:
            if not unknown:
                self._set_number(solver, known)
            return
        if unknown:
            return
        expected, remainder = divmod(self.factor * number, self.divisor)
        fits = expected - self.factor < known <= expected if self.rounded else known == expected
        if remainder or not fits:
            text = f"{self.factor} * {number}" if self.number is not None else str(self.factor)
            text += f" / {self.divisor}" if self.divisor != 1 else ""
            raise self._error(f"Size mismatch: {self.subject} has {known} elements, but {text} are required.")
        self.done = True

    def state(self, solver: Solver) -> tuple[int, Counter[AxisVariable]] | None:
        """The product of the known sizes and the unknown axes; None while the number of axes is unknown.

        Axes that came with a row variable are watched from here on.
        """
        known = 1
        unknown: Counter[AxisVariable] = Counter()
        is_open = False
        for index, row in enumerate(self.row_terms):
            resolved = resolve(row)
            if resolved.variable is not row.variable:
                solver.watch(self, resolved.axes)
                self.row_terms = (*self.row_terms[:index], resolved, *self.row_terms[index + 1 :])
            is_open = is_open or resolved.variable is not None
            for variable in resolved.axes:
                axis = variable.find()
                if axis.size is None:
                    unknown[axis] += 1
                else:
                    known *= axis.size
        if is_open:
            return None
        if len(unknown) == 1 and (self.number is None or self.number.find().size is not None) and not self.rounded:
            self._solve(solver, known, *unknown.most_common(1)[0])
            return self.state(solver)
        return known, unknown

    def _solve(self, solver: Solver, known: int, axis: AxisVariable, times: int) -> None:
        """The one unknown axis is what the product lacks."""
        number = 1 if self.number is None else self.number.find().size or 0
        required, remainder = divmod(self.factor * number, self.divisor)
        if known == 0 and required == 0 and not remainder:
            self._assign(solver, axis, 0)
            return
        size = 0 if known == 0 else required // known
        if times > 1:
            size = round(size ** (1 / times))
        if remainder or known * size**times != required:
            raise self._error(
                f"Size mismatch: {self.subject} must have {self.factor * number}"
                + (f" / {self.divisor}" if self.divisor != 1 else "")
                + f" elements, which is not divisible by the {known} of its known axes."
            )
        self._assign(solver, axis, size)

    def guess(self, solver: Solver) -> bool:
        """At closing: the elements of packed words fill them. Returns whether it determined an axis."""
        state = self.state(solver)
        if state is None or not self.rounded or self.number is None or self.number.find().size is None:
            return False
        known, unknown = state
        if len(unknown) != 1:
            return False
        self._solve(solver, known, *unknown.most_common(1)[0])
        return True

    def _set_number(self, solver: Solver, known: int) -> None:
        assert self.number is not None
        total = known * self.divisor
        if self.rounded:
            self._assign(solver, self.number, -(-total // self.factor))
            return
        if total % self.factor:
            raise self._error(
                f"Size mismatch: the {total} elements of {self.subject} are not divisible by {self.factor}."
            )
        self._assign(solver, self.number, total // self.factor)

    def _assign(self, solver: Solver, axis: AxisVariable, size: int) -> None:
        solver.assign(axis, size, None, Provenance(f"the number of elements of {self.subject}"), self.cause)

    def _error(self, message: str) -> ShapeError:
        return errors.shape_error(message, self.cause)


class ScaledSize(Constraint):
    """``scaled`` is ``factor`` times ``base`` (set_scale); both are captured dimensions."""

    __slots__ = ("base", "factor", "scaled")

    def __init__(self, scaled: AxisVariable, factor: int, base: AxisVariable, cause: Cause) -> None:
        super().__init__(cause)
        self.scaled = scaled
        self.factor = factor
        self.base = base

    def axes(self) -> Iterable[AxisVariable]:
        return self.scaled, self.base

    def propagate(self, solver: Solver) -> None:
        scaled, base = self.scaled.find().size, self.base.find().size
        source = Provenance("set_scale", self.cause.origin)
        if scaled is not None and base is not None:
            if scaled != self.factor * base:
                raise errors.shape_error(
                    f"Size mismatch: set_scale requires {self.factor} * {base} = {self.factor * base}, "
                    f"but the scaled size is {scaled}.",
                    self.cause,
                )
            self.done = True
        elif base is not None:
            solver.assign(self.scaled, self.factor * base, None, source, self.cause)
        elif scaled is not None:
            if scaled % self.factor:
                raise errors.shape_error(
                    f"The scaled size {scaled} is not divisible by the factor {self.factor} of set_scale.", self.cause
                )
            solver.assign(self.base, scaled // self.factor, None, source, self.cause)
