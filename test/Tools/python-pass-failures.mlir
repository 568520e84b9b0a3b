// RUN: %with_test_passes not tdsl-opt %s --test-raise 2>&1 | FileCheck %s --check-prefix=RAISE
// RUN: %with_test_passes not tdsl-opt %s --test-raise='own text={no such axis}' 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: %with_test_passes env TDSL_DEBUG=1 not tdsl-opt %s --test-raise 2>&1 | FileCheck %s --check-prefix=DEBUG
// RUN: %with_test_passes not tdsl-opt %s --test-return-false 2>&1 | FileCheck %s --check-prefix=FALSE
// RUN: %with_test_passes not tdsl-opt %s --test-return-text 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: %with_test_passes tdsl-opt %s --test-raise --verify-diagnostics

// RAISE-NOT: Traceback
// RAISE: python-pass-failures.mlir:[[@LINE+14]]:1: error: pass 'test-raise' raised ValueError: something went wrong
// RAISE-NOT: Traceback

// OWN: python-pass-failures.mlir:[[@LINE+11]]:1: error: no such axis
// OWN-NOT: Traceback

// DEBUG: error: pass 'test-raise' raised ValueError: something went wrong
// DEBUG-NEXT: Traceback (most recent call last):

// FALSE: python-pass-failures.mlir:[[@LINE+5]]:1: error: pass 'test-return-false' failed

// TEXT: python-pass-failures.mlir:[[@LINE+3]]:1: error: pass 'test-return-text' returned 'done'; run() must return None, True or False

// expected-error @+1 {{pass 'test-raise' raised ValueError: something went wrong}}
tdsl.program @program {
}
