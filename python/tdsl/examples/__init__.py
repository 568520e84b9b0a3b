"""The examples that the tool `tdsl` runs. Their sources are in the folder `examples` of the repository."""
