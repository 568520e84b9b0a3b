//===- RandomWords.h - 128-bit words of random streams ----------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_CONVERSION_RANDOMWORDS_H
#define TDSL_LIB_CONVERSION_RANDOMWORDS_H

#include "mlir/IR/Builders.h"
#include "tdsl/IR/TdslOps.h"

namespace tdsl {

/// Emits what is done with cells of precision uint4x32 (spec b.6): vectors of
/// four 32-bit words, word 0 first.
class RandomWords {
public:
  RandomWords(mlir::OpBuilder &builder, mlir::Location location)
      : builder(builder), location(location) {}

  /// The function of the specification: 2 rounds, or 20 with `crypto`.
  mlir::Value emitThreefry(mlir::Value key, mlir::Value counter, bool crypto);

  /// A counter with the bits of a 32-bit integer in all four words.
  mlir::Value emitSpread(mlir::Value number);

  /// A counter (low, high, 0, 0) of a 64-bit integer.
  mlir::Value emitSplit(mlir::Value number);

  /// Whether all four words are the same, and whether any is not zero; i1.
  mlir::Value emitEqual(mlir::Value left, mlir::Value right);
  mlir::Value emitAnyBit(mlir::Value words);

  /// One of the cells of `precision` that share the 16 bytes of `words`,
  /// uniform in [0, 1) for floats and over all values for integers. `lane` is
  /// an index.
  mlir::Value emitUniform(mlir::Value words, mlir::Value lane,
                          Precision precision);

  /// Whether words can be drawn from in a precision.
  static bool hasUniform(Precision precision) {
    return precision != Precision::UInt4x32 && precision != Precision::Bool;
  }

private:
  mlir::Value constant(mlir::Type type, int64_t value);
  llvm::SmallVector<mlir::Value> split(mlir::Value words);
  mlir::Value join(llvm::ArrayRef<mlir::Value> words);
  mlir::Value rotateLeft(mlir::Value word, unsigned count);
  void emitMix(mlir::Value &first, mlir::Value &second, unsigned rotation);
  void emitRound(llvm::MutableArrayRef<mlir::Value> x,
                 llvm::ArrayRef<unsigned> rotations);
  mlir::Value emitLane(mlir::Value words, mlir::Value lane, unsigned width);
  mlir::Value truncateToPrecision(mlir::Value bits, unsigned significant);

  mlir::OpBuilder &builder;
  mlir::Location location;
};

} // namespace tdsl

#endif // TDSL_LIB_CONVERSION_RANDOMWORDS_H
