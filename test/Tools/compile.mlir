// tdsl-compile writes code, headers and MLIR; MLIR after a stage is a program for tdsl-opt again.

// RUN: rm -rf %t && mkdir %t
// RUN: tdsl-compile %s -o %t/scale.o -o %t/scale.h --target x86_64-linux-gnu --cpu x86-64-v3
// RUN: llvm-readobj -h %t/scale.o | FileCheck %s --check-prefix=OBJECT
// RUN: llvm-nm %t/scale.o | FileCheck %s --check-prefix=SYMBOLS
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/scale.h
// RUN: tdsl-compile %s -o %t/arm.o --target aarch64-linux-gnu
// RUN: llvm-readobj -h %t/arm.o | FileCheck %s --check-prefix=ARM
// RUN: tdsl-compile %s --emit llvm-ir | FileCheck %s --check-prefix=LLVM
// RUN: tdsl-compile %s --emit mlir --stage inferred | tdsl-opt | FileCheck %s --check-prefix=INFERRED
// RUN: not tdsl-compile %s --emit assembly --target aarch64-linux-gnu --cpu cortex-a5 2>&1 | FileCheck %s --check-prefix=CPU

// OBJECT: Format: elf64-x86-64
// OBJECT: Type: Relocatable
// ARM: Machine: EM_AARCH64
// SYMBOLS: T scale_run
// SYMBOLS-NOT: {{[A-Z]}} {{.+}}
// LLVM: define void @scale_run(ptr
// INFERRED: tdsl.node @y : f32 "|->4" result
// CPU: unknown CPU 'cortex-a5' for target 'aarch64-linux-gnu'

// HEADER: #ifndef SCALE_H
// HEADER: #define SCALE_X_SIZE 4 /* float[4], node x */
// HEADER: #define SCALE_RUN_WORKSPACE_BYTES 0
// HEADER-NEXT: void scale_run(
// HEADER-NEXT: const float *TDSL_RESTRICT x,
// HEADER-NEXT: float *TDSL_RESTRICT y,
// HEADER-NEXT: void *TDSL_RESTRICT workspace);
tdsl.program @scale {
  tdsl.node @x : f32 "|->4" input
  tdsl.node @y : ? "...|...->..." result
  tdsl.projections @p "." (@x, @x) -> @y
  tdsl.routine @run { tdsl.assign @y overwrite = mul(@x, @x) by @p }
}
