//===- BoundCallType.cpp - Calls on the same arrays every time ------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RoutineType.h"

#include <structmember.h>

using namespace tdsl::python;

namespace {

struct BoundCallObject {
  PyObject_HEAD vectorcallfunc vectorcall;
  RoutineObject *routine;
  /// A tuple, in the order of the arguments.
  PyObject *arrays;
  PyObject *results;
  std::vector<void *> *pointers;
  /// Whether some thread is in it. The GIL is its lock.
  bool isRunning;
};

} // namespace

static BoundCallObject *cast(PyObject *object) {
  return reinterpret_cast<BoundCallObject *>(object);
}

static PyObject *raise(const char *format, PyObject *name) {
  Reference errors = Reference::steal(PyImport_ImportModule("tdsl.errors"));
  if (!errors)
    return nullptr;
  Reference type =
      Reference::steal(PyObject_GetAttrString(errors.get(), "TdslError"));
  if (type)
    PyErr_Format(type.get(), format, name);
  return nullptr;
}

/// Whether the arrays still are what was bound: their owner may have resized
/// them, or made them read-only. False with an exception set.
static bool checkArrays(BoundCallObject *call) {
  Routine &routine = *call->routine->routine;
  for (std::size_t i = 0; i < routine.arguments.size(); ++i) {
    PyObject *array = PyTuple_GET_ITEM(call->arrays, i);
    if (isUsable(routine.arguments[i], array) &&
        getMemory(array) == (*call->pointers)[i])
      continue;
    raise("the array of node %R was changed in type, shape, memory or "
          "writability since it was bound: bind again",
          routine.arguments[i].key.get());
    return false;
  }
  return true;
}

/// Reads the values of symbols, given in their order or by name. Otherwise, the
/// Python class says what is wrong with them, or how they are to be read.
static bool readSymbols(BoundCallObject *call, PyObject *const *arguments,
                        std::size_t positional, PyObject *keywords,
                        ShortArray<std::int64_t> &values) {
  const std::vector<SymbolRange> &symbols = call->routine->routine->symbols;
  std::size_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
  bool isRead = positional + named == symbols.size();
  for (std::size_t i = 0; isRead && i < symbols.size(); ++i) {
    PyObject *value = nullptr;
    if (i < positional)
      value = arguments[i];
    for (std::size_t k = 0; !value && k < named; ++k)
      if (PyUnicode_Compare(PyTuple_GET_ITEM(keywords, k),
                            symbols[i].name.get()) == 0)
        value = arguments[positional + k];
    isRead = value && readSymbol(symbols[i], value, values[i]);
  }
  if (isRead)
    return true;
  static PyObject *slow = PyUnicode_InternFromString("_read_symbols");
  ShortArray<PyObject *> all(1 + positional + named);
  all[0] = reinterpret_cast<PyObject *>(call->routine);
  for (std::size_t i = 0; i < positional + named; ++i)
    all[i + 1] = arguments[i];
  Reference read = Reference::steal(
      PyObject_VectorcallMethod(slow, all.get(), positional + 1, keywords));
  if (!read)
    return false;
  Reference sequence = Reference::steal(PySequence_Tuple(read.get()));
  if (!sequence)
    return false;
  for (std::size_t i = 0; i < symbols.size(); ++i)
    if (i >= static_cast<std::size_t>(PyTuple_GET_SIZE(sequence.get())) ||
        !readSymbol(symbols[i], PyTuple_GET_ITEM(sequence.get(), i),
                    values[i])) {
      PyErr_SetString(PyExc_TypeError, "_read_symbols returned other values");
      return false;
    }
  return true;
}

static PyObject *callBound(PyObject *self, PyObject *const *arguments,
                           std::size_t flags, PyObject *keywords) {
  BoundCallObject *call = cast(self);
  Routine &routine = *call->routine->routine;
  ShortArray<std::int64_t> symbols(routine.symbols.size());
  std::size_t positional = PyVectorcall_NARGS(flags);
  if ((positional || keywords || !routine.symbols.empty()) &&
      !readSymbols(call, arguments, positional, keywords, symbols))
    return nullptr;
  if (!checkArrays(call))
    return nullptr;
  if (call->isRunning)
    return raise("this bound call is running in another thread, on the same "
                 "arrays: bind once for each thread",
                 nullptr);
  call->isRunning = true;
  // The caller may let go of the call while it runs.
  Reference held = Reference::borrow(self);
  bool isDone = routine.run(call->pointers->data(), symbols.get());
  call->isRunning = false;
  if (!isDone)
    return nullptr;
  Py_INCREF(call->results);
  return call->results;
}

PyObject *tdsl::python::createBoundCall(PyTypeObject *type,
                                        RoutineObject *routine,
                                        PyObject *arrays) {
  Reference self = Reference::steal(type->tp_alloc(type, 0));
  if (!self)
    return nullptr;
  BoundCallObject *call = cast(self.get());
  call->vectorcall = callBound;
  Py_INCREF(routine);
  call->routine = routine;
  Py_INCREF(arrays);
  call->arrays = arrays;
  ShortArray<PyObject *> items(PyTuple_GET_SIZE(arrays));
  call->pointers = new std::vector<void *>;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(arrays); ++i) {
    items[i] = PyTuple_GET_ITEM(arrays, i);
    call->pointers->push_back(getMemory(items[i]));
  }
  call->results = routine->routine->createResults(items.get());
  return call->results ? self.release() : nullptr;
}

static int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(reinterpret_cast<PyObject *>(cast(self)->routine));
  Py_VISIT(cast(self)->arrays);
  Py_VISIT(cast(self)->results);
  return 0;
}

static void destroy(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_XDECREF(cast(self)->results);
  Py_XDECREF(cast(self)->arrays);
  Py_XDECREF(reinterpret_cast<PyObject *>(cast(self)->routine));
  delete cast(self)->pointers;
  type->tp_free(self);
  Py_DECREF(type);
}

static PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(BoundCallObject, vectorcall),
     READONLY, nullptr},
    {"results", T_OBJECT_EX, offsetof(BoundCallObject, results), READONLY,
     "The nodes that the routine writes: the arrays that every call updates."},
    {nullptr, 0, 0, 0, nullptr}};

static PyType_Slot slots[] = {
    {Py_tp_doc,
     const_cast<char *>(
         "A call of a routine on the same arrays every time.\n\n"
         "Call it with the values of the static symbols, in their order or by "
         "name. It returns ``results``. One thread at a time may call it.")},
    {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
    {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
    {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
    {Py_tp_members, members},
    {0, nullptr}};

PyType_Spec tdsl::python::boundCallSpec = {
    "tdsl._tdsl.BoundCall", sizeof(BoundCallObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
        Py_TPFLAGS_DISALLOW_INSTANTIATION,
    slots};
