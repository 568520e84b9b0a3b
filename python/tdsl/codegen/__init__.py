"""From structured programs to machine code: schedules, pipelines and object code."""
