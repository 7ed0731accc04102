//! The façade: check, transform, run and dump requests in, reports out; owns the pipelines.
