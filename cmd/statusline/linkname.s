// An assembly file, empty on purpose: with one in the package the compiler accepts functions without a body.
