//===- TdslBytecode.cpp - versioned bytecode ------------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
// Caches and ahead-of-time tools keep programs as bytecode across
// releases, so the dialect writes its version and reads every older one.
//
//===----------------------------------------------------------------------===//

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "tdsl/IR/BytecodeVersion.h"
#include "tdsl/IR/TdslAttributes.h"
#include "tdsl/IR/TdslDialect.h"

using namespace mlir;
using namespace tdsl;

namespace {

/// The leading number of each encoded attribute or type. Append only.
enum class Code : uint64_t {
  Axis,
  Row,
  Shape,
  Iterator,
  Space,
  Logic,
  Access,
  Term,
  SymbolIndex
};

class TdslBytecodeInterface : public BytecodeDialectInterface {
public:
  TdslBytecodeInterface(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const override;
  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override;

  LogicalResult writeAttribute(Attribute attribute,
                               DialectBytecodeWriter &writer) const override;
  Attribute readAttribute(DialectBytecodeReader &reader) const override;
  LogicalResult writeType(Type type,
                          DialectBytecodeWriter &writer) const override;
  Type readType(DialectBytecodeReader &reader) const override;

private:
  Attribute readAxis(DialectBytecodeReader &reader) const;
  Attribute readRow(DialectBytecodeReader &reader) const;
  Attribute readShape(DialectBytecodeReader &reader) const;
  Attribute readIterator(DialectBytecodeReader &reader) const;
  Attribute readSpace(DialectBytecodeReader &reader) const;
  Attribute readLogic(DialectBytecodeReader &reader) const;
  Attribute readAccess(DialectBytecodeReader &reader) const;
  Attribute readTerm(DialectBytecodeReader &reader) const;

  /// Builds through the verifier: bytecode is input like any other.
  template <typename Attr, typename... Args>
  Attribute build(DialectBytecodeReader &reader, Args &&...args) const {
    return Attr::getChecked([&] { return reader.emitError(); }, getContext(),
                            std::forward<Args>(args)...);
  }
};

/// An enumerator, refused when its number is unknown.
template <typename Enum>
LogicalResult readEnum(DialectBytecodeReader &reader, Enum &value,
                       std::optional<Enum> (*symbolize)(uint32_t)) {
  uint64_t number = 0;
  if (failed(reader.readVarInt(number)))
    return failure();
  std::optional<Enum> symbol = number <= std::numeric_limits<uint32_t>::max()
                                   ? symbolize(number)
                                   : std::nullopt;
  if (!symbol)
    return reader.emitError() << "unknown enumerator " << number;
  value = *symbol;
  return success();
}

LogicalResult readFlag(DialectBytecodeReader &reader, bool &flag) {
  uint64_t number = 0;
  if (failed(reader.readVarInt(number)))
    return failure();
  flag = number != 0;
  return success();
}

/// A list whose length is not believed before its elements are there.
template <typename Attr>
LogicalResult readAttributes(DialectBytecodeReader &reader,
                             SmallVectorImpl<Attr> &attributes) {
  uint64_t count = 0;
  if (failed(reader.readVarInt(count)))
    return failure();
  for (uint64_t i = 0; i < count; ++i)
    if (failed(reader.readAttribute(attributes.emplace_back())))
      return failure();
  return success();
}

template <typename Attr>
void writeAttributes(DialectBytecodeWriter &writer, ArrayRef<Attr> attributes) {
  writer.writeVarInt(attributes.size());
  for (Attr attribute : attributes)
    writer.writeAttribute(attribute);
}

} // namespace

void TdslDialect::registerBytecodeInterface() {
  addInterfaces<TdslBytecodeInterface>();
}

//===----------------------------------------------------------------------===//
// Version
//===----------------------------------------------------------------------===//

void TdslBytecodeInterface::writeVersion(DialectBytecodeWriter &writer) const {
  BytecodeVersion version;
  if (FailureOr<const DialectVersion *> requested =
          writer.getDialectVersion<TdslDialect>();
      succeeded(requested))
    version = static_cast<const BytecodeVersion &>(**requested);
  writer.writeVarInt(version.majorNumber);
  writer.writeVarInt(version.minorNumber);
}

std::unique_ptr<DialectVersion>
TdslBytecodeInterface::readVersion(DialectBytecodeReader &reader) const {
  uint64_t major = 0, minor = 0;
  if (failed(reader.readVarInt(major)) || failed(reader.readVarInt(minor)))
    return nullptr;
  BytecodeVersion current;
  if (major > current.majorNumber) {
    reader.emitError() << "bytecode of tdsl version " << major << "." << minor
                       << " is newer than this build, which reads up to "
                       << current.majorNumber << ".x: update tdsl";
    return nullptr;
  }
  auto version = std::make_unique<BytecodeVersion>();
  version->majorNumber = major;
  version->minorNumber = minor;
  return version;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

LogicalResult
TdslBytecodeInterface::writeAttribute(Attribute attribute,
                                      DialectBytecodeWriter &writer) const {
  auto begin = [&](Code code) {
    writer.writeVarInt(static_cast<uint64_t>(code));
  };
  if (auto axis = dyn_cast<AxisAttr>(attribute)) {
    begin(Code::Axis);
    writer.writeSignedVarInt(axis.getSize());
    writer.writeAttribute(axis.getBasis());
  } else if (auto row = dyn_cast<RowAttr>(attribute)) {
    begin(Code::Row);
    writeAttributes(writer, row.getLeading());
    writer.writeOptionalAttribute(row.getVariable());
    writeAttributes(writer, row.getTrailing());
  } else if (auto shape = dyn_cast<ShapeAttr>(attribute)) {
    begin(Code::Shape);
    for (RowAttr row : {shape.getBatch(), shape.getInput(), shape.getOutput()})
      writer.writeAttribute(row);
  } else if (auto iterator = dyn_cast<IteratorAttr>(attribute)) {
    begin(Code::Iterator);
    writer.writeAttribute(iterator.getName());
    writer.writeSignedVarInt(iterator.getSize());
    writer.writeVarInt(static_cast<uint64_t>(iterator.getKind()));
  } else if (auto space = dyn_cast<SpaceAttr>(attribute)) {
    begin(Code::Space);
    writeAttributes(writer, space.getIterators());
    writeAttributes(writer, space.getSymbols());
    writer.writeVarInt(space.getMaps().size());
    for (auto [map, guarded] : llvm::zip(space.getMaps(), space.getGuarded())) {
      writer.writeAttribute(AffineMapAttr::get(map));
      writer.writeVarInt(guarded);
    }
  } else if (auto logic = dyn_cast<LogicAttr>(attribute)) {
    begin(Code::Logic);
    writer.writeVarInt(static_cast<uint64_t>(logic.getKind()));
    writer.writeOptionalAttribute(logic.getSpec());
    writer.writeOptionalAttribute(logic.getSymbol());
  } else if (auto access = dyn_cast<AccessAttr>(attribute)) {
    begin(Code::Access);
    writer.writeAttribute(access.getNode());
    writer.writeVarInt(access.getMerge());
    writer.writeVarInt(static_cast<uint64_t>(access.getSlot().kind));
    writer.writeVarInt(access.getSlot().operand);
  } else if (auto term = dyn_cast<TermAttr>(attribute)) {
    begin(Code::Term);
    writer.writeOptionalAttribute(term.getSymbol());
    writer.writeVarInt(term.getRow() ? 1 + static_cast<uint64_t>(*term.getRow())
                                     : 0);
    writer.writeVarInt(term.getAxis().has_value());
    if (term.getAxis())
      writer.writeSignedVarInt(*term.getAxis());
    writer.writeOptionalAttribute(term.getLiteral());
  } else {
    return failure();
  }
  return success();
}

Attribute
TdslBytecodeInterface::readAttribute(DialectBytecodeReader &reader) const {
  uint64_t code = 0;
  if (failed(reader.readVarInt(code)))
    return {};
  switch (static_cast<Code>(code)) {
  case Code::Axis:
    return readAxis(reader);
  case Code::Row:
    return readRow(reader);
  case Code::Shape:
    return readShape(reader);
  case Code::Iterator:
    return readIterator(reader);
  case Code::Space:
    return readSpace(reader);
  case Code::Logic:
    return readLogic(reader);
  case Code::Access:
    return readAccess(reader);
  case Code::Term:
    return readTerm(reader);
  default:
    reader.emitError() << "unknown tdsl attribute code " << code;
    return {};
  }
}

Attribute TdslBytecodeInterface::readAxis(DialectBytecodeReader &reader) const {
  int64_t size = 0;
  StringAttr basis;
  if (failed(reader.readSignedVarInt(size)) ||
      failed(reader.readAttribute(basis)))
    return {};
  return build<AxisAttr>(reader, size, basis);
}

Attribute TdslBytecodeInterface::readRow(DialectBytecodeReader &reader) const {
  SmallVector<AxisAttr> leading, trailing;
  StringAttr variable;
  if (failed(readAttributes(reader, leading)) ||
      failed(reader.readOptionalAttribute(variable)) ||
      failed(readAttributes(reader, trailing)))
    return {};
  return build<RowAttr>(reader, ArrayRef<AxisAttr>(leading), variable,
                        ArrayRef<AxisAttr>(trailing));
}

Attribute
TdslBytecodeInterface::readShape(DialectBytecodeReader &reader) const {
  RowAttr batch, input, output;
  if (failed(reader.readAttribute(batch)) ||
      failed(reader.readAttribute(input)) ||
      failed(reader.readAttribute(output)))
    return {};
  return build<ShapeAttr>(reader, batch, input, output);
}

Attribute
TdslBytecodeInterface::readIterator(DialectBytecodeReader &reader) const {
  StringAttr name;
  int64_t size = 0;
  IteratorKind kind;
  if (failed(reader.readAttribute(name)) ||
      failed(reader.readSignedVarInt(size)) ||
      failed(readEnum<IteratorKind>(reader, kind, symbolizeIteratorKind)))
    return {};
  return build<IteratorAttr>(reader, name, size, kind);
}

Attribute
TdslBytecodeInterface::readSpace(DialectBytecodeReader &reader) const {
  SmallVector<IteratorAttr> iterators;
  SmallVector<StringAttr> symbols;
  SmallVector<AffineMap> maps;
  SmallVector<bool> guarded;
  uint64_t count = 0;
  if (failed(readAttributes(reader, iterators)) ||
      failed(readAttributes(reader, symbols)) ||
      failed(reader.readVarInt(count)))
    return {};
  for (uint64_t i = 0; i < count; ++i) {
    AffineMapAttr map;
    if (failed(reader.readAttribute(map)) ||
        failed(readFlag(reader, guarded.emplace_back())))
      return {};
    maps.push_back(map.getValue());
  }
  return build<SpaceAttr>(reader, ArrayRef<IteratorAttr>(iterators),
                          ArrayRef<StringAttr>(symbols),
                          ArrayRef<AffineMap>(maps), ArrayRef<bool>(guarded));
}

Attribute
TdslBytecodeInterface::readLogic(DialectBytecodeReader &reader) const {
  LogicKind kind;
  StringAttr spec;
  FlatSymbolRefAttr symbol;
  if (failed(readEnum<LogicKind>(reader, kind, symbolizeLogicKind)) ||
      failed(reader.readOptionalAttribute(spec)) ||
      failed(reader.readOptionalAttribute(symbol)))
    return {};
  return build<LogicAttr>(reader, kind, spec, symbol);
}

Attribute
TdslBytecodeInterface::readAccess(DialectBytecodeReader &reader) const {
  FlatSymbolRefAttr node;
  bool merge = false;
  uint64_t kind = 0, operand = 0;
  if (failed(reader.readAttribute(node)) || failed(readFlag(reader, merge)) ||
      failed(reader.readVarInt(kind)) || failed(reader.readVarInt(operand)))
    return {};
  Slot slot{static_cast<Slot::Kind>(kind), static_cast<unsigned>(operand)};
  // The keyword decides which combinations exist.
  bool known = kind <= static_cast<uint64_t>(Slot::Kind::Scalar) &&
               (slot.isDefault() || symbolizeSlot(stringifySlot(slot)) == slot);
  if (!known) {
    reader.emitError() << "unknown slot " << kind << ", operand " << operand;
    return {};
  }
  return build<AccessAttr>(reader, node, merge, slot);
}

Attribute TdslBytecodeInterface::readTerm(DialectBytecodeReader &reader) const {
  FlatSymbolRefAttr symbol;
  uint64_t rowNumber = 0;
  bool hasAxis = false;
  int64_t position = 0;
  Attribute literal;
  if (failed(reader.readOptionalAttribute(symbol)) ||
      failed(reader.readVarInt(rowNumber)) ||
      failed(readFlag(reader, hasAxis)) ||
      (hasAxis && failed(reader.readSignedVarInt(position))) ||
      failed(reader.readOptionalAttribute(literal)))
    return {};
  std::optional<RowKind> row;
  if (rowNumber != 0) {
    row = rowNumber <= 3 ? symbolizeRowKind(rowNumber - 1) : std::nullopt;
    if (!row) {
      reader.emitError() << "unknown row " << rowNumber;
      return {};
    }
  }
  return build<TermAttr>(
      reader, symbol, row,
      hasAxis ? std::optional<int64_t>(position) : std::nullopt, literal);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

LogicalResult
TdslBytecodeInterface::writeType(Type type,
                                 DialectBytecodeWriter &writer) const {
  auto index = dyn_cast<SymbolIndexType>(type);
  if (!index)
    return failure();
  writer.writeVarInt(static_cast<uint64_t>(Code::SymbolIndex));
  writer.writeAttribute(index.getSymbol());
  return success();
}

Type TdslBytecodeInterface::readType(DialectBytecodeReader &reader) const {
  uint64_t code = 0;
  FlatSymbolRefAttr symbol;
  if (failed(reader.readVarInt(code)))
    return {};
  if (static_cast<Code>(code) != Code::SymbolIndex) {
    reader.emitError() << "unknown tdsl type code " << code;
    return {};
  }
  if (failed(reader.readAttribute(symbol)))
    return {};
  return SymbolIndexType::get(getContext(), symbol);
}
