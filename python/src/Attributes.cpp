//===- Attributes.cpp - The attributes and types of the dialect -----------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The classes are written in Python, in tdsl/ir/attributes.py; here are the
// functions they are made of. Each checks the kind of attribute that it gets: a
// wrong one would be a failed cast, which ends the process.
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"
#include "Casters.h"
#include "Diagnostics.h"
#include "tdsl-c/Dialect.h"

#include <pybind11/stl.h>

#include <memory>
#include <optional>

namespace py = pybind11;

namespace {

MlirStringRef toRef(const std::string &text) {
  return mlirStringRefCreate(text.data(), text.size());
}

std::string toString(MlirStringRef text) {
  return std::string(text.data, text.length);
}

void append(MlirStringRef text, void *result) {
  static_cast<std::string *>(result)->append(text.data, text.length);
}

/// What `print` writes.
template <typename Print> std::string collectText(Print print) {
  std::string text;
  print(append, &text);
  return text;
}

/// Calls `build`, and turns what it emits into a ValueError if the result is
/// null.
template <typename Build> auto checked(MlirLocation location, Build build) {
  MlirContext context = mlirLocationGetContext(location);
  std::vector<tdsl::python::CollectedDiagnostic> diagnostics;
  MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(
      context, tdsl::python::collectDiagnostic, &diagnostics, nullptr);
  auto result = build();
  mlirContextDetachDiagnosticHandler(context, handler);
  if (result.ptr)
    return result;
  std::string text;
  for (const auto &diagnostic : diagnostics)
    text += (text.empty() ? "" : "\n") + diagnostic.message;
  throw py::value_error(text);
}

/// Refuses parts of another context than that of the attribute to build: they
/// are freed with their own.
void requireContext(MlirLocation location, MlirContext owner) {
  if (!mlirContextEqual(mlirLocationGetContext(location), owner))
    throw py::value_error("a part belongs to another MLIR context than the "
                          "attribute to build");
}

void requireContext(MlirLocation location,
                    const std::vector<MlirAttribute> &parts) {
  for (MlirAttribute part : parts)
    requireContext(location, mlirAttributeGetContext(part));
}

MlirAttribute require(MlirAttribute attribute, bool (*isA)(MlirAttribute),
                      const char *what) {
  if (isA(attribute))
    return attribute;
  std::string text = collectText([&](MlirStringCallback print, void *data) {
    mlirAttributePrint(attribute, print, data);
  });
  throw py::type_error("expected " + std::string(what) + ", but got " + text);
}

void addShapes(py::module_ &module) {
  module.def("axis_type_id", tdslAxisAttrGetTypeID);
  module.def("is_axis", tdslAttributeIsAAxis);
  module.def("axis_get",
             [](MlirLocation location, int64_t size, const std::string &basis) {
               return checked(location, [&] {
                 return tdslAxisAttrGet(location, size, toRef(basis));
               });
             });
  module.def("axis_parts", [](MlirAttribute axis) {
    require(axis, tdslAttributeIsAAxis, "an axis");
    return py::make_tuple(tdslAxisAttrGetSize(axis),
                          toString(tdslAxisAttrGetBasis(axis)));
  });

  module.def("row_type_id", tdslRowAttrGetTypeID);
  module.def("is_row", tdslAttributeIsARow);
  module.def("row_get", [](MlirLocation location,
                           const std::vector<MlirAttribute> &leading,
                           const std::optional<std::string> &variable,
                           const std::vector<MlirAttribute> &trailing) {
    requireContext(location, leading);
    requireContext(location, trailing);
    // The name outlives the reference to it.
    std::string text = variable.value_or("");
    MlirStringRef name = toRef(text);
    return checked(location, [&] {
      return tdslRowAttrGet(location, leading.size(), leading.data(),
                            variable ? &name : nullptr, trailing.size(),
                            trailing.data());
    });
  });
  module.def("row_parse", [](MlirLocation location, const std::string &text) {
    return checked(location,
                   [&] { return tdslRowAttrParse(location, toRef(text)); });
  });
  module.def("row_parts", [](MlirAttribute row) {
    require(row, tdslAttributeIsARow, "a row");
    py::list leading, trailing;
    for (intptr_t i = 0; i < tdslRowAttrGetNumLeading(row); ++i)
      leading.append(tdslRowAttrGetLeading(row, i));
    for (intptr_t i = 0; i < tdslRowAttrGetNumTrailing(row); ++i)
      trailing.append(tdslRowAttrGetTrailing(row, i));
    py::object variable = py::none();
    if (!tdslRowAttrIsClosed(row))
      variable = py::str(toString(tdslRowAttrGetVariable(row)));
    return py::make_tuple(leading, variable, trailing);
  });

  module.def("shape_type_id", tdslShapeAttrGetTypeID);
  module.def("is_shape", tdslAttributeIsAShape);
  module.def("shape_get", [](MlirLocation location, MlirAttribute batch,
                             MlirAttribute input, MlirAttribute output) {
    requireContext(location, {batch, input, output});
    return checked(location, [&] {
      return tdslShapeAttrGet(location, batch, input, output);
    });
  });
  module.def("shape_parse", [](MlirLocation location, const std::string &text) {
    return checked(location,
                   [&] { return tdslShapeAttrParse(location, toRef(text)); });
  });
  module.def("shape_parts", [](MlirAttribute shape) {
    require(shape, tdslAttributeIsAShape, "a shape");
    return py::make_tuple(tdslShapeAttrGetRow(shape, TdslRowKindBatch),
                          tdslShapeAttrGetRow(shape, TdslRowKindInput),
                          tdslShapeAttrGetRow(shape, TdslRowKindOutput));
  });
  module.def("shape_is_solved", [](MlirAttribute shape) {
    return tdslShapeAttrIsSolved(
        require(shape, tdslAttributeIsAShape, "a shape"));
  });
  module.def("attribute_text", [](MlirAttribute attribute) {
    return collectText([&](MlirStringCallback print, void *data) {
      tdslAttributePrintText(attribute, print, data);
    });
  });
}

void addSpaces(py::module_ &module) {
  module.def("iterator_type_id", tdslIteratorAttrGetTypeID);
  module.def("is_iterator", tdslAttributeIsAIterator);
  module.def("iterator_get", [](MlirLocation location, const std::string &name,
                                int64_t size, bool isReduction) {
    return checked(location, [&] {
      return tdslIteratorAttrGet(location, toRef(name), size, isReduction);
    });
  });
  module.def("iterator_parts", [](MlirAttribute iterator) {
    require(iterator, tdslAttributeIsAIterator, "an iterator");
    return py::make_tuple(toString(tdslIteratorAttrGetName(iterator)),
                          tdslIteratorAttrGetSize(iterator),
                          tdslIteratorAttrIsReduction(iterator));
  });

  module.def("space_type_id", tdslSpaceAttrGetTypeID);
  module.def("is_space", tdslAttributeIsASpace);
  module.def("space_get", [](MlirLocation location,
                             const std::vector<MlirAttribute> &iterators,
                             const std::vector<std::string> &symbols,
                             const std::vector<MlirAffineMap> &maps,
                             const std::vector<bool> &guarded) {
    if (guarded.size() != maps.size())
      throw py::value_error("a space says for each of its maps whether it is "
                            "guarded");
    requireContext(location, iterators);
    for (MlirAffineMap map : maps)
      requireContext(location, mlirAffineMapGetContext(map));
    std::vector<MlirStringRef> names;
    for (const std::string &symbol : symbols)
      names.push_back(toRef(symbol));
    // std::vector<bool> has no array of bool behind it.
    auto flags = std::make_unique<bool[]>(guarded.size());
    for (size_t i = 0; i < guarded.size(); ++i)
      flags[i] = guarded[i];
    return checked(location, [&] {
      return tdslSpaceAttrGet(location, iterators.size(), iterators.data(),
                              names.size(), names.data(), maps.size(),
                              maps.data(), flags.get());
    });
  });
  module.def("space_parts", [](MlirAttribute space) {
    require(space, tdslAttributeIsASpace, "a space");
    py::list iterators, symbols, maps, guarded;
    for (intptr_t i = 0; i < tdslSpaceAttrGetNumIterators(space); ++i)
      iterators.append(tdslSpaceAttrGetIterator(space, i));
    for (intptr_t i = 0; i < tdslSpaceAttrGetNumSymbols(space); ++i)
      symbols.append(toString(tdslSpaceAttrGetSymbol(space, i)));
    for (intptr_t i = 0; i < tdslSpaceAttrGetNumMaps(space); ++i) {
      maps.append(tdslSpaceAttrGetMap(space, i));
      guarded.append(tdslSpaceAttrIsGuarded(space, i));
    }
    return py::make_tuple(iterators, symbols, maps, guarded);
  });
}

void addUses(py::module_ &module) {
  module.def("logic_type_id", tdslLogicAttrGetTypeID);
  module.def("is_logic", tdslAttributeIsALogic);
  module.def("logic_get",
             [](MlirLocation location, const std::string &kind,
                const std::string &spec, const std::string &symbol) {
               return checked(location, [&] {
                 return tdslLogicAttrGet(location, toRef(kind), toRef(spec),
                                         toRef(symbol));
               });
             });
  module.def("logic_parts", [](MlirAttribute logic) {
    require(logic, tdslAttributeIsALogic, "a shape logic");
    return py::make_tuple(toString(tdslLogicAttrGetKind(logic)),
                          toString(tdslLogicAttrGetSpec(logic)),
                          toString(tdslLogicAttrGetSymbol(logic)));
  });

  module.def("access_type_id", tdslAccessAttrGetTypeID);
  module.def("is_access", tdslAttributeIsAAccess);
  module.def("access_get", [](MlirLocation location, const std::string &node,
                              bool merge, const std::string &slot) {
    return checked(location, [&] {
      return tdslAccessAttrGet(location, toRef(node), merge, toRef(slot));
    });
  });
  module.def("access_parts", [](MlirAttribute access) {
    require(access, tdslAttributeIsAAccess, "an access");
    std::string slot = collectText([&](MlirStringCallback print, void *data) {
      tdslAccessAttrPrintSlot(access, print, data);
    });
    return py::make_tuple(toString(tdslAccessAttrGetNode(access)),
                          tdslAccessAttrIsMerge(access), slot);
  });

  module.def("term_type_id", tdslTermAttrGetTypeID);
  module.def("is_term", tdslAttributeIsATerm);
  module.def("term_get", [](MlirLocation location, const std::string &symbol,
                            std::optional<int> row,
                            std::optional<int64_t> axis) {
    if (row && (*row < TdslRowKindBatch || *row > TdslRowKindOutput))
      throw py::value_error("a row is batch, input or output");
    TdslRowKind kind = static_cast<TdslRowKind>(row.value_or(0));
    int64_t position = axis.value_or(0);
    return checked(location, [&] {
      return tdslTermAttrGet(location, toRef(symbol), row ? &kind : nullptr,
                             axis ? &position : nullptr);
    });
  });
  module.def("term_get_literal",
             [](MlirLocation location, MlirAttribute literal) {
               requireContext(location, mlirAttributeGetContext(literal));
               return checked(location, [&] {
                 return tdslTermAttrGetLiteral(location, literal);
               });
             });
  module.def("term_parts", [](MlirAttribute term) {
    require(term, tdslAttributeIsATerm, "a term");
    TdslRowKind kind;
    int64_t position;
    std::optional<int> row;
    std::optional<int64_t> axis;
    if (tdslTermAttrGetRow(term, &kind))
      row = kind;
    if (tdslTermAttrGetAxis(term, &position))
      axis = position;
    return py::make_tuple(toString(tdslTermAttrGetSymbol(term)), row, axis,
                          tdslTermAttrGetLiteralAttr(term));
  });

  module.def("symbol_index_type_id", tdslSymbolIndexTypeGetTypeID);
  module.def("is_symbol_index", tdslTypeIsASymbolIndex);
  module.def("symbol_index_get",
             [](MlirContext context, const std::string &symbol) {
               return tdslSymbolIndexTypeGet(context, toRef(symbol));
             });
  module.def("symbol_index_symbol", [](MlirType type) {
    if (!tdslTypeIsASymbolIndex(type))
      throw py::type_error("expected a !tdsl.index type");
    return toString(tdslSymbolIndexTypeGetSymbol(type));
  });
}

MlirOperation requireIndexSpace(MlirOperation op) {
  if (!tdslOperationHasIndexSpace(op))
    throw py::type_error("the operation has no index space");
  return op;
}

void addOperations(py::module_ &module) {
  module.def("has_index_space", tdslOperationHasIndexSpace);
  module.def("iteration_space", [](MlirOperation op) {
    return tdslOperationGetIterationSpace(requireIndexSpace(op));
  });
  module.def("destinations", [](MlirOperation op) {
    return tdslOperationGetDestinations(requireIndexSpace(op));
  });
  module.def("sources", [](MlirOperation op) {
    return tdslOperationGetSources(requireIndexSpace(op));
  });
  module.def("destination_map", [](MlirOperation op, intptr_t position) {
    return tdslOperationGetDestinationMap(requireIndexSpace(op), position);
  });
  module.def("source_map", [](MlirOperation op, intptr_t position) {
    return tdslOperationGetSourceMap(requireIndexSpace(op), position);
  });

  module.def("bytecode_version", [] {
    uint64_t major, minor;
    tdslGetBytecodeVersion(&major, &minor);
    return py::make_tuple(major, minor);
  });
  module.def(
      "write_bytecode", [](MlirOperation op, uint64_t major, uint64_t minor) {
        std::string bytes;
        if (mlirLogicalResultIsFailure(
                tdslWriteBytecode(op, major, minor, append, &bytes)))
          throw py::value_error("the operation cannot be written as bytecode");
        return py::bytes(bytes);
      });
}

} // namespace

void tdsl::python::addAttributes(pybind11::module_ &module) {
  addShapes(module);
  addSpaces(module);
  addUses(module);
  addOperations(module);
}
