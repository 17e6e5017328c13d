// Exists so that the precompiled header has one object to be built with.
