//! Solver backends behind one trait, and the table of all of them.
//!
//! The native solver is the default and the only one that gives proofs and interpolants.  The others
//! are SMT-LIB processes that a user may have installed, for cross-checking.

use crate::external::{ExternalSolver, Program};
use crate::solver::{Answer, Solver, SolverOptions};
use vergo_sat::Budget;
use vergo_term::{Assignment, TermId, TermStore};

/// The interface of a solver for engines.
pub trait Backend {
    /// Asserts a Bool term in the current scope.
    fn assert(&mut self, term: TermId);

    /// Opens a scope.
    fn push(&mut self);

    /// Leaves the innermost scope; false if there is none.
    fn pop(&mut self) -> bool;

    /// Decides the assertions under assumptions that hold for this check only.
    fn check(&mut self, store: &mut TermStore, assumptions: &[TermId], budget: &Budget) -> Answer;

    /// After `Sat`: values of the variables; the reason if there are none.
    fn model(&mut self, store: &mut TermStore) -> Result<Assignment, String>;

    /// After `Unsat`: assumptions that suffice for the refutation.
    fn core(&mut self) -> Vec<TermId>;
}

impl Backend for Solver {
    fn assert(&mut self, term: TermId) {
        Solver::assert(self, term);
    }

    fn push(&mut self) {
        Solver::push(self);
    }

    fn pop(&mut self) -> bool {
        Solver::pop(self)
    }

    fn check(&mut self, store: &mut TermStore, assumptions: &[TermId], budget: &Budget) -> Answer {
        Solver::check(self, store, assumptions, budget)
    }

    fn model(&mut self, store: &mut TermStore) -> Result<Assignment, String> {
        Ok(Solver::model(self, store))
    }

    fn core(&mut self) -> Vec<TermId> {
        Solver::core(self)
    }
}

/// Declares the backends: an id, the name that users type, and what it is.
macro_rules! backends {
    ($($id:ident $name:literal $program:expr, $summary:literal;)*) => {
        /// A backend.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum BackendId {
            $(#[doc = $summary] $id,)*
        }

        impl BackendId {
            /// All backends, by name.
            pub const ALL: &'static [BackendId] = &[$(BackendId::$id,)*];

            /// The name that users type.
            pub fn name(self) -> &'static str {
                match self { $(BackendId::$id => $name,)* }
            }

            /// One sentence.
            pub fn summary(self) -> &'static str {
                match self { $(BackendId::$id => $summary,)* }
            }

            /// The process to start; none for the solver in this program.
            fn program(self) -> Option<Program> {
                match self { $(BackendId::$id => $program,)* }
            }
        }
    };
}

backends! {
    Bitwuzla "bitwuzla" Some(Program { command: "bitwuzla", args: &["--produce-models"] }),
        "Bitwuzla as a process.";
    Cvc5 "cvc5" Some(Program { command: "cvc5", args: &["--lang=smt2", "--incremental", "--produce-models"] }),
        "cvc5 as a process.";
    Mathsat "mathsat" Some(Program { command: "mathsat", args: &["-input=smt2"] }),
        "MathSAT 5 as a process.";
    Native "native" None,
        "The bit-blasting solver of Vergo.";
    Z3 "z3" Some(Program { command: "z3", args: &["-in", "-smt2"] }),
        "Z3 as a process.";
}

impl BackendId {
    /// The backend of that name.
    pub fn parse(name: &str) -> Option<BackendId> {
        BackendId::ALL.iter().copied().find(|b| b.name() == name)
    }

    /// Returns whether the backend can be used here, that is, its program starts.
    pub fn is_available(self) -> bool {
        self.program().is_none_or(|program| program.is_installed())
    }

    /// A solver of this kind.
    pub fn create(self, options: &SolverOptions) -> Box<dyn Backend> {
        match self.program() {
            None => Box::new(Solver::new(options.clone())),
            Some(program) => Box::new(ExternalSolver::new(program)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_parse() {
        let names: Vec<&str> = BackendId::ALL.iter().map(|b| b.name()).collect();
        assert!(names.is_sorted());
        for &backend in BackendId::ALL {
            assert_eq!(BackendId::parse(backend.name()), Some(backend));
        }
        assert!(BackendId::Native.is_available());
    }
}
