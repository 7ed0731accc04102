//! Commands of a script.

use super::Position;
use crate::op::TermId;
use crate::sort::Sort;

/// A command and where it begins.
#[derive(Clone, PartialEq, Debug)]
pub struct Located {
    /// The place of its opening parenthesis.
    pub position: Position,
    /// The command.
    pub command: Command,
}

/// A command. Symbols are without quotes; values of options and attributes are as written.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `(set-logic name)`.
    SetLogic(String),
    /// `(set-option :keyword value)`.
    SetOption {
        /// The keyword, without its colon.
        keyword: String,
        /// The value as written; a string without its quotes.
        value: String,
    },
    /// `(set-info :keyword value)`.
    SetInfo {
        /// The keyword, without its colon.
        keyword: String,
        /// The value as written; a string without its quotes.
        value: String,
    },
    /// `(declare-const name sort)` or `(declare-fun name (parameters) sort)`.
    Declare {
        /// The name.
        name: String,
        /// The sorts of the parameters.
        parameters: Vec<Sort>,
        /// The sort of the variable, or of the function's results.
        sort: Sort,
        /// The variable, or the array that stands for the function.
        term: TermId,
    },
    /// `(define-fun name (parameters) sort body)`. Uses are expanded while reading.
    DefineFun {
        /// The name.
        name: String,
        /// The parameters, as variables that occur nowhere else, with their names.
        parameters: Vec<(String, TermId)>,
        /// The sort of the body.
        sort: Sort,
        /// The body.
        body: TermId,
    },
    /// `(define-sort …)`. Uses are expanded while reading.
    DefineSort(String),
    /// `(assert term)`.
    Assert {
        /// The truth value.
        term: TermId,
        /// The name from `(! term :named name)` around the whole.
        name: Option<String>,
    },
    /// `(check-sat)`.
    CheckSat,
    /// `(check-sat-assuming (literals))`.
    CheckSatAssuming(Vec<(String, TermId)>),
    /// `(push n)`.
    Push(u32),
    /// `(pop n)`.
    Pop(u32),
    /// `(reset)`.
    Reset,
    /// `(reset-assertions)`.
    ResetAssertions,
    /// `(get-model)`.
    GetModel,
    /// `(get-value (terms))`: the terms as written and as read.
    GetValue(Vec<(String, TermId)>),
    /// `(get-assertions)`.
    GetAssertions,
    /// `(get-assignment)`.
    GetAssignment,
    /// `(get-proof)`.
    GetProof,
    /// `(get-unsat-core)`.
    GetUnsatCore,
    /// `(get-unsat-assumptions)`.
    GetUnsatAssumptions,
    /// `(get-interpolants A B …)`: a partition of the named assertions in order; each part is a
    /// name, `(and names)` or `(names)`. `(get-interpolant A B)` with two such parts is the same.
    GetInterpolants(Vec<Vec<String>>),
    /// `(get-interpolant name goal)`: a formula that follows from the assertions and implies the
    /// goal.
    GetInterpolant {
        /// The name that the interpolant is to have.
        name: String,
        /// The goal.
        goal: TermId,
    },
    /// `(get-info :keyword)`.
    GetInfo(String),
    /// `(get-option :keyword)`.
    GetOption(String),
    /// `(echo "text")`.
    Echo(String),
    /// `(exit)`.
    Exit,
}
