"""PTX for NVIDIA GPUs: elementwise programs through upstream's gpu dialect.

One thread computes one cell, and neighbouring threads neighbouring cells. A program that needs more than that, memory
between its loops or functions of NVIDIA's device library, is refused and says why.
"""

from __future__ import annotations

from dataclasses import dataclass

import mlir.ir as ir
from mlir.dialects import func, gpu, memref

from tdsl.codegen.object_code import TargetDescription, emit
from tdsl.codegen.pipelines import TO_NVVM, register_pipelines
from tdsl.errors import UnsupportedError
from tdsl.passes.pipeline import run_pipeline

__all__ = ["PtxKernel", "compile_to_ptx", "nvptx_target"]

_TRIPLE = "nvptx64-nvidia-cuda"
_OLDEST_CHIP = 70


@dataclass(frozen=True)
class PtxKernel:
    """One kernel and how to launch it.

    Attributes:
        routine: The routine that it is part of; its kernels run in their order.
        name: The entry point in :attr:`text`.
        grid: The number of blocks.
        block: The number of threads of a block.
        arguments: For each parameter, the name of the node whose memory it points to.
        text: The PTX of a module that holds this kernel.
    """

    routine: str
    name: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    arguments: tuple[str, ...]
    text: str


def nvptx_target(chip: str) -> TargetDescription:
    """The target of a chip such as ``"sm_80"``.

    Raises:
        UnsupportedError: The name is not of this form, or the chip is older than sm_70.
    """
    number = chip.removeprefix("sm_").removesuffix("a")
    if not chip.startswith("sm_") or not number.isdecimal() or int(number) < _OLDEST_CHIP:
        raise UnsupportedError(f"'{chip}' is not a chip that PTX is generated for: expected sm_{_OLDEST_CHIP} or newer")
    return TargetDescription(_TRIPLE, chip, "+ptx80" if int(number) <= 90 else "")


def compile_to_ptx(module: ir.Module, chip: str = "sm_80") -> list[PtxKernel]:
    """Compiles every routine of the programs in ``module``, which is lowered in place.

    Raises:
        CompileError: A pass failed, or LLVM refused the chip.
        UnsupportedError: The program is not elementwise, or needs NVIDIA's device library.
    """
    register_pipelines()
    target = nvptx_target(chip)
    run_pipeline(module, f"builtin.module({TO_NVVM})", verify_each=False)
    texts: dict[str, str] = {}
    for op in module.body.operations:
        if isinstance(op, gpu.GPUModuleOp):
            _check_functions(op)
            texts[op.sym_name.value] = emit(op, target, kind="assembly", optimization_level=3).decode()
    kernels = []
    for op in module.body.operations:
        if isinstance(op, func.FuncOp):
            kernels += _launches(op, texts)
    return kernels


def _launches(function: func.FuncOp, texts: dict[str, str]) -> list[PtxKernel]:
    """The kernels of a function; refuses one that does anything besides launching them."""
    routine = function.name.value
    nodes: dict[ir.Value, str] = {
        argument: ir.StringAttr(ir.DictAttr(attributes)["tdsl.node"]).value
        for argument, attributes in zip(function.arguments, function.arg_attrs, strict=True)
        if "tdsl.node" in ir.DictAttr(attributes)
    }
    kernels = []
    for op in function.entry_block.operations:
        if isinstance(op, gpu.LaunchFuncOp):
            unit, name = op.kernel.value
            sizes = [_constant(value) for value in list(op.operands)[:6]]
            arguments = tuple(_node_of(value, nodes, routine) for value in op.kernelOperands)
            grid, block = (sizes[0], sizes[1], sizes[2]), (sizes[3], sizes[4], sizes[5])
            kernels.append(PtxKernel(routine, name, grid, block, arguments, texts[unit]))
        elif isinstance(op, (memref.AllocOp, memref.DeallocOp, memref.LoadOp, memref.StoreOp, memref.CopyOp)):
            raise UnsupportedError(
                f"routine '{routine}' is not elementwise: it needs memory between its loops, which PTX generation does "
                "not provide yet"
            )
    return kernels


def _constant(value: ir.Value) -> int:
    return ir.IntegerAttr(value.owner.attributes["value"]).value


def _node_of(value: ir.Value, nodes: dict[ir.Value, str], routine: str) -> str:
    if value not in nodes:
        raise UnsupportedError(
            f"routine '{routine}' is not elementwise: a kernel needs a value that the host would have to compute"
        )
    return nodes[value]


def _check_functions(module: gpu.GPUModuleOp) -> None:
    """Refuses calls of functions that only NVIDIA's device library has, and hides those that kernels call.

    LLVM gives hidden functions names that PTX allows.
    """
    for op in module.bodyRegion.blocks[0].operations:
        name = ir.StringAttr(op.attributes["sym_name"]).value if "sym_name" in op.attributes else ""
        if name.startswith("__nv_"):
            raise UnsupportedError(
                f"the program needs '{name}' of NVIDIA's device library, which is not part of this package"
            )
        if name and "nvvm.kernel" not in op.attributes:
            op.attributes["linkage"] = ir.Attribute.parse("#llvm.linkage<internal>", op.context)
