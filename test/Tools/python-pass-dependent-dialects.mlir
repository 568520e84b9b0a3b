// RUN: %with_test_passes tdsl-opt %s --test-make-function | FileCheck %s

// CHECK: func.func private @made()
module {
}
