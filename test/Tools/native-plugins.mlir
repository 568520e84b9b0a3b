// REQUIRES: mlir-opt
// RUN: mlir-opt --load-dialect-plugin=%tdsl_library --load-pass-plugin=%tdsl_library --pass-pipeline='builtin.module(tdsl.program(tdsl-internalize),cse)' %s | FileCheck %s
// RUN: tdsl-opt --load-dialect-plugin=%tdsl_library --load-pass-plugin %tdsl_library %s | FileCheck %s
// RUN: not tdsl-opt --load-pass-plugin=%t.missing.so %s 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not tdsl-opt --load-pass-plugin=%s %s 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: %python -c "import _ctypes; print(_ctypes.__file__, end='')" > %t
// RUN: not tdsl-opt --load-dialect-plugin=%{readfile:%t} %s 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK: tdsl.program @program
// CHECK-NEXT: tdsl.node {{(private )?}}@x
// MISSING: tdsl-opt: --load-pass-plugin: there is no file '{{.*}}.missing.so'
// TEXT: tdsl-opt: --load-pass-plugin: cannot load '{{.*}}native-plugins.mlir': {{.*}}invalid ELF header
// OTHER: tdsl-opt: --load-dialect-plugin: '{{.*}}' is not such a plugin: it does not define mlirGetDialectPluginInfo
tdsl.program @program {
  tdsl.node @x : f32 "4" result
}
