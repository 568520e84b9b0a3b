// RUN: %with_broken_plugins tdsl-opt %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING --implicit-check-not=warning < %t

// CHECK: tdsl.program @program
// WARNING: tdsl-opt: warning: plugin 'broken-exit' (tdsl_broken:Exit of tdsl-broken) is not available: SystemExit: no Exit today
// WARNING: tdsl-opt: warning: plugin 'broken-import' (tdsl_broken_nowhere:Pass of tdsl-broken) is not available: ModuleNotFoundError: No module named 'tdsl_broken_nowhere'
// WARNING: tdsl-opt: warning: plugin 'broken-name' (tdsl_broken:TakenName of tdsl-broken) is not available: ValueError: a pass or pipeline named 'cse' is already registered
tdsl.program @program {
}
