"""The cache of compiled programs on disk.

Nothing is imported here, since tools look at the folder without MLIR.
"""
