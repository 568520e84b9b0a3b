# cmake -DSOURCE=in -DRESULT=out -P: makes the relative imports of a generated dialect module absolute.
file(READ "${SOURCE}" text)
string(REPLACE "from ._ods_common import" "from mlir.dialects._ods_common import" text "${text}")
string(REPLACE "from ..ir import" "from mlir.ir import" text "${text}")
file(WRITE "${RESULT}" "${text}")
