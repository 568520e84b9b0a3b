"""Symbols: renaming reaches the attributes of the dialect, and the verifier sees what it does not reach."""

from __future__ import annotations

import mlir.ir as ir
import pytest

PROGRAM = """\
tdsl.program @p {
  tdsl.symbol @i range 0 to 4
  tdsl.dim @h
  tdsl.row @d
  tdsl.node @x : f32 "4|->3" input
  tdsl.node @y : f32 "|->3" result
  tdsl.node @y.grad : f32 "|->3" result grad_of @y
  tdsl.projections @slice slice(@i) (@x) -> @y
  tdsl.projections @spec "a; a => a" (@y, @y) -> @y captures {a = @h}
  tdsl.set_equal @y[output, 0], @h
  tdsl.set_equal @y[output], @d
  tdsl.set_scale @h = 2 * @h
  tdsl.total_elements @y = 3 * @h
  tdsl.same_shape @y, product_space @spec
  tdsl.close @y because "@y in a text is no symbol"
  tdsl.routine @r {
    tdsl.comment "@y" {
      tdsl.assign @y[lhs] add = block id(@y, merge(@y.grad)[rhs1]) by @spec
    }
    tdsl.assign (@y, @y.grad) add = id(@y) by @spec
    tdsl.fill @y neutral add
    tdsl.fetch @y = dim @h
  }
}
"""


def rename(module: ir.Module, old: str, new: str) -> None:
    program = module.body.operations[0]
    symbol = ir.SymbolTable(program)[old]
    ir.SymbolTable.replace_all_symbol_uses(old, new, program.operation)
    ir.SymbolTable.set_symbol_name(symbol, new)


@pytest.mark.parametrize("old", ["x", "y", "y.grad", "h", "d", "spec", "slice", "r"])
def test_renaming_reaches_every_use(context: ir.Context, old: str) -> None:
    module = ir.Module.parse(PROGRAM)
    rename(module, old, "renamed")
    assert module.operation.verify()
    text = str(module.body.operations[0]) + "\n"
    # `@y` is the start of `@y.grad`, and texts are not symbols.
    parts = PROGRAM.replace("@y.grad", "@GRADIENT").replace('"@y', '"AT_Y')
    old = old.replace("y.grad", "GRADIENT")
    parts = "".join(
        part.replace(f"@{old}", "@renamed", 1) if index and part.startswith(f"@{old}") else part
        for index, part in enumerate(_split_before_symbols(parts))
    )
    assert text == parts.replace("@GRADIENT", "@y.grad").replace('"AT_Y', '"@y')


def _split_before_symbols(text: str) -> list[str]:
    first, *rest = text.split("@")
    return [first, *(f"@{part}" for part in rest)]


def test_a_symbol_in_use_is_missed(context: ir.Context) -> None:
    module = ir.Module.parse(PROGRAM)
    ir.SymbolTable(module.body.operations[0]).erase(ir.SymbolTable(module.body.operations[0])["y.grad"])
    with pytest.raises(ir.MLIRError, match=r"destination @y\.grad is not declared in this program"):
        module.operation.verify()


def test_renaming_a_static_symbol_is_not_half_done_in_silence(context: ir.Context) -> None:
    """MLIR renames symbols in attributes, not in the types of values: the verifier refuses what is left."""
    module = ir.Module.parse("""
      tdsl.program @p {
        tdsl.symbol @i range 0 to 4
        tdsl.node @t : f32 "" leaf
        tdsl.routine @r(%i: !tdsl.index<@i>) {
          tdsl.fetch @t = symbol %i : !tdsl.index<@i>
        }
      }
    """)
    rename(module, "i", "j")
    with pytest.raises(ir.MLIRError, match="argument's symbol @i is not declared in this program"):
        module.operation.verify()
