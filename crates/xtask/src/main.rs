//! Repository commands: tidy, bless, bench, ci.

fn main() {}
