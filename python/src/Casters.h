//===- Casters.h - mlir.ir objects as C API handles -------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The classes of mlir.ir are made with nanobind and ours with pybind11, so the
// two meet in the capsules that mlir-c/Bindings/Python/Interop.h defines.
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_PYTHON_CASTERS_H
#define TDSL_PYTHON_CASTERS_H

#include "mlir-c/Bindings/Python/Interop.h"

#include <pybind11/pybind11.h>

namespace pybind11::detail {

template <typename Handle, Handle (*FromCapsule)(PyObject *)>
bool loadHandle(handle source, Handle &value) {
  if (!hasattr(source, MLIR_PYTHON_CAPI_PTR_ATTR))
    return false;
  // The attribute itself raises for an operation that was erased.
  object capsule = source.attr(MLIR_PYTHON_CAPI_PTR_ATTR);
  value = FromCapsule(capsule.ptr());
  if (value.ptr)
    return true;
  // A capsule of another class: let pybind11 name the expected type.
  PyErr_Clear();
  return false;
}

inline object createPythonObject(PyObject *capsule, const char *className) {
  object owned = reinterpret_steal<object>(capsule);
  return module_::import("mlir.ir").attr(className).attr(
      MLIR_PYTHON_CAPI_FACTORY_ATTR)(owned);
}

// A null handle is None: every function that returns one documents it.
#define TDSL_CASTER(Handle, FromCapsule, ToCapsule, className)                 \
  template <> struct type_caster<Handle> {                                     \
    PYBIND11_TYPE_CASTER(Handle, const_name("mlir.ir." className));            \
    bool load(handle source, bool) {                                           \
      return loadHandle<Handle, FromCapsule>(source, value);                   \
    }                                                                          \
    static handle cast(Handle v, return_value_policy, handle) {                \
      if (!v.ptr)                                                              \
        return none().release();                                               \
      return createPythonObject(ToCapsule(v), className).release();            \
    }                                                                          \
  }

// Attributes and types come back as the most derived class that is known.
#define TDSL_DOWNCASTING_CASTER(Handle, FromCapsule, ToCapsule, className)     \
  template <> struct type_caster<Handle> {                                     \
    PYBIND11_TYPE_CASTER(Handle, const_name("mlir.ir." className));            \
    bool load(handle source, bool) {                                           \
      return loadHandle<Handle, FromCapsule>(source, value);                   \
    }                                                                          \
    static handle cast(Handle v, return_value_policy, handle) {                \
      if (!v.ptr)                                                              \
        return none().release();                                               \
      return createPythonObject(ToCapsule(v), className)                       \
          .attr(MLIR_PYTHON_MAYBE_DOWNCAST_ATTR)()                             \
          .release();                                                          \
    }                                                                          \
  }

TDSL_DOWNCASTING_CASTER(MlirAttribute, mlirPythonCapsuleToAttribute,
                        mlirPythonAttributeToCapsule, "Attribute");
TDSL_DOWNCASTING_CASTER(MlirType, mlirPythonCapsuleToType,
                        mlirPythonTypeToCapsule, "Type");
TDSL_CASTER(MlirContext, mlirPythonCapsuleToContext, mlirPythonContextToCapsule,
            "Context");
TDSL_CASTER(MlirLocation, mlirPythonCapsuleToLocation,
            mlirPythonLocationToCapsule, "Location");
TDSL_CASTER(MlirTypeID, mlirPythonCapsuleToTypeID, mlirPythonTypeIDToCapsule,
            "TypeID");
TDSL_CASTER(MlirAffineMap, mlirPythonCapsuleToAffineMap,
            mlirPythonAffineMapToCapsule, "AffineMap");
TDSL_CASTER(MlirOperation, mlirPythonCapsuleToOperation,
            mlirPythonOperationToCapsule, "Operation");

#undef TDSL_CASTER
#undef TDSL_DOWNCASTING_CASTER

} // namespace pybind11::detail

#endif // TDSL_PYTHON_CASTERS_H
