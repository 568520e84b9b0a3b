"""Schedules: how loops over tensors become loops over tiles that fit registers and caches.

Each family of operations has its own files: one that recognises it and brings it to a normal form, and one that writes
its transform-dialect script. ``plan.py`` chooses all numbers from facts about the target. What no family knows stays as
it is and becomes plain loops.
"""
