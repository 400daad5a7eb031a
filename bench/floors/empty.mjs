process.exitCode = 0; // The floor of any program: a node process that does nothing.
