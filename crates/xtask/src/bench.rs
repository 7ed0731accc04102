//! `cargo xtask bench`: runs the measurements and prints their tables.
//!
//! Each measurement is a bench target of the crate that it measures; this command only finds
//! and runs them, so that adding one is adding a file and a row.

use crate::shell::{cargo, step};

/// A measurement: its name, its crate and its bench target.
struct Measurement {
    name: &'static str,
    package: &'static str,
    target: &'static str,
}

/// All measurements.
const MEASUREMENTS: &[Measurement] = &[
    Measurement { name: "arrays", package: "vergo-driver", target: "arrays" },
    Measurement { name: "frontend", package: "vergo-driver", target: "frontend" },
    Measurement { name: "integer-loop", package: "vergo-interp", target: "integer_loop" },
    Measurement { name: "lowering", package: "vergo-driver", target: "lowering" },
    Measurement { name: "smt2", package: "vergo-smt", target: "smt2" },
    Measurement { name: "threads", package: "vergo-driver", target: "threads" },
    Measurement { name: "transformations", package: "vergo-driver", target: "transformations" },
    Measurement { name: "unwinding", package: "vergo-driver", target: "unwinding" },
];

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    for name in arguments {
        anyhow::ensure!(
            MEASUREMENTS.iter().any(|m| m.name == name),
            "there is no measurement `{name}`; there are: {}",
            MEASUREMENTS.iter().map(|m| m.name).collect::<Vec<_>>().join(", ")
        );
    }
    for measurement in MEASUREMENTS {
        if arguments.is_empty() || arguments.iter().any(|name| name == measurement.name) {
            step(
                measurement.name,
                cargo().args(["bench", "-p", measurement.package, "--bench", measurement.target]),
            )?;
        }
    }
    Ok(())
}
