//===- Reference.h - An owned Python object ---------------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_PYTHON_REFERENCE_H
#define TDSL_PYTHON_REFERENCE_H

#include <Python.h>

#include <utility>

namespace tdsl::python {

/// Owns one reference, or none.
class Reference {
public:
  Reference() = default;
  static Reference steal(PyObject *object) {
    Reference result;
    result.object = object;
    return result;
  }
  static Reference borrow(PyObject *object) {
    Py_XINCREF(object);
    return steal(object);
  }
  Reference(Reference &&other) noexcept
      : object(std::exchange(other.object, nullptr)) {}
  Reference &operator=(Reference &&other) noexcept {
    std::swap(object, other.object);
    return *this;
  }
  ~Reference() { Py_XDECREF(object); }

  PyObject *get() const { return object; }
  PyObject *release() { return std::exchange(object, nullptr); }
  explicit operator bool() const { return object != nullptr; }

private:
  PyObject *object = nullptr;
};

} // namespace tdsl::python

#endif // TDSL_PYTHON_REFERENCE_H
