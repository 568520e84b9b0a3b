//===- Target.cpp - Machine code ------------------------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "tdsl-c/Target.h"
#include "Bindings.h"
#include "Casters.h"
#include "Diagnostics.h"
#include "Strings.h"

#include <pybind11/stl.h>

#include <cstdint>
#include <string>
#include <vector>

namespace py = pybind11;
using namespace tdsl::python;

static void appendName(MlirStringRef name, void *names) {
  static_cast<std::vector<std::string> *>(names)->emplace_back(name.data,
                                                               name.length);
}

/// Returns (triple, cpu, features).
static py::tuple hostTarget() {
  py::tuple host;
  tdslGetHostTarget(
      [](const TdslTargetDescription *description, void *result) {
        auto text = [](MlirStringRef s) { return py::str(s.data, s.length); };
        *static_cast<py::tuple *>(result) =
            py::make_tuple(text(description->triple), text(description->cpu),
                           text(description->features));
      },
      &host);
  return host;
}

static TdslCodeKind kindOf(const std::string &name) {
  if (name == "object")
    return TdslCodeKindObject;
  if (name == "assembly")
    return TdslCodeKindAssembly;
  if (name == "llvm-ir")
    return TdslCodeKindLlvmIr;
  throw py::value_error(
      "kind must be 'object', 'assembly' or 'llvm-ir', not '" + name + "'");
}

/// Returns (code or None, diagnostics, seconds of each stage).
static py::tuple emitCode(MlirOperation module, const std::string &triple,
                          const std::string &cpu, const std::string &features,
                          const std::string &kind, int optimizationLevel) {
  std::vector<CollectedDiagnostic> diagnostics;
  TdslEmitOptions options;
  options.target = {ref(triple), ref(cpu), ref(features)};
  options.kind = kindOf(kind);
  options.optimizationLevel = optimizationLevel;
  options.diagnosticHandler = collectDiagnostic;
  options.diagnosticUserData = &diagnostics;

  std::string code;
  TdslEmitTimes times;
  bool succeeded;
  {
    py::gil_scoped_release release;
    succeeded = mlirLogicalResultIsSuccess(
        tdslEmitCode(module, &options, appendText, &code, &times));
  }
  py::list collected;
  for (const CollectedDiagnostic &diagnostic : diagnostics)
    collected.append(diagnostic.toPython());
  py::object result = py::none();
  if (succeeded)
    result = py::bytes(code);
  return py::make_tuple(
      result, collected,
      py::make_tuple(times.translate, times.optimize, times.emit));
}

namespace {

/// Owns a TdslLoadedObject.
class LoadedObject {
public:
  LoadedObject(const py::bytes &object,
               const std::vector<std::string> &libraries) {
    std::vector<MlirStringRef> converted;
    for (const std::string &library : libraries)
      converted.push_back(ref(library));
    std::string_view bytes = object;
    std::string error;
    {
      py::gil_scoped_release release;
      handle = tdslLoadObject(mlirStringRefCreate(bytes.data(), bytes.size()),
                              converted.size(), converted.data(), appendText,
                              &error);
    }
    if (!handle.ptr)
      throw py::value_error(error);
  }
  LoadedObject(const LoadedObject &) = delete;
  LoadedObject &operator=(const LoadedObject &) = delete;
  ~LoadedObject() { tdslLoadedObjectDestroy(handle); }

  std::uintptr_t lookup(const std::string &name) const {
    std::string error;
    void *address =
        tdslLoadedObjectLookup(handle, ref(name), appendText, &error);
    if (!address)
      throw py::value_error(error);
    return reinterpret_cast<std::uintptr_t>(address);
  }
  std::vector<std::string> definedSymbols() const {
    std::vector<std::string> names;
    tdslLoadedObjectForEachDefinedSymbol(handle, appendName, &names);
    return names;
  }
  std::vector<std::string> requiredSymbols() const {
    std::vector<std::string> names;
    tdslLoadedObjectForEachRequiredSymbol(handle, appendName, &names);
    return names;
  }

private:
  TdslLoadedObject handle;
};

} // namespace

void tdsl::python::addTarget(py::module_ &module) {
  module.def("host_target", hostTarget);
  module.def(
      "target_has_feature",
      [](const std::string &triple, const std::string &cpu,
         const std::string &features, const std::string &name) {
        TdslTargetDescription target = {ref(triple), ref(cpu), ref(features)};
        return tdslTargetHasFeature(&target, ref(name));
      },
      py::arg("triple"), py::arg("cpu"), py::arg("features"), py::arg("name"));
  module.def("emit_code", emitCode, py::arg("module"), py::arg("triple"),
             py::arg("cpu"), py::arg("features"), py::arg("kind"),
             py::arg("optimization_level"));
  py::class_<LoadedObject>(module, "LoadedObject")
      .def(py::init<const py::bytes &, const std::vector<std::string> &>(),
           py::arg("object"), py::arg("libraries"))
      .def("lookup", &LoadedObject::lookup, py::arg("name"))
      .def_property_readonly("defined_symbols", &LoadedObject::definedSymbols)
      .def_property_readonly("required_symbols",
                             &LoadedObject::requiredSymbols);
}
