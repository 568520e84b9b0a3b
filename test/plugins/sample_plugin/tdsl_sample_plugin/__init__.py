"""A third-party pass for TDSL: the smallest complete example."""
