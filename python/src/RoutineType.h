//===- RoutineType.h - The Python types of calls ----------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_PYTHON_ROUTINETYPE_H
#define TDSL_PYTHON_ROUTINETYPE_H

#include "Invocation.h"

namespace tdsl::python {

/// An instance of tdsl._tdsl.NativeRoutine.
struct RoutineObject {
  PyObject_HEAD vectorcallfunc vectorcall;
  Routine *routine;
};

/// The description of tdsl._tdsl.BoundCall.
extern PyType_Spec boundCallSpec;

/// A call of the routine on `arrays`, one usable array for each argument, which
/// do not overlap where they are written. Null with an exception set.
PyObject *createBoundCall(PyTypeObject *type, RoutineObject *routine,
                          PyObject *arrays);

} // namespace tdsl::python

#endif // TDSL_PYTHON_ROUTINETYPE_H
