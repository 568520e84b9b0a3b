//===- Invocation.cpp - Routines, their arrays and their workspaces -------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Invocation.h"

#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#include <numpy/arrayobject.h>

#include <cstdlib>

using namespace tdsl::python;

/// As tdsl/Transforms/RoutineInterface.h promises it to the code.
static constexpr std::size_t workspaceAlignment = 64;

//===----------------------------------------------------------------------===//
// Workspaces
//===----------------------------------------------------------------------===//

WorkspacePool::~WorkspacePool() {
  for (void *block : blocks)
    std::free(block);
}

bool WorkspacePool::acquire(void *&block) {
  block = nullptr;
  if (bytes == 0)
    return true;
  if (!available.empty()) {
    block = available.back();
    available.pop_back();
    return true;
  }
  std::size_t rounded = (bytes + workspaceAlignment - 1) / workspaceAlignment *
                        workspaceAlignment;
  try {
    blocks.reserve(blocks.size() + 1);
    available.reserve(blocks.size() + 1);
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
    return false;
  }
  block = rounded < bytes ? nullptr
                          : std::aligned_alloc(workspaceAlignment, rounded);
  if (!block) {
    PyErr_Format(PyExc_MemoryError,
                 "the workspace of a routine needs %zu bytes", bytes);
    return false;
  }
  blocks.push_back(block);
  return true;
}

void WorkspacePool::release(void *block) {
  if (block)
    available.push_back(block);
}

//===----------------------------------------------------------------------===//
// Routines
//===----------------------------------------------------------------------===//

bool Routine::run(void *const *pointers, const std::int64_t *values) {
  void *workspace;
  if (!workspaces.acquire(workspace))
    return false;
  PyThreadState *thread = PyEval_SaveThread();
  entry(pointers, values, workspace);
  PyEval_RestoreThread(thread);
  workspaces.release(workspace);
  return true;
}

PyObject *Routine::createResults(PyObject *const *arrays) const {
  Reference written = Reference::steal(PyDict_New());
  if (!written)
    return nullptr;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].isWritten &&
        PyDict_SetItem(written.get(), arguments[i].key.get(), arrays[i]) < 0)
      return nullptr;
  PyObject *parts[] = {written.get(), hidden.get()};
  return PyObject_Vectorcall(resultsType.get(), parts, 2, nullptr);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

bool tdsl::python::importNumpy() {
  static bool isImported = false;
  // Not when this module is loaded: tdsl-opt calls nothing.
  if (!isImported)
    isImported = PyArray_ImportNumPyAPI() == 0;
  return isImported;
}

bool tdsl::python::isPlainArray(PyObject *object) {
  return PyArray_CheckExact(object);
}

static std::uintptr_t addressOf(void *memory) {
  return reinterpret_cast<std::uintptr_t>(memory);
}

bool tdsl::python::isUsable(const ArgumentLayout &argument, PyObject *object) {
  if (!PyArray_Check(object))
    return false;
  auto *array = reinterpret_cast<PyArrayObject *>(object);
  if (static_cast<std::size_t>(PyArray_NDIM(array)) != argument.shape.size())
    return false;
  const npy_intp *sizes = PyArray_DIMS(array);
  for (std::size_t axis = 0; axis < argument.shape.size(); ++axis)
    if (sizes[axis] != argument.shape[axis])
      return false;
  auto *dtype = reinterpret_cast<PyArray_Descr *>(argument.dtype.get());
  if (PyArray_DESCR(array) != dtype &&
      !PyArray_EquivTypes(PyArray_DESCR(array), dtype))
    return false;
  int needed = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED |
               (argument.isWritten ? NPY_ARRAY_WRITEABLE : 0);
  return PyArray_CHKFLAGS(array, needed) &&
         addressOf(PyArray_DATA(array)) % argument.alignment == 0;
}

void *tdsl::python::getMemory(PyObject *array) {
  return PyArray_DATA(reinterpret_cast<PyArrayObject *>(array));
}

PyObject *tdsl::python::createArray(const ArgumentLayout &argument) {
  auto *dtype = reinterpret_cast<PyArray_Descr *>(argument.dtype.get());
  Py_INCREF(dtype);
  return PyArray_NewFromDescr(&PyArray_Type, dtype,
                              static_cast<int>(argument.shape.size()),
                              const_cast<npy_intp *>(argument.shape.data()),
                              nullptr, nullptr, 0, nullptr);
}

bool tdsl::python::overlap(const Routine &routine, void *const *pointers) {
  std::size_t count = routine.arguments.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!routine.arguments[i].isWritten)
      continue;
    std::uintptr_t begin = addressOf(pointers[i]);
    std::uintptr_t end = begin + routine.arguments[i].bytes;
    for (std::size_t j = 0; j < count; ++j) {
      // Two that are both written are compared once.
      if (j == i || (j < i && routine.arguments[j].isWritten))
        continue;
      std::uintptr_t otherBegin = addressOf(pointers[j]);
      std::uintptr_t otherEnd = otherBegin + routine.arguments[j].bytes;
      if (begin < otherEnd && otherBegin < end)
        return true;
    }
  }
  return false;
}

bool tdsl::python::readSymbol(const SymbolRange &symbol, PyObject *object,
                              std::int64_t &value) {
  // Not bool, which is a subclass.
  if (!PyLong_CheckExact(object))
    return false;
  int overflow;
  value = PyLong_AsLongLongAndOverflow(object, &overflow);
  return !overflow && value >= symbol.start && value < symbol.stop;
}
