"""Where MLIR's Python bindings look for the classes of a dialect by its name."""
