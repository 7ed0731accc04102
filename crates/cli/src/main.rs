//! The `vergo` command: arguments and printing, nothing else.

fn main() {}
