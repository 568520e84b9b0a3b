//===- Passes.cpp - Python passes and pipelines ---------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Whoever runs a pipeline releases the GIL, and a Python pass acquires it.
//
//===----------------------------------------------------------------------===//

#include "tdsl-c/Passes.h"
#include "Bindings.h"
#include "Casters.h"
#include "Diagnostics.h"
#include "OptMain.h"
#include "Strings.h"

#include <pybind11/stl.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace py = pybind11;
using namespace tdsl::python;

namespace {

struct PythonPass {
  std::string name;
  py::object run;
  py::object describeException;
};

/// What the passes of the runs in progress share. Passes are called by MLIR,
/// with no argument through which their runner could hand them anything.
/// Touched only with the GIL.
struct RunState {
  /// The first exception that a pass raised, for each context.
  std::map<void *, py::object> raised;
  /// True while tdsl-opt's driver runs: it makes its own contexts, and the
  /// Python wrapper of a context would destroy it. One reference to each is
  /// therefore kept for ever.
  bool contextsAreForeign = false;
  /// The contexts in which a Python pass runs, once for each. Read where the
  /// GIL may be lost, so with a lock of its own.
  std::mutex runningLock;
  std::multiset<void *> running;
  std::set<void *> pinnedContexts;
};

RunState &getRunState() {
  // Never destroyed: the process may outlive the interpreter.
  static auto *state = new RunState;
  return *state;
}

} // namespace

static py::object toPython(const TdslPassOptionValue &value) {
  auto text = [](MlirStringRef s) { return py::str(s.data, s.length); };
  switch (value.kind) {
  case TdslPassOptionKindInt:
    return py::int_(value.intValue);
  case TdslPassOptionKindDouble:
    return py::float_(value.doubleValue);
  case TdslPassOptionKindBool:
    return py::bool_(value.boolValue);
  case TdslPassOptionKindString:
    return text(value.strings[0]);
  case TdslPassOptionKindStringList: {
    py::list list;
    for (intptr_t i = 0; i < value.stringCount; ++i)
      list.append(text(value.strings[i]));
    return list;
  }
  }
  return py::none();
}

namespace {

/// Marks a context while a Python pass runs in it.
class RunningScope {
public:
  explicit RunningScope(void *context) : context(context) {
    RunState &state = getRunState();
    std::lock_guard<std::mutex> guard(state.runningLock);
    state.running.insert(context);
  }
  ~RunningScope() {
    RunState &state = getRunState();
    std::lock_guard<std::mutex> guard(state.runningLock);
    state.running.erase(state.running.find(context));
  }

private:
  void *context;
};

} // namespace

/// A crash inside of a Python pass leaves the GIL to a thread that is gone: no
/// Python code can run any more.
static void endIfCrashedInPython(void *context) {
  RunState &state = getRunState();
  std::lock_guard<std::mutex> guard(state.runningLock);
  if (!state.running.count(context))
    return;
  std::fputs("tdsl: MLIR crashed inside of a Python pass\n", stderr);
  std::abort();
}

static py::object wrapOperation(MlirOperation op) {
  py::object wrapped = py::cast(op);
  RunState &state = getRunState();
  if (state.contextsAreForeign &&
      state.pinnedContexts.insert(mlirOperationGetContext(op).ptr).second)
    py::object(wrapped.attr("context")).release();
  return wrapped.attr("opview");
}

/// Turns the exception into an error at `op`, and keeps it for the runner.
static void reportException(const PythonPass &pass, MlirOperation op,
                            py::error_already_set &error) {
  std::string message;
  try {
    message = py::cast<std::string>(pass.describeException(error.value()));
  } catch (std::exception &) {
    message = "pass '" + pass.name + "' raised an exception without a text";
  }
  RunState &state = getRunState();
  // Exceptions hold frames and frames hold operations, which do not outlive
  // tdsl-opt's driver. There, only an interrupt is of use afterwards.
  bool isInterrupt = !error.matches(PyExc_Exception);
  if (!state.contextsAreForeign || isInterrupt) {
    if (state.contextsAreForeign)
      error.value().attr("__traceback__") = py::none();
    state.raised.emplace(mlirOperationGetContext(op).ptr, error.value());
  }
  MlirLocation location = mlirOperationGetLocation(op);
  py::gil_scoped_release release;
  mlirEmitError(location, message.c_str());
}

// Nothing may be thrown through MLIR's frames, which have no unwind tables for
// it to be caught in.
static MlirLogicalResult runPythonPass(MlirOperation op, intptr_t valueCount,
                                       const TdslPassOptionValue *values,
                                       void *userData) {
  const auto &pass = *static_cast<PythonPass *>(userData);
  py::gil_scoped_acquire acquire;
  RunningScope scope(mlirOperationGetContext(op).ptr);
  std::string failure;
  try {
    py::dict options;
    for (intptr_t i = 0; i < valueCount; ++i)
      options[py::str(values[i].name.data, values[i].name.length)] =
          toPython(values[i]);
    py::object result = pass.run(wrapOperation(op), options);
    if (result.is_none() || result.is(py::bool_(true)))
      return mlirLogicalResultSuccess();
    if (result.is(py::bool_(false)))
      return mlirLogicalResultFailure();
    failure = "pass '" + pass.name + "' returned " +
              py::cast<std::string>(py::repr(result)) +
              "; run() must return None, True or False";
  } catch (py::error_already_set &error) {
    reportException(pass, op, error);
    return mlirLogicalResultFailure();
  } catch (std::exception &error) {
    failure = "pass '" + pass.name + "' failed: " + error.what();
  }
  mlirEmitError(mlirOperationGetLocation(op), failure.c_str());
  return mlirLogicalResultFailure();
}

static void destroyPythonPass(void *userData) {
  // MLIR's registry ends with the process, where there may be no interpreter.
  if (Py_IsInitialized() && PyGILState_Check())
    delete static_cast<PythonPass *>(userData);
}

static TdslPassOptionKind optionKindOf(const std::string &name) {
  static const std::map<std::string, TdslPassOptionKind> kinds = {
      {"int", TdslPassOptionKindInt},
      {"float", TdslPassOptionKindDouble},
      {"bool", TdslPassOptionKindBool},
      {"str", TdslPassOptionKindString},
      {"list", TdslPassOptionKindStringList}};
  auto kind = kinds.find(name);
  if (kind == kinds.end())
    throw py::value_error("unknown kind of pass option: '" + name + "'");
  return kind->second;
}

/// Each option is (name, description, kind, default text).
static void
registerPass(const std::string &name, const std::string &description,
             const std::string &anchor,
             const std::vector<std::string> &dialects,
             const std::vector<std::tuple<std::string, std::string, std::string,
                                          std::string>> &options,
             py::object run, py::object describeException) {
  std::vector<TdslPassOption> convertedOptions;
  for (const auto &[optionName, optionDescription, kind, text] : options)
    convertedOptions.push_back({ref(optionName), ref(optionDescription),
                                optionKindOf(kind), ref(text)});
  std::vector<MlirStringRef> convertedDialects;
  for (const std::string &dialect : dialects)
    convertedDialects.push_back(ref(dialect));

  TdslExternalPass pass;
  pass.name = ref(name);
  pass.description = ref(description);
  pass.anchor = ref(anchor);
  pass.dependentDialectCount = convertedDialects.size();
  pass.dependentDialects = convertedDialects.data();
  pass.optionCount = convertedOptions.size();
  pass.options = convertedOptions.data();
  pass.userData =
      new PythonPass{name, std::move(run), std::move(describeException)};
  pass.run = runPythonPass;
  pass.callerHoldsLock = [](void *) { return PyGILState_Check() != 0; };
  pass.destroy = destroyPythonPass;
  std::string error;
  if (mlirLogicalResultIsFailure(
          tdslRegisterExternalPass(&pass, appendText, &error)))
    throw py::value_error(error);
}

static std::string normalizePipeline(const std::string &pipeline) {
  // One target for both: the pipeline on success, the error on failure.
  std::string text;
  if (mlirLogicalResultIsFailure(
          tdslNormalizePipeline(ref(pipeline), appendText, appendText, &text)))
    throw py::value_error(text);
  return text;
}

/// Returns (succeeded, diagnostics, output, first exception or None, what
/// crashed).
static py::tuple runPipeline(MlirOperation op, const std::string &pipeline,
                             bool verifyEach, bool printAfterAll, bool timing,
                             const std::string &crashReproducer,
                             bool surviveCrashes) {
  std::vector<CollectedDiagnostic> diagnostics;
  std::string output;
  TdslPipelineOptions options;
  options.verifyEach = verifyEach;
  options.printAfterAll = printAfterAll;
  options.timing = timing;
  options.crashReproducerPath = ref(crashReproducer);
  options.output = appendText;
  options.outputUserData = &output;
  options.diagnosticHandler = collectDiagnostic;
  options.diagnosticUserData = &diagnostics;
  std::string crash;
  options.reportCrash = surviveCrashes ? appendText : nullptr;
  options.crashUserData = &crash;

  void *context = mlirOperationGetContext(op).ptr;
  RunState &state = getRunState();
  state.raised.erase(context);
  bool succeeded;
  {
    py::gil_scoped_release release;
    succeeded = mlirLogicalResultIsSuccess(
        tdslRunPipeline(op, ref(pipeline), &options));
    if (!crash.empty())
      endIfCrashedInPython(context);
  }
  py::object exception = py::none();
  if (auto raised = state.raised.find(context); raised != state.raised.end()) {
    exception = raised->second;
    state.raised.erase(raised);
  }
  py::list collected;
  for (const CollectedDiagnostic &diagnostic : diagnostics)
    collected.append(diagnostic.toPython());
  return py::make_tuple(succeeded, collected, output, exception, crash);
}

namespace {
struct PythonObserver {
  py::handle object;
  /// Whether it raised an exception, on whichever thread.
  std::atomic<bool> failed = false;
};
} // namespace

/// Calls a method of a Python observer; what it raises becomes an error. An
/// observer cannot fail the pass that it watches, so this is also remembered.
static void notifyObserver(const char *method, MlirOperation op,
                           MlirStringRef pass, void *userData) {
  auto *observer = static_cast<PythonObserver *>(userData);
  py::gil_scoped_acquire acquire;
  try {
    observer->object.attr(method)(wrapOperation(op),
                                  std::string(pass.data, pass.length));
  } catch (std::exception &error) {
    observer->failed = true;
    mlirEmitError(mlirOperationGetLocation(op), error.what());
  }
}

static TdslPassObserver makeObserver(PythonObserver &observer) {
  return {[](MlirOperation op, MlirStringRef pass, void *userData) {
            notifyObserver("before_pass", op, pass, userData);
          },
          [](MlirOperation op, MlirStringRef pass, void *userData) {
            notifyObserver("after_pass", op, pass, userData);
          },
          &observer};
}

/// Returns (exit code, interrupt or None).
static py::tuple optMain(std::vector<std::string> arguments,
                         py::object observer) {
  RunState &state = getRunState();
  if (state.contextsAreForeign)
    throw std::runtime_error("opt_main runs only once per process; to run "
                             "pipelines, use tdsl.passes.run_pipeline");
  state.contextsAreForeign = true;
  std::vector<char *> argv;
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  int code;
  PythonObserver watched{observer};
  TdslPassObserver passObserver = makeObserver(watched);
  {
    py::gil_scoped_release release;
    code = tdslOptMain(arguments.size(), argv.data(), &passObserver);
  }
  if (watched.failed)
    code = EXIT_FAILURE;
  py::object interrupt = py::none();
  if (!state.raised.empty())
    interrupt = state.raised.begin()->second;
  return py::make_tuple(code, interrupt);
}

void tdsl::python::addPasses(py::module_ &module) {
  module.def("register_pass", registerPass, py::arg("name"),
             py::arg("description"), py::arg("anchor"),
             py::arg("dependent_dialects"), py::arg("options"), py::arg("run"),
             py::arg("describe_exception"));
  module.def(
      "is_pass_registered",
      [](const std::string &name) { return tdslIsPassRegistered(ref(name)); },
      py::arg("name"));
  module.def(
      "register_pipeline",
      [](const std::string &name, const std::string &description,
         const std::string &pipeline) {
        std::string error;
        auto report = [](MlirStringRef text, void *result) {
          static_cast<std::string *>(result)->append(text.data, text.length);
        };
        if (mlirLogicalResultIsFailure(tdslRegisterPipeline(
                ref(name), ref(description), ref(pipeline), report, &error)))
          throw py::value_error(error);
      },
      py::arg("name"), py::arg("description"), py::arg("pipeline"));
  module.def("normalize_pipeline", normalizePipeline, py::arg("pipeline"));
  module.def("run_pipeline", runPipeline, py::arg("operation"),
             py::arg("pipeline"), py::arg("verify_each"),
             py::arg("print_after_all"), py::arg("timing"),
             py::arg("crash_reproducer"), py::arg("survive_crashes"));
  module.def("opt_main", optMain, py::arg("arguments"), py::arg("observer"));
}
