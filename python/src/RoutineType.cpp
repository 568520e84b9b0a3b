//===- RoutineType.cpp - Routines as Python objects -----------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A call on plain arrays that need no copy is done here. Whatever else there is
// to say or to do about the values of a call, the method `_call_slowly` of the
// Python class does.
//
//===----------------------------------------------------------------------===//

#include "RoutineType.h"
#include "Bindings.h"

#include <structmember.h>

using namespace tdsl::python;

static PyTypeObject *boundCallType;

static RoutineObject *cast(PyObject *object) {
  return reinterpret_cast<RoutineObject *>(object);
}

//===----------------------------------------------------------------------===//
// The fast call
//===----------------------------------------------------------------------===//

/// The values of a call in the order of the arguments, then of the symbols.
using Values = ShortArray<PyObject *>;

static PyObject *nameOf(const Routine &routine, std::size_t position) {
  return position < routine.arguments.size()
             ? routine.arguments[position].key.get()
             : routine.symbols[position - routine.arguments.size()].name.get();
}

/// The position of a name, looking at `start` first; the number of all if it is
/// unknown. Names in a program are interned, so that most are identical.
static std::size_t findName(const Routine &routine, PyObject *name,
                            std::size_t start, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t position = start + i < count ? start + i : start + i - count;
    if (nameOf(routine, position) == name)
      return position;
  }
  for (std::size_t position = 0; position < count; ++position)
    if (PyUnicode_Compare(nameOf(routine, position), name) == 0)
      return position;
  return count;
}

/// Finds the value of each name. False if a name is unknown, or the call has
/// another form.
static bool collect(const Routine &routine, PyObject *const *arguments,
                    std::size_t positional, PyObject *keywords,
                    Values &values) {
  std::size_t count = values.getSize();
  if (positional > 1)
    return false;
  if (positional == 1) {
    PyObject *dictionary = arguments[0];
    if (!PyDict_CheckExact(dictionary))
      return false;
    // Comparisons of other keys may run Python code, which may change the
    // dictionary.
    PyObject *key;
    Py_ssize_t entry = 0, found = 0;
    while (PyDict_Next(dictionary, &entry, &key, nullptr))
      if (!PyUnicode_CheckExact(key))
        return false;
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = PyDict_GetItemWithError(dictionary, nameOf(routine, i));
      found += values[i] != nullptr;
    }
    if (found != PyDict_GET_SIZE(dictionary))
      return false;
  }
  std::size_t next = 0;
  Py_ssize_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
  for (Py_ssize_t i = 0; i < named; ++i) {
    std::size_t position =
        findName(routine, PyTuple_GET_ITEM(keywords, i), next, count);
    if (position == count)
      return false;
    values[position] = arguments[positional + i];
    next = position + 1;
  }
  return true;
}

namespace {

/// The arrays of a running call: another thread may let go of those that the
/// caller gave.
class HeldArrays {
public:
  explicit HeldArrays(std::size_t count) : arrays(count) {}
  ~HeldArrays() {
    for (std::size_t i = 0; i < arrays.getSize(); ++i)
      Py_XDECREF(arrays[i]);
  }
  void hold(std::size_t i, PyObject *array) { arrays[i] = array; }
  PyObject *const *get() { return arrays.get(); }

private:
  ShortArray<PyObject *> arrays;
};

} // namespace

/// Returns the results of the call; null without an exception if it has to be
/// done slowly.
static PyObject *callFast(Routine &routine, Values &values) {
  std::size_t count = routine.arguments.size();
  HeldArrays held(count);
  ShortArray<void *> pointers(count);
  for (std::size_t i = 0; i < count; ++i) {
    const ArgumentLayout &argument = routine.arguments[i];
    PyObject *array = values[i];
    if (array) {
      if (!isPlainArray(array))
        return nullptr;
      Py_INCREF(array);
    } else if (!argument.isOptional) {
      return nullptr;
    } else if (!(array = createArray(argument))) {
      return nullptr;
    }
    held.hold(i, array);
    if (!isUsable(argument, array))
      return nullptr;
    pointers[i] = getMemory(array);
  }
  ShortArray<std::int64_t> symbols(routine.symbols.size());
  for (std::size_t i = 0; i < routine.symbols.size(); ++i)
    if (!values[count + i] ||
        !readSymbol(routine.symbols[i], values[count + i], symbols[i]))
      return nullptr;
  if (overlap(routine, pointers.get()))
    return nullptr;
  if (!routine.run(pointers.get(), symbols.get()))
    return nullptr;
  return routine.createResults(held.get());
}

static PyObject *callRoutine(PyObject *self, PyObject *const *arguments,
                             std::size_t flags, PyObject *keywords) {
  Routine *routine = cast(self)->routine;
  if (!routine) {
    PyErr_SetString(PyExc_TypeError, "the routine was not initialised");
    return nullptr;
  }
  std::size_t positional = PyVectorcall_NARGS(flags);
  Values values(routine->arguments.size() + routine->symbols.size());
  if (collect(*routine, arguments, positional, keywords, values)) {
    PyObject *results = callFast(*routine, values);
    if (results || PyErr_Occurred())
      return results;
  }
  static PyObject *slow = PyUnicode_InternFromString("_call_slowly");
  std::size_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
  ShortArray<PyObject *> all(1 + positional + named);
  all[0] = self;
  for (std::size_t i = 0; i < positional + named; ++i)
    all[i + 1] = arguments[i];
  return PyObject_VectorcallMethod(slow, all.get(), positional + 1, keywords);
}

//===----------------------------------------------------------------------===//
// Methods
//===----------------------------------------------------------------------===//

/// Checks a tuple of arrays for all arguments. False with an exception set.
static bool getPointers(Routine &routine, PyObject *arrays,
                        ShortArray<void *> &pointers) {
  if (!PyTuple_CheckExact(arrays) || static_cast<std::size_t>(PyTuple_GET_SIZE(
                                         arrays)) != routine.arguments.size()) {
    PyErr_Format(PyExc_TypeError, "expected a tuple of %zu arrays",
                 routine.arguments.size());
    return false;
  }
  for (std::size_t i = 0; i < routine.arguments.size(); ++i) {
    PyObject *array = PyTuple_GET_ITEM(arrays, i);
    if (!isUsable(routine.arguments[i], array)) {
      PyErr_Format(PyExc_ValueError, "the array of %R cannot be used in place",
                   routine.arguments[i].key.get());
      return false;
    }
    pointers[i] = getMemory(array);
  }
  if (overlap(routine, pointers.get())) {
    PyErr_SetString(PyExc_ValueError, "arrays that are written overlap others");
    return false;
  }
  return true;
}

static PyObject *run(PyObject *self, PyObject *const *arguments,
                     Py_ssize_t count) {
  Routine *routine = cast(self)->routine;
  if (!routine || count != 2 || !PyTuple_CheckExact(arguments[1]) ||
      static_cast<std::size_t>(PyTuple_GET_SIZE(arguments[1])) !=
          routine->symbols.size()) {
    PyErr_SetString(PyExc_TypeError,
                    "expected a tuple of arrays and one of symbols");
    return nullptr;
  }
  ShortArray<void *> pointers(routine->arguments.size());
  if (!getPointers(*routine, arguments[0], pointers))
    return nullptr;
  ShortArray<std::int64_t> symbols(routine->symbols.size());
  for (std::size_t i = 0; i < routine->symbols.size(); ++i)
    if (!readSymbol(routine->symbols[i], PyTuple_GET_ITEM(arguments[1], i),
                    symbols[i])) {
      PyErr_Format(PyExc_ValueError, "the value of %R is out of its range",
                   routine->symbols[i].name.get());
      return nullptr;
    }
  Reference held = Reference::borrow(arguments[0]);
  if (!routine->run(pointers.get(), symbols.get()))
    return nullptr;
  Py_RETURN_NONE;
}

static PyObject *bindArrays(PyObject *self, PyObject *arrays) {
  RoutineObject *object = cast(self);
  if (!object->routine) {
    PyErr_SetString(PyExc_TypeError, "the routine was not initialised");
    return nullptr;
  }
  ShortArray<void *> pointers(object->routine->arguments.size());
  if (!getPointers(*object->routine, arrays, pointers))
    return nullptr;
  return createBoundCall(boundCallType, object, arrays);
}

//===----------------------------------------------------------------------===//
// Life
//===----------------------------------------------------------------------===//

/// (key, dtype, shape, bytes, alignment, is written, is optional)
static bool parseArgument(PyObject *entry, ArgumentLayout &argument) {
  PyObject *key, *dtype, *shape;
  Py_ssize_t bytes, alignment;
  int isWritten, isOptional;
  if (!PyArg_ParseTuple(entry, "UOO!nnpp", &key, &dtype, &PyTuple_Type, &shape,
                        &bytes, &alignment, &isWritten, &isOptional))
    return false;
  Py_INCREF(key);
  PyUnicode_InternInPlace(&key);
  argument.key = Reference::steal(key);
  argument.dtype = Reference::borrow(dtype);
  argument.bytes = bytes;
  argument.alignment = alignment;
  argument.isWritten = isWritten;
  argument.isOptional = isOptional;
  for (Py_ssize_t axis = 0; axis < PyTuple_GET_SIZE(shape); ++axis) {
    Py_ssize_t size = PyLong_AsSsize_t(PyTuple_GET_ITEM(shape, axis));
    if (size == -1 && PyErr_Occurred())
      return false;
    argument.shape.push_back(size);
  }
  return true;
}

static bool parseSymbol(PyObject *entry, SymbolRange &symbol) {
  PyObject *name;
  if (!PyArg_ParseTuple(entry, "ULL", &name, &symbol.start, &symbol.stop))
    return false;
  Py_INCREF(name);
  PyUnicode_InternInPlace(&name);
  symbol.name = Reference::steal(name);
  return true;
}

template <typename Item>
static bool parseAll(PyObject *entries, bool (*parse)(PyObject *, Item &),
                     std::vector<Item> &items) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(entries); ++i)
    if (!parse(PyTuple_GET_ITEM(entries, i), items.emplace_back()))
      return false;
  return true;
}

static int initialise(PyObject *self, PyObject *arguments, PyObject *keywords) {
  PyObject *owner, *layouts, *symbols, *resultsType, *hidden;
  unsigned long long entry;
  Py_ssize_t workspaceBytes;
  if (keywords && PyDict_GET_SIZE(keywords) != 0) {
    PyErr_SetString(PyExc_TypeError, "NativeRoutine takes no keywords");
    return -1;
  }
  if (!PyArg_ParseTuple(arguments, "OKO!O!nOO", &owner, &entry, &PyTuple_Type,
                        &layouts, &PyTuple_Type, &symbols, &workspaceBytes,
                        &resultsType, &hidden) ||
      !importNumpy())
    return -1;
  if (cast(self)->routine || workspaceBytes < 0 || !entry) {
    PyErr_SetString(PyExc_ValueError, "a routine is initialised once");
    return -1;
  }
  auto routine = std::make_unique<Routine>(workspaceBytes);
  routine->owner = Reference::borrow(owner);
  routine->entry =
      reinterpret_cast<Routine::Entry>(static_cast<std::uintptr_t>(entry));
  routine->resultsType = Reference::borrow(resultsType);
  routine->hidden = Reference::borrow(hidden);
  if (!parseAll(layouts, parseArgument, routine->arguments) ||
      !parseAll(symbols, parseSymbol, routine->symbols))
    return -1;
  cast(self)->routine = routine.release();
  return 0;
}

static PyObject *create(PyTypeObject *type, PyObject *, PyObject *) {
  PyObject *self = type->tp_alloc(type, 0);
  if (self)
    cast(self)->vectorcall = callRoutine;
  return self;
}

static void destroy(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  delete cast(self)->routine;
  type->tp_free(self);
  Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"_run", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(run)),
     METH_FASTCALL,
     "Runs the routine on arrays that need no copy, in its order."},
    {"_bind", bindArrays, METH_O,
     "A call on arrays that need no copy, in its order."},
    {nullptr, nullptr, 0, nullptr}};

static PyMemberDef members[] = {{"__vectorcalloffset__", T_PYSSIZET,
                                 offsetof(RoutineObject, vectorcall), READONLY,
                                 nullptr},
                                {nullptr, 0, 0, 0, nullptr}};

static PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char *>("A routine in machine code.")},
    {Py_tp_new, reinterpret_cast<void *>(create)},
    {Py_tp_init, reinterpret_cast<void *>(initialise)},
    {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
    {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {0, nullptr}};

static PyType_Spec routineSpec = {
    "tdsl._tdsl.NativeRoutine", sizeof(RoutineObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_VECTORCALL,
    slots};

void tdsl::python::addCalls(pybind11::module_ &module) {
  auto addType = [&](PyType_Spec &spec, const char *name) {
    PyObject *type = PyType_FromSpec(&spec);
    if (!type)
      throw pybind11::error_already_set();
    module.add_object(name, type);
    return reinterpret_cast<PyTypeObject *>(type);
  };
  addType(routineSpec, "NativeRoutine");
  boundCallType = addType(boundCallSpec, "BoundCall");
}
