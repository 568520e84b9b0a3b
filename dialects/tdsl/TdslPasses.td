//===- TdslPasses.td - passes written in C++ ---------------*- tablegen -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_PASSES
#define TDSL_PASSES

include "mlir/Pass/PassBase.td"

def TdslInternalize : Pass<"tdsl-internalize", "::tdsl::ProgramOp"> {
  let summary = "make results private unless they are kept";
  let description = [{
    The host can read every public node, so the compiler must write each of them to
    memory. This pass makes the `result`, `leaf`, `init` and `stretch` nodes of a
    program private, except those named in `keep`; `symbol-dce` then removes what no
    routine uses, and code generation may hold the rest in registers. Inputs and
    parameters belong to the host and stay public, as do their gradients.
  }];
  let options = [
    ListOption<"keep", "keep", "std::string", "nodes that the host will read">,
  ];
}

def ConvertTdslToLinalg : Pass<"convert-tdsl-to-linalg", "::mlir::ModuleOp"> {
  let summary = "turn routines into functions of linalg operations on tensors";
  let description = [{
    Each routine becomes a `func.func` of its name; the programs disappear. Precisions
    and shapes must be closed and index spaces derived.

    The arguments are memrefs, one for each node that the host or another routine can
    see, in the order of their declarations, with the attributes `tdsl.node`, the name,
    and `tdsl.access`, which is `in`, `out` or `inout`; merge buffers (`tdsl.merge`) and
    values of static symbols (`tdsl.symbol`) follow. A private node that only this
    routine uses, and writes before it reads, has no argument. The caller guarantees
    that arguments do not overlap.

    Every `linalg.generic` has affine indices without offset and inside their tensors:
    pinned and symbolic indices, segments and strides become slices, a padded window an
    interior and clipped borders, and a reduced axis that no tensor has gets an empty
    tensor of its size.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect",
  ];
}

def TdslSeparateResults : Pass<"tdsl-separate-results"> {
  let summary = "copy values that two operations would update in place";
  let description = [{
    Common subexpressions leave one value from which several results start. Upstream
    computes a result in the memory of its argument without seeing that the other
    results, which are stored at the end of the function, still need what it holds.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def TdslExpandStridedCopies : Pass<"tdsl-expand-strided-copies"> {
  let summary = "turn memref copies that are not contiguous into linalg copies";
  let description = [{
    Upstream lowers such a copy to a call of a run-time library that walks it cell by
    cell. As a linalg operation it becomes a loop that vectorises. Contiguous copies
    stay: they become memcpy.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def TdslPlanWorkspace : Pass<"tdsl-plan-workspace", "::mlir::ModuleOp"> {
  let summary = "replace the allocations of routines by parts of one workspace";
  let description = [{
    Gives the function of every routine one more argument, the workspace: memory that
    the caller provides and that holds nothing between calls. Each allocation becomes a
    view of it. Allocations that are not in use at the same time share memory, and
    inside a parallel loop every iteration has a slot of its own. The size in bytes is
    the attribute `tdsl.workspace` of the function; the workspace and all views are
    aligned to 64 bytes.

    An allocation stays where it is if its size is not constant, if it is carried from
    one iteration of a loop to the next, or if the parallel loops around it have other
    than constant bounds or more than `max-slots` iterations.

    Run it on memrefs, before or after deallocations are inserted.
  }];
  let options = [
    Option<"maxSlots", "max-slots", "int64_t", /*default=*/"256",
           "the most iterations of parallel loops that get a slot each">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect",
  ];
}

def TdslAnnotateArguments : Pass<"tdsl-annotate-arguments", "::mlir::ModuleOp"> {
  let summary = "tell LLVM what holds for the arguments of routines";
  let description = [{
    Memory that a routine writes overlaps no other argument, every pointer has the
    alignment of its cells and gives access to all of them, and inputs are only read.
    Memory without cells becomes an array of no bytes, so that `convert-func-to-llvm`
    can make a bare pointer of it.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::LLVM::LLVMDialect",
  ];
}

def TdslAddPackedEntries : Pass<"tdsl-add-packed-entries", "::mlir::ModuleOp"> {
  let summary = "give every routine an entry that takes its arguments in arrays";
  let description = [{
    For each routine `f` in the LLVM dialect, adds the function
    `f.packed(void *const *pointers, const int64_t *symbols, void *workspace)`, so
    that one caller can call all routines.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def TdslFuseElementwise : Pass<"tdsl-fuse-elementwise"> {
  let summary = "compute elementwise operations where their only reader reads them";
  let description = [{
    Upstream's `linalg-fuse-elementwise-ops`, but only into operations that read each
    cell once. A contraction reads each cell of its operands many times: it would compute
    the cell each time, and would no longer be a contraction.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect",
  ];
}

def TdslCollapseIterators : Pass<"tdsl-collapse-iterators"> {
  let summary = "make one loop of loops that go through cells one after the other";
  let description = [{
    Iterators of a `linalg.generic` that index neighbouring axes of every operand become
    one, as do the axes of a `linalg.fill`. Fewer loops take less time to compile and to
    run. Run this after `eliminate-empty-tensors`, which does not look through reshapes.
  }];
  let options = [
    Option<"keepRows", "keep-rows", "bool", "false",
           "leave the last axis alone, so that rows stay rows">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect",
  ];
}

def TdslFuseRows : Pass<"tdsl-fuse-rows", "::mlir::func::FuncOp"> {
  let summary = "compute groups of operations row by row";
  let description = [{
    A softmax reads each row of its argument to find the largest cell, then again to sum
    the powers, and a third time to divide. Operations that need nothing of each other
    but the same row become one loop over rows, in which a row stays in the first cache.
    Threads share the rows.
  }];
  let options = [
    Option<"threads", "threads", "int64_t", "1",
           "number of threads that share the rows">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
  ];
}

def TdslVectorizeTiles : Pass<"tdsl-vectorize-tiles", "::mlir::func::FuncOp"> {
  let summary = "turn tiles of tensors into vectors";
  let description = [{
    A schedule marks the linalg operations that it has tiled with the attribute
    `tdsl.tile`. Each becomes operations on vectors of its size, without its axes of
    size 1. What a loop reads and writes at one place in every iteration moves out of
    it, so that accumulators stay in registers. An operation whose size is not known,
    or which has no vector form, stays as it is and loses the mark.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect",
  ];
}

def TdslExpandExtrema : Pass<"tdsl-expand-extrema"> {
  let summary = "turn maxima and minima of floats into comparisons";
  let description = [{
    NaN propagates, and 0.0 is larger than -0.0. Upstream's `arith-expand` forgets the
    latter; run this before it.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TdslLowerVectors : Pass<"tdsl-lower-vectors", "::mlir::func::FuncOp"> {
  let summary = "turn vectors of several axes into vectors of one axis";
  let description = [{
    Reductions, transposes and transfers between memory and vectors become operations
    on vectors of one axis, unrolled, which LLVM's code generator turns into
    instructions.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect",
  ];
}

def TdslCollapseParallelLoops : Pass<"tdsl-collapse-parallel-loops"> {
  let summary = "make every outermost parallel loop one-dimensional";
  let description = [{
    A GPU has three grid dimensions, two of them short. One long dimension holds any
    number of independent cells, neighbours in memory next to each other.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TdslExpandMath : Pass<"tdsl-expand-math"> {
  let summary = "turn functions of the math dialect into arithmetic";
  let description = [{
    `exp`, `exp2`, `tanh`, `log` and `log2` of f64, f32, f16 and bf16, `sin`, `cos` and
    `powf` of f32, f16 and bf16, and the same of vectors become operations of the arith
    dialect without branches, tables and calls, so that loops around them vectorise, and
    GPUs need no library. Functions of f16 and bf16 are those of f32, rounded once more. Special values are those of C; `docs/numbers.md` states the
    errors. Products and sums that may be one rounding have the flag `contract`, so that
    no target calls a library for them.
  }];
  let options = [
    Option<"libm", "libm", "bool", "false",
           "leave the functions to the target's library">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TdslConvertMathToIntrinsics : Pass<"tdsl-convert-math-to-intrinsics"> {
  let summary = "turn functions that GPUs have instructions for into intrinsics";
  let description = [{
    Square roots, absolute values, roundings and signs of f32 and f64 become LLVM's
    intrinsics. Upstream's conversion to the NVVM dialect calls NVIDIA's device library
    even for these.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // TDSL_PASSES
