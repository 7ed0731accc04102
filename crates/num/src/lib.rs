//! Fixed-width bit-vector and IEEE-754 values: the only concrete arithmetic on program values.
