"""Names of programs, routines, nodes and symbols as C identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from tdsl.errors import TdslError

__all__ = ["check_prefix", "identifier", "routine_names", "unique_identifiers"]

_KEYWORD_TEXT = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class co_await
    co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do
    double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
    requires restrict return short signed sizeof static static_assert static_cast struct switch template this
    thread_local throw true try typedef typeid typename typeof union unsigned using virtual void volatile wchar_t while
    xor xor_eq
"""
#: What compiled code calls, or a C program has anyway: a routine of this name would take its place.
_LIBRARY_TEXT = """
    abort abs acos acosh asin asinh atan atan2 atanh calloc cbrt ceil copysign cos cosh erf erfc exit exp exp10 exp2
    expm1 fabs fdim floor fma fmax fmin fmod free frexp hypot ldexp lgamma log log10 log1p log2 logb main malloc memcmp
    memcpy memmove memset modf nearbyint pow realloc remainder rint round roundeven scalbn sin sincos sinh sqrt tan tanh
    tgamma trunc
"""
_KEYWORDS = frozenset(_KEYWORD_TEXT.split())
_LIBRARY = frozenset(_LIBRARY_TEXT.split())


def identifier(name: str) -> str:
    """A C identifier that looks like a name: what C does not allow becomes ``_``."""
    cleaned = re.sub(r"[^0-9A-Za-z_]", "_", name)
    # Identifiers with a leading underscore are C's own.
    return cleaned if re.match(r"[A-Za-z]", cleaned) else f"n{cleaned}"


def is_reserved(name: str) -> bool:
    """Whether C, C++ or their libraries use this name."""
    return name in _KEYWORDS or name in _LIBRARY or (name[-1:] in ("f", "l") and name[:-1] in _LIBRARY)


def check_prefix(prefix: str) -> None:
    """Raises TdslError if C names cannot start like this."""
    if prefix and identifier(prefix) != prefix:
        raise TdslError(
            f"names in C cannot start with {prefix!r}: use letters, digits and '_', with a letter in front, "
            f"such as '{identifier(prefix)}'"
        )


def routine_names(routines: Iterable[str], prefix: str) -> dict[str, str]:
    """The C name of each routine: ``prefix``, then its own name.

    Raises:
        TdslError: Two routines get one name, or one gets a name that C, C++ or their libraries use.
    """
    names: dict[str, str] = {}
    owners: dict[str, str] = {}
    for routine in routines:
        # After a prefix, a name may start with a digit or an underscore.
        name = prefix + (re.sub(r"[^0-9A-Za-z_]", "_", routine) if prefix else identifier(routine))
        if is_reserved(name):
            raise TdslError(
                f"routine '{routine}' would be called '{name}' in C, which C, C++ or their libraries use: "
                "rename it, or choose another prefix"
            )
        # Macros are in capitals.
        other = owners.setdefault(name.upper(), routine)
        if other != routine:
            raise TdslError(
                f"routines '{other}' and '{routine}' would both be called '{name}' in C"
                + ("" if names[other] == name else " in capitals")
                + ": rename one of them"
            )
        names[routine] = name
    return names


def unique_identifiers(names: Iterable[str], taken: Iterable[str] = ()) -> Mapping[str, str]:
    """A C identifier for each name, none like another in capitals, nor like one of ``taken``.

    Names that look alike in C get a number, the later ones in the order given. For what is named only in declarations
    and macros.
    """
    used = {name.upper() for name in taken}
    result: dict[str, str] = {}
    for name in names:
        wanted = identifier(name)
        if is_reserved(wanted):
            wanted += "_"
        unique, number = wanted, 2
        while unique.upper() in used:
            unique, number = f"{wanted}_{number}", number + 1
        used.add(unique.upper())
        result[name] = unique
    return result
