//! BTOR2, the format of word-level hardware model checkers.
//!
//! **Source.** Niemetz, Preiner, Wolf, Biere, "BTOR2, BtorMC and Boolector 3.0", CAV 2018,
//! doi 10.1007/978-3-319-96145-3_32.
//!
//! BTOR2 has one next-state function per state and single initial values, where our systems have
//! relations. A next state without a definition becomes an input. A state `ok` remembers whether all
//! steps so far satisfied the constraints of the relation and the first state was initial, and only
//! violations of such executions are bad; BTOR2's own constraints would exclude a violation in a state
//! without successors. Truth values are words of one bit. Floats and constant arrays have no
//! counterpart and are named in the error.

use crate::functional::Functional;
use crate::system::TransitionSystem;
use rustc_hash::FxHashMap;
use std::fmt::Write as _;
use vergo_num::BitVec;
use vergo_term::{Op, Sort, TermId, TermStore, Value};

/// The system in BTOR2.
///
/// # Errors
/// Returns the construct that BTOR2 cannot express.
pub fn print_btor2(store: &TermStore, system: &TransitionSystem) -> Result<String, String> {
    let functional = Functional::of(store, system);
    let mut writer = Writer {
        store,
        out: String::new(),
        n_lines: 0,
        sorts: Vec::new(),
        terms: FxHashMap::default(),
    };
    let bit = writer.sort(Sort::Bool)?;
    for &input in &system.inputs {
        let sort = writer.sort(store.sort(input))?;
        let line = writer.line(&format!("input {sort} {}", symbol(store, input)));
        writer.terms.insert(input, line);
    }
    for (var, update) in system.state.iter().zip(&functional.updates) {
        let sort = writer.sort(store.sort(var.current))?;
        let line = writer.line(&format!("state {sort} {}", symbol(store, var.current)));
        writer.terms.insert(var.current, line);
        if update.is_none() {
            let line = writer.line(&format!("input {sort} {}", symbol(store, var.next)));
            writer.terms.insert(var.next, line);
        }
    }
    let (one, zero) = (writer.line(&format!("one {bit}")), writer.line(&format!("zero {bit}")));
    let first = writer.line(&format!("state {bit} first"));
    writer.line(&format!("init {bit} {first} {one}"));
    writer.line(&format!("next {bit} {first} {zero}"));
    let ok = writer.line(&format!("state {bit} ok"));
    writer.line(&format!("init {bit} {ok} {one}"));

    for (var, update) in system.state.iter().zip(&functional.updates) {
        if let Some(update) = update {
            let line = writer.term(*update)?;
            writer.terms.insert(var.next, line);
        }
    }
    let init = writer.term(system.init)?;
    let starts_well = writer.line(&format!("implies {bit} {first} {init}"));
    let valid = writer.line(&format!("and {bit} {ok} {starts_well}"));
    let mut goes_on = valid;
    for &constraint in &functional.constraints {
        let constraint = writer.term(constraint)?;
        goes_on = writer.line(&format!("and {bit} {goes_on} {constraint}"));
    }
    writer.line(&format!("next {bit} {ok} {goes_on}"));
    for var in &system.state {
        let sort = writer.sort(store.sort(var.current))?;
        let (state, next) = (writer.terms[&var.current], writer.terms[&var.next]);
        writer.line(&format!("next {sort} {state} {next}"));
    }
    let bad = writer.term(system.bad)?;
    let violation = writer.line(&format!("and {bit} {valid} {bad}"));
    writer.line(&format!("bad {violation}"));
    Ok(writer.out)
}

struct Writer<'a> {
    store: &'a TermStore,
    out: String,
    n_lines: u32,
    /// Sorts written so far and their lines; a word sort for truth values too.
    sorts: Vec<(Sort, u32)>,
    terms: FxHashMap<TermId, u32>,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) -> u32 {
        self.n_lines += 1;
        let _ = writeln!(self.out, "{} {text}", self.n_lines);
        self.n_lines
    }

    fn sort(&mut self, sort: Sort) -> Result<u32, String> {
        let sort = if sort == Sort::Bool { Sort::BitVec(1) } else { sort };
        if let Some(&(_, line)) = self.sorts.iter().find(|(known, _)| *known == sort) {
            return Ok(line);
        }
        let line = match sort {
            Sort::BitVec(width) => self.line(&format!("sort bitvec {width}")),
            Sort::Array(id) => {
                let (index, element) = self.store.array_parts(id);
                let (index, element) = (self.sort(index)?, self.sort(element)?);
                self.line(&format!("sort array {index} {element}"))
            }
            Sort::Float(_) | Sort::RoundingMode => return Err("BTOR2 has no floats".to_owned()),
            Sort::Bool => unreachable!("truth values are words here"),
        };
        self.sorts.push((sort, line));
        Ok(line)
    }

    fn term(&mut self, root: TermId) -> Result<u32, String> {
        for term in self.store.reachable(&[root]) {
            if !self.terms.contains_key(&term) {
                let line = self.node(term)?;
                self.terms.insert(term, line);
            }
        }
        Ok(self.terms[&root])
    }

    fn node(&mut self, term: TermId) -> Result<u32, String> {
        let store = self.store;
        let sort = self.sort(store.sort(term))?;
        let args: Vec<String> =
            store.args(term).iter().map(|arg| self.terms[arg].to_string()).collect();
        let args = args.join(" ");
        let name = match store.op(term) {
            Op::Const(_) => {
                let bits = match store.value(term) {
                    Some(Value::Bool(value)) => BitVec::from_u64(1, u64::from(*value)),
                    Some(Value::BitVec(value)) => value.clone(),
                    _ => return Err("BTOR2 has no floats".to_owned()),
                };
                let digits: String =
                    (0..bits.width()).rev().map(|i| if bits.bit(i) { '1' } else { '0' }).collect();
                return Ok(self.line(&format!("const {sort} {digits}")));
            }
            Op::Var(_) => {
                return Err(format!("{} is no variable of the system", symbol(store, term)));
            }
            Op::BvExtract(low) => {
                let high = low + store.width(term) - 1;
                return Ok(self.line(&format!("slice {sort} {args} {high} {low}")));
            }
            Op::BvSignExtend => {
                let more = store.width(term) - store.width(store.arg(term, 0));
                return Ok(self.line(&format!("sext {sort} {args} {more}")));
            }
            Op::Not | Op::BvNot => "not",
            Op::And | Op::BvAnd => "and",
            Op::Eq => "eq",
            Op::Ite => "ite",
            Op::BvNeg => "neg",
            Op::BvXor => "xor",
            Op::BvAdd => "add",
            Op::BvMul => "mul",
            Op::BvUdiv => "udiv",
            Op::BvUrem => "urem",
            Op::BvShl => "sll",
            Op::BvLshr => "srl",
            Op::BvAshr => "sra",
            Op::BvConcat => "concat",
            Op::BvUlt => "ult",
            Op::BvSlt => "slt",
            Op::BvUmulo => "umulo",
            Op::BvSmulo => "smulo",
            Op::Select => "read",
            Op::Store => "write",
            Op::ConstArray => return Err("BTOR2 has no constant arrays".to_owned()),
            Op::Lookup(_) => return Err("BTOR2 has no tables of constants".to_owned()),
            _ => return Err("BTOR2 has no floats".to_owned()),
        };
        Ok(self.line(&format!("{name} {sort} {args}")))
    }
}

/// A variable's name without what would end a BTOR2 symbol.
fn symbol(store: &TermStore, var: TermId) -> String {
    let name = store.as_var(var).map(|var| store.var_info(var).name.clone()).unwrap_or_default();
    name.chars().map(|c| if c.is_whitespace() || c == ';' { '_' } else { c }).collect()
}
