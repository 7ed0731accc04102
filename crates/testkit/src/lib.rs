//! Golden-file harness and generators for the tests of every other crate.
