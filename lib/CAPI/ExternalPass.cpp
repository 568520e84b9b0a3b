//===- ExternalPass.cpp - A pass behind callbacks -------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ExternalPass.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Threading.h"

#include <limits>

using namespace mlir;
using namespace tdsl;

ExternalPassSpec::ExternalPassSpec(const TdslExternalPass &pass)
    : name(unwrap(pass.name)), description(unwrap(pass.description)),
      anchor(unwrap(pass.anchor)), userData(pass.userData), run(pass.run),
      callerHoldsLock(pass.callerHoldsLock), destroy(pass.destroy) {
  for (intptr_t i = 0; i < pass.dependentDialectCount; ++i)
    dependentDialects.push_back(unwrap(pass.dependentDialects[i]).str());
  for (intptr_t i = 0; i < pass.optionCount; ++i) {
    const TdslPassOption &option = pass.options[i];
    options.push_back({unwrap(option.name).str(),
                       unwrap(option.description).str(), option.kind,
                       unwrap(option.defaultText).str()});
  }
}

ExternalPassSpec::~ExternalPassSpec() {
  if (destroy)
    destroy(userData);
}

namespace {

/// A double that MLIR's printer of pipelines writes with all its digits. It
/// rounds a plain one to six, so that a reproducer would run something else.
struct ExactDouble {
  double value;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &stream, ExactDouble number) {
  // The shortest text that reads back as the same number.
  SmallString<32> text;
  for (int digits = 1; digits <= std::numeric_limits<double>::max_digits10;
       ++digits) {
    text.clear();
    llvm::raw_svector_ostream(text)
        << llvm::format("%.*g", digits, number.value);
    double parsed;
    if (!StringRef(text).getAsDouble(parsed) && parsed == number.value)
      break;
  }
  return stream << text;
}

} // namespace

template <>
class llvm::cl::parser<ExactDouble> : public basic_parser<ExactDouble> {
public:
  using basic_parser<ExactDouble>::basic_parser;

  bool parse(Option &option, StringRef name, StringRef text,
             ExactDouble &number) {
    if (text.getAsDouble(number.value))
      return option.error("'" + text +
                          "' value invalid for floating point argument!");
    return false;
  }

  StringRef getValueName() const override { return "number"; }

  /// Part of --print-options, which pass options never reach.
  void printOptionDiff(const Option &option, ExactDouble,
                       const OptionValue<ExactDouble> &, size_t width) const {
    printOptionNoValue(option, width);
  }
};

namespace {

class ExternalPass : public Pass {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExternalPass)

  explicit ExternalPass(std::shared_ptr<const ExternalPassSpec> spec)
      : Pass(TypeID::get<ExternalPass>(), getAnchor(*spec)),
        spec(std::move(spec)) {
    declareOptions(nullptr);
  }

  /// Pass::clone() copies the values afterwards.
  ExternalPass(const ExternalPass &other) : Pass(other), spec(other.spec) {
    declareOptions(&other);
  }

  StringRef getName() const override { return spec->name; }
  StringRef getArgument() const override { return spec->name; }
  StringRef getDescription() const override { return spec->description; }

  bool canScheduleOn(RegisteredOperationName opName) const override {
    return spec->anchor.empty() || opName.getStringRef() == spec->anchor;
  }

protected:
  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<ExternalPass>(*this);
  }

  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  static std::optional<StringRef> getAnchor(const ExternalPassSpec &spec) {
    if (spec.anchor.empty())
      return std::nullopt;
    return StringRef(spec.anchor);
  }

  /// Declares one command-line option for each option of the spec; it adds
  /// itself to Pass::passOptions, and with that to the parser of pipelines, the
  /// printer of pipelines, and --help.
  void declareOptions(const ExternalPass *cloned);

  std::shared_ptr<const ExternalPassSpec> spec;
  std::vector<std::unique_ptr<Option<int64_t>>> ints;
  std::vector<std::unique_ptr<Option<ExactDouble>>> doubles;
  std::vector<std::unique_ptr<Option<bool>>> bools;
  std::vector<std::unique_ptr<Option<std::string>>> strings;
  std::vector<std::unique_ptr<ListOption<std::string>>> lists;
};

} // namespace

void ExternalPass::declareOptions(const ExternalPass *cloned) {
  for (const ExternalPassOption &option : spec->options) {
    StringRef name = option.name;
    StringRef text = option.defaultText;
    llvm::cl::desc description(option.description);
    switch (option.kind) {
    case TdslPassOptionKindInt: {
      int64_t value = 0;
      (void)text.getAsInteger(10, value);
      ints.push_back(std::make_unique<Option<int64_t>>(*this, name, description,
                                                       llvm::cl::init(value)));
      break;
    }
    case TdslPassOptionKindDouble: {
      ExactDouble value = {0};
      (void)text.getAsDouble(value.value);
      doubles.push_back(std::make_unique<Option<ExactDouble>>(
          *this, name, description, llvm::cl::init(value)));
      break;
    }
    case TdslPassOptionKindBool:
      bools.push_back(std::make_unique<Option<bool>>(
          *this, name, description, llvm::cl::init(text == "true")));
      break;
    case TdslPassOptionKindString:
      strings.push_back(std::make_unique<Option<std::string>>(
          *this, name, description, llvm::cl::init(option.defaultText)));
      break;
    case TdslPassOptionKindStringList: {
      // MLIR omits a list from the printed pipeline if it believes that the
      // list is the default, and believes so of a copy that differs from the
      // default in every element. A copy of a list that was set gets no
      // default.
      if (cloned && cloned->lists[lists.size()]->hasValue()) {
        lists.push_back(std::make_unique<ListOption<std::string>>(*this, name,
                                                                  description));
        break;
      }
      std::vector<std::string> values;
      if (!text.empty()) {
        SmallVector<StringRef> parts;
        text.split(parts, ',');
        for (StringRef part : parts)
          values.push_back(part.str());
      }
      lists.push_back(std::make_unique<ListOption<std::string>>(
          *this, name, description, llvm::cl::list_init<std::string>(values)));
      break;
    }
    }
  }
}

LogicalResult ExternalPass::initialize(MLIRContext *context) {
  bool runSerially = spec->callerHoldsLock &&
                     spec->callerHoldsLock(spec->userData) &&
                     context->isMultithreadingEnabled();
  if (!runSerially && spec->dependentDialects.empty())
    return success();
  // The pass manager has entered multi-threaded execution before it asks the
  // passes to initialize, but no worker has started.
  context->exitMultiThreadedExecution();
  if (runSerially)
    context->disableMultithreading();
  LogicalResult result = success();
  for (const std::string &dialect : spec->dependentDialects)
    if (!context->getOrLoadDialect(dialect))
      result = emitError(UnknownLoc::get(context))
               << "pass '" << spec->name << "' depends on the dialect '"
               << dialect << "', which is not registered";
  context->enterMultiThreadedExecution();
  return result;
}

void ExternalPass::runOnOperation() {
  SmallVector<TdslPassOptionValue> values;
  std::vector<std::vector<MlirStringRef>> texts;
  texts.reserve(spec->options.size());
  size_t nextInt = 0, nextDouble = 0, nextBool = 0, nextString = 0,
         nextList = 0;
  for (const ExternalPassOption &option : spec->options) {
    TdslPassOptionValue value = {
        wrap(StringRef(option.name)), option.kind, 0, 0, false, 0, nullptr};
    std::vector<MlirStringRef> &text = texts.emplace_back();
    switch (option.kind) {
    case TdslPassOptionKindInt:
      value.intValue = ints[nextInt++]->getValue();
      break;
    case TdslPassOptionKindDouble:
      value.doubleValue = doubles[nextDouble++]->getValue().value;
      break;
    case TdslPassOptionKindBool:
      value.boolValue = bools[nextBool++]->getValue();
      break;
    case TdslPassOptionKindString:
      text.push_back(wrap(StringRef(strings[nextString++]->getValue())));
      break;
    case TdslPassOptionKindStringList:
      for (const std::string &element : *lists[nextList++])
        text.push_back(wrap(StringRef(element)));
      break;
    }
    value.stringCount = text.size();
    value.strings = text.data();
    values.push_back(value);
  }

  // A pass that fails must say why; the handler only watches.
  bool emittedError = false;
  uint64_t thread = llvm::get_threadid();
  MlirLogicalResult result;
  {
    ScopedDiagnosticHandler watcher(&getContext(), [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
          llvm::get_threadid() == thread)
        emittedError = true;
      return failure();
    });
    result = spec->run(wrap(getOperation()), values.size(), values.data(),
                       spec->userData);
  }
  if (mlirLogicalResultIsSuccess(result))
    return;
  if (!emittedError)
    emitError(getOperation()->getLoc()) << "pass '" << spec->name << "' failed";
  signalPassFailure();
}

std::unique_ptr<Pass>
tdsl::createExternalPass(std::shared_ptr<const ExternalPassSpec> spec) {
  return std::make_unique<ExternalPass>(std::move(spec));
}
