"""Eager computation: single operations on arrays, compiled when they are first met.

The modules are imported by name, so that those that need no MLIR stay cheap: ``operations`` and ``analysis``.
"""
