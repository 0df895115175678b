"""Tests of the library: `import referee` as other programs use it."""
