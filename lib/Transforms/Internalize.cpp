#include "tdsl/Transforms/Passes.h"

namespace tdsl {
#define GEN_PASS_DEF_TDSLINTERNALIZE
#include "tdsl/Transforms/Passes.h.inc"

namespace {
struct Internalize : impl::TdslInternalizeBase<Internalize> {
  void runOnOperation() override { markAllAnalysesPreserved(); }
};
} // namespace
} // namespace tdsl
