//===- Invocation.h - Routines, their arrays and their workspaces -*- C++
//-*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Written against CPython's and NumPy's own C interfaces: pybind11's dispatch
// takes longer than a whole call may.
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_PYTHON_INVOCATION_H
#define TDSL_PYTHON_INVOCATION_H

#include "Reference.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tdsl::python {

/// The memory of one node.
struct ArgumentLayout {
  Reference key;
  Reference dtype;
  std::vector<std::intptr_t> shape;
  std::size_t bytes = 0, alignment = 1;
  bool isWritten = false;
  /// A caller may leave it out, and gets a new array.
  bool isOptional = false;
};

/// A static symbol, whose values are `start` to `stop` - 1.
struct SymbolRange {
  Reference name;
  long long start, stop;
};

/// Memory for the calls of one routine: as many blocks as there were calls at
/// the same time, kept until the routine goes. Use it with the GIL, which is
/// its lock; a child process then never finds it locked.
class WorkspacePool {
public:
  explicit WorkspacePool(std::size_t bytes) : bytes(bytes) {}
  WorkspacePool(const WorkspacePool &) = delete;
  WorkspacePool &operator=(const WorkspacePool &) = delete;
  ~WorkspacePool();

  /// Sets `block`, to null if no call needs memory. False, with MemoryError
  /// set, if there is none.
  bool acquire(void *&block);
  void release(void *block);

private:
  std::size_t bytes;
  std::vector<void *> blocks;
  /// Those of `blocks` that no call uses; never needs more room than they do.
  std::vector<void *> available;
};

/// What C++ knows of a routine in machine code.
struct Routine {
  explicit Routine(std::size_t workspaceBytes) : workspaces(workspaceBytes) {}

  using Entry = void (*)(void *const *pointers, const std::int64_t *symbols,
                         void *workspace);

  /// Keeps the code loaded.
  Reference owner;
  Entry entry = nullptr;
  std::vector<ArgumentLayout> arguments;
  std::vector<SymbolRange> symbols;
  WorkspacePool workspaces;
  /// Called with a dictionary of the arrays that a call wrote, and `hidden`.
  Reference resultsType, hidden;

  /// Runs it without the GIL. False, with MemoryError set, if there is no
  /// memory for its workspace.
  bool run(void *const *pointers, const std::int64_t *symbols);

  /// New reference to the results of a call on `arrays`.
  PyObject *createResults(PyObject *const *arrays) const;
};

/// Makes NumPy usable here, once. False with an exception set.
bool importNumpy();

/// Whether `object` is an ndarray, not of a subclass.
bool isPlainArray(PyObject *object);

/// Whether native code can use the memory of an array as it is: it has the type
/// and shape of the argument, is contiguous, aligned, and writable if need be.
/// `object` may be anything.
bool isUsable(const ArgumentLayout &argument, PyObject *object);

/// Of something that is usable.
void *getMemory(PyObject *array);

/// An array whose cells are not set. Null with an exception set.
PyObject *createArray(const ArgumentLayout &argument);

/// Whether memory that is written belongs to another argument, too.
bool overlap(const Routine &routine, void *const *pointers);

/// The value of a symbol, if it is a Python integer in its range.
bool readSymbol(const SymbolRange &symbol, PyObject *object,
                std::int64_t &value);

/// An array of `Value` on the stack unless it is long.
template <typename Value> class ShortArray {
public:
  explicit ShortArray(std::size_t size)
      : data(size <= inlineSize ? inlined : nullptr), size(size) {
    if (!data) {
      allocated = std::make_unique<Value[]>(size);
      data = allocated.get();
    }
    for (std::size_t i = 0; i < size; ++i)
      data[i] = Value();
  }
  Value &operator[](std::size_t i) { return data[i]; }
  Value *get() { return data; }
  std::size_t getSize() const { return size; }

private:
  static constexpr std::size_t inlineSize = 24;
  Value inlined[inlineSize];
  std::unique_ptr<Value[]> allocated;
  Value *data;
  std::size_t size;
};

} // namespace tdsl::python

#endif // TDSL_PYTHON_INVOCATION_H
