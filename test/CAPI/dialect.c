/*===- dialect.c - the dialect through its C API ------------------*- C -*-===*\
|*                                                                            *|
|* Part of TDSL, under the Apache License v2.0.                               *|
|* SPDX-License-Identifier: Apache-2.0                                        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

/* Compiled and run by test/python/ir/test_capi.py, which knows the output. */

#include "tdsl-c/Dialect.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"

#include <stdio.h>
#include <string.h>

static void print(MlirStringRef text, void *unused) {
  (void)unused;
  fwrite(text.data, 1, text.length, stdout);
}

static void printAttribute(const char *what, MlirAttribute attribute) {
  printf("%s: ", what);
  if (mlirAttributeIsNull(attribute))
    printf("null");
  else
    mlirAttributePrint(attribute, print, NULL);
  printf("\n");
}

static MlirLogicalResult printDiagnostic(MlirDiagnostic diagnostic,
                                         void *unused) {
  (void)unused;
  printf("error: ");
  mlirDiagnosticPrint(diagnostic, print, NULL);
  printf("\n");
  return mlirLogicalResultSuccess();
}

static MlirStringRef ref(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static void buildShapes(MlirLocation location) {
  MlirAttribute axis = tdslAxisAttrGet(location, 3, ref("rgb"));
  MlirAttribute open = tdslAxisAttrGet(location, TDSL_OPEN_SIZE, ref(""));
  printAttribute("axis", axis);
  printf("size %d, is an axis %d, is a row %d\n",
         (int)tdslAxisAttrGetSize(axis), tdslAttributeIsAAxis(axis),
         tdslAttributeIsARow(axis));

  MlirStringRef variable = ref("r");
  MlirAttribute row = tdslRowAttrGet(location, 1, &axis, &variable, 1, &open);
  MlirAttribute closed = tdslRowAttrGet(location, 1, &axis, NULL, 0, NULL);
  printAttribute("row", row);
  printf("closed %d and %d\n", tdslRowAttrIsClosed(row),
         tdslRowAttrIsClosed(closed));
  MlirAttribute shape = tdslShapeAttrGet(location, closed, closed, row);
  printf("text: ");
  tdslAttributePrintText(shape, print, NULL);
  printf("\nsolved %d and %d\n", tdslShapeAttrIsSolved(shape),
         tdslShapeAttrIsSolved(tdslShapeAttrParse(location, ref("2|3->4"))));
  printAttribute("input row", tdslShapeAttrGetRow(shape, TdslRowKindInput));

  printAttribute("negative axis", tdslAxisAttrGet(location, -2, ref("q")));
  printAttribute("bad text", tdslShapeAttrParse(location, ref("2||3")));
  printAttribute("row of rows",
                 tdslRowAttrGet(location, 1, &row, NULL, 0, NULL));
}

static void buildUses(MlirContext context, MlirLocation location) {
  MlirAttribute iterator = tdslIteratorAttrGet(location, ref("i"), 3, false);
  MlirAffineMap identity = mlirAffineMapMultiDimIdentityGet(context, 1);
  MlirAffineMap maps[] = {identity, identity};
  bool guarded[] = {false, true};
  MlirAttribute space =
      tdslSpaceAttrGet(location, 1, &iterator, 0, NULL, 2, maps, guarded);
  printAttribute("space", space);
  printf("%d maps, guarded %d and %d\n", (int)tdslSpaceAttrGetNumMaps(space),
         tdslSpaceAttrIsGuarded(space, 0), tdslSpaceAttrIsGuarded(space, 1));
  printAttribute("logic", tdslLogicAttrGet(location, ref("spec"),
                                           ref("ij;jk=>ik"), ref("")));
  printAttribute("bad logic",
                 tdslLogicAttrGet(location, ref("dot"), ref(""), ref("")));
  printAttribute("access",
                 tdslAccessAttrGet(location, ref("x"), true, ref("rhs2")));
  printAttribute("bad access",
                 tdslAccessAttrGet(location, ref("x"), false, ref("rhs0")));
  TdslRowKind row = TdslRowKindOutput;
  int64_t position = -1;
  MlirAttribute term = tdslTermAttrGet(location, ref("x"), &row, &position);
  printAttribute("term", term);
  row = TdslRowKindBatch;
  position = 0;
  bool hasRow = tdslTermAttrGetRow(term, &row);
  bool hasAxis = tdslTermAttrGetAxis(term, &position);
  printf("has row %d, %d; has axis %d, %d\n", hasRow, row == TdslRowKindOutput,
         hasAxis, (int)position);
  printAttribute(
      "literal",
      tdslTermAttrGetLiteral(location, tdslRowAttrParse(location, ref("3"))));
  MlirType type = tdslSymbolIndexTypeGet(context, ref("i"));
  printf("type: ");
  mlirTypePrint(type, print, NULL);
  printf(", is a symbol index %d\n", tdslTypeIsASymbolIndex(type));
}

static const char *program = "tdsl.program @p {\n"
                             "  tdsl.node @x : f32 \"|->3\" input\n"
                             "  tdsl.node @y : f32 \"|->3\" result\n"
                             "  tdsl.projections @q \".\" (@x) -> @y"
                             " space <[i 3 parallel] lhs[i] rhs1[i]>\n"
                             "  tdsl.routine @r {\n"
                             "    tdsl.assign @y add = id(@x) by @q\n"
                             "  }\n"
                             "}\n";

static MlirBlock getBody(MlirOperation op) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
}

static void askInterface(MlirContext context) {
  MlirModule module = mlirModuleCreateParse(context, ref(program));
  if (mlirModuleIsNull(module)) {
    printf("the program does not parse\n");
    return;
  }
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  mlirOperationPrint(op, print, NULL);
  printf("\n");
  printf("the program has an index space: %d\n",
         tdslOperationHasIndexSpace(op));
  MlirOperation routine = mlirBlockGetFirstOperation(getBody(op));
  while (!mlirOperationIsNull(mlirOperationGetNextInBlock(routine)))
    routine = mlirOperationGetNextInBlock(routine);
  MlirOperation assign = mlirBlockGetFirstOperation(getBody(routine));
  printf("the assignment has one: %d\n", tdslOperationHasIndexSpace(assign));
  printAttribute("domain", tdslOperationGetIterationSpace(assign));
  printAttribute("sources", tdslOperationGetSources(assign));
  printAttribute("source map", tdslOperationGetSourceMap(assign, 0));
  printAttribute("no such source", tdslOperationGetSourceMap(assign, 1));
  mlirModuleDestroy(module);
}

int main(void) {
  MlirContext context = mlirContextCreate();
  MlirDialectHandle handle = mlirGetDialectHandle__tdsl__();
  MlirDialect dialect = mlirDialectHandleLoadDialect(handle, context);
  printf("dialect: ");
  print(mlirDialectGetNamespace(dialect), NULL);
  printf("\n");
  mlirContextAttachDiagnosticHandler(context, printDiagnostic, NULL, NULL);
  MlirLocation location = mlirLocationUnknownGet(context);

  buildShapes(location);
  buildUses(context, location);
  askInterface(context);

  uint64_t major = 0, minor = 0;
  tdslGetBytecodeVersion(&major, &minor);
  printf("bytecode version %d.%d\n", (int)major, (int)minor);
  mlirContextDestroy(context);
  return 0;
}
