"""The extension itself, whose submodules `ngrc._kernels` gives by their own names."""
