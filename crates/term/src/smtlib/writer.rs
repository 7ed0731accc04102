//! Text from terms and scripts.
//!
//! A term is printed in standard SMT-LIB (with `fp.to_ieee_bv` and `fp.fmod` as the only other
//! names), a few kernel patterns under their usual names (`or`, `bvor`, `bvsub`, `bvule`, `bvsle`,
//! `zero_extend`). What occurs more than once is bound by `let`, or defined by `define-fun` in a
//! script, so the text is linear in the number of terms. Bindings that do not depend on one another
//! share one `let`.
//!
//! Where the standard leaves a float's result open, the kernel does not (see [`Op`]); a
//! [`ScriptWriter`] guards such functions, so that other solvers answer the same question.

use super::command::Command;
use super::operators::fits_word;
use super::sexpr::is_symbol_char;
use crate::op::{Op, TermId, VarId};
use crate::sort::Sort;
use crate::store::TermStore;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;
use vergo_num::{Float, FloatFormat};

/// A sort.
pub fn print_sort(store: &TermStore, sort: Sort) -> String {
    // Elements nest to the right, so closing parentheses collect at the end.
    let mut out = String::new();
    let mut n_open = 0;
    let mut sort = sort;
    while let Sort::Array(id) = sort {
        let (index, element) = store.array_parts(id);
        let _ = write!(out, "(Array {} ", print_scalar_sort(index));
        n_open += 1;
        sort = element;
    }
    out.push_str(&print_scalar_sort(sort));
    out.push_str(&")".repeat(n_open));
    out
}

fn print_scalar_sort(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::BitVec(width) => format!("(_ BitVec {width})"),
        Sort::Float(format) => format!("(_ FloatingPoint {})", print_format(format)),
        Sort::RoundingMode => "RoundingMode".to_owned(),
        Sort::Array(_) => unreachable!("arrays are printed by the caller"),
    }
}

fn print_format(format: FloatFormat) -> String {
    format!("{} {}", format.exponent_bits(), format.significand_bits())
}

/// A symbol, quoted where needed.
pub fn print_symbol(name: &str) -> String {
    const RESERVED: [&str; 14] = [
        "_",
        "!",
        "as",
        "let",
        "exists",
        "forall",
        "match",
        "par",
        "BINARY",
        "DECIMAL",
        "HEXADECIMAL",
        "NUMERAL",
        "STRING",
        "lambda",
    ];
    let is_simple = name.chars().all(is_symbol_char)
        && !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !RESERVED.contains(&name);
    if is_simple {
        return name.to_owned();
    }
    // Neither of these characters can occur in any symbol.
    format!("|{}|", name.replace(['|', '\\'], "?"))
}

/// A value of a sort; arrays are stores into a constant array.
pub fn print_value(store: &TermStore, sort: Sort, value: &Value) -> String {
    match (sort, value) {
        (Sort::Array(id), Value::Array(array)) => {
            let (index_sort, element_sort) = store.array_parts(id);
            let entries: Vec<_> = array.entries().collect();
            let mut out = "(store ".repeat(entries.len());
            let _ = write!(
                out,
                "((as const {}) {})",
                print_sort(store, sort),
                print_value(store, element_sort, array.default_element())
            );
            for (index, element) in entries {
                let index = store.index_value(index_sort, index);
                let index = print_value(store, index_sort, &index);
                let _ = write!(out, " {index} {})", print_value(store, element_sort, element));
            }
            out
        }
        (_, Value::Array(_)) => unreachable!("the sort is the value's"),
        (_, Value::Bool(value)) => value.to_string(),
        (_, Value::BitVec(value)) => value.to_string(),
        (_, Value::RoundingMode(mode)) => mode.to_string(),
        (_, Value::Float(value)) => print_float(value),
    }
}

fn print_float(value: &Float) -> String {
    let format = print_format(value.format());
    let sign = if value.is_sign_negative() { '-' } else { '+' };
    if value.is_nan() {
        format!("(_ NaN {format})")
    } else if value.is_infinite() {
        format!("(_ {sign}oo {format})")
    } else if value.is_zero() {
        format!("(_ {sign}zero {format})")
    } else {
        let bit = u8::from(value.is_sign_negative());
        format!("(fp #b{bit} {} {})", value.exponent_field(), value.significand_field())
    }
}

/// A term, with shared parts bound by `let`. The text reads back as the same term, but for the
/// functions whose results the reader leaves open.
pub fn print_term(store: &TermStore, root: TermId) -> String {
    let view = View { store };
    let order = view.reachable(&[root]);
    let shared = view.shared(&order, &[root]);
    let prefix = unused_prefix(store, &order, "?");

    // The number of nested `let`s that a term needs above it; those of one level do not depend on
    // one another.
    let mut levels: FxHashMap<TermId, usize> = FxHashMap::default();
    let mut bindings: Vec<Vec<TermId>> = Vec::new();
    for &term in &order {
        let (_, args) = view.parts(term);
        let level = args
            .iter()
            .map(|arg| levels[arg] + usize::from(shared.contains(arg)))
            .max()
            .unwrap_or(0);
        levels.insert(term, level);
        if shared.contains(&term) {
            bindings.resize_with(bindings.len().max(level + 1), Vec::new);
            bindings[level].push(term);
        }
    }

    let mut names: FxHashMap<TermId, String> = FxHashMap::default();
    let mut out = String::new();
    for level in &bindings {
        out.push_str("(let (");
        for (i, &term) in level.iter().enumerate() {
            let separator = if i == 0 { "" } else { " " };
            let name = format!("{prefix}{}", names.len() + i);
            let _ = write!(out, "{separator}({name} ");
            view.write(&mut out, term, &names);
            out.push(')');
        }
        out.push_str(") ");
        for &term in level {
            let name = format!("{prefix}{}", names.len());
            names.insert(term, name);
        }
    }
    view.write(&mut out, root, &names);
    out.push_str(&")".repeat(bindings.len()));
    out
}

/// A prefix that no variable's name in the terms begins with.
fn unused_prefix(store: &TermStore, terms: &[TermId], base: &str) -> String {
    let mut prefix = base.to_owned();
    let vars: Vec<VarId> = terms.iter().filter_map(|&term| store.as_var(term)).collect();
    while vars.iter().any(|&var| store.var_info(var).name.starts_with(&prefix)) {
        prefix.push_str(base);
    }
    prefix
}

/// Terms as they are printed: with the usual names for a few patterns.
struct View<'a> {
    store: &'a TermStore,
}

impl View<'_> {
    /// The printed function and arguments of a term; for leaves the whole text and no arguments.
    fn parts(&self, term: TermId) -> (String, Vec<TermId>) {
        let store = self.store;
        let args = store.args(term);
        let inner = |op: Op, i: usize| -> Option<&[TermId]> {
            (store.op(args[i]) == op).then(|| store.args(args[i]))
        };
        let plain = |name: &str| (name.to_owned(), args.to_vec());
        let format = || print_format(store.sort(term).format().unwrap_or(FloatFormat::DOUBLE));
        match store.op(term) {
            Op::Const(_) => {
                let value = store.value(term).expect("a constant");
                (print_value(store, store.sort(term), value), vec![])
            }
            Op::Var(var) => (print_symbol(&store.var_info(var).name), vec![]),
            Op::Not => {
                if let Some(&[a, b]) = inner(Op::And, 0) {
                    if let (Op::Not, Op::Not) = (store.op(a), store.op(b)) {
                        return ("or".to_owned(), vec![store.arg(a, 0), store.arg(b, 0)]);
                    }
                } else if let Some(&[a, b]) = inner(Op::BvUlt, 0) {
                    return ("bvule".to_owned(), vec![b, a]);
                } else if let Some(&[a, b]) = inner(Op::BvSlt, 0) {
                    return ("bvsle".to_owned(), vec![b, a]);
                }
                plain("not")
            }
            Op::And => plain("and"),
            Op::Eq => plain("="),
            Op::Ite => plain("ite"),
            Op::BvNot => {
                if let Some(&[a, b]) = inner(Op::BvAnd, 0)
                    && let (Op::BvNot, Op::BvNot) = (store.op(a), store.op(b))
                {
                    return ("bvor".to_owned(), vec![store.arg(a, 0), store.arg(b, 0)]);
                }
                plain("bvnot")
            }
            Op::BvNeg => plain("bvneg"),
            Op::BvAnd => plain("bvand"),
            Op::BvXor => plain("bvxor"),
            Op::BvAdd => match inner(Op::BvNeg, 1) {
                Some(&[b]) => ("bvsub".to_owned(), vec![args[0], b]),
                _ => plain("bvadd"),
            },
            Op::BvMul => plain("bvmul"),
            Op::BvUdiv => plain("bvudiv"),
            Op::BvUrem => plain("bvurem"),
            Op::BvShl => plain("bvshl"),
            Op::BvLshr => plain("bvlshr"),
            Op::BvAshr => plain("bvashr"),
            Op::BvConcat => match store.bv_value(args[0]) {
                Some(zeros) if zeros.is_zero() => {
                    (format!("(_ zero_extend {})", zeros.width()), vec![args[1]])
                }
                _ => plain("concat"),
            },
            Op::BvExtract(low) => {
                let high = low + store.width(term) - 1;
                plain(&format!("(_ extract {high} {low})"))
            }
            Op::BvSignExtend => {
                let added = store.width(term) - store.width(args[0]);
                plain(&format!("(_ sign_extend {added})"))
            }
            Op::BvUlt => plain("bvult"),
            Op::BvSlt => plain("bvslt"),
            Op::BvUmulo => plain("bvumulo"),
            Op::BvSmulo => plain("bvsmulo"),
            Op::Select => plain("select"),
            Op::Store => plain("store"),
            Op::ConstArray => plain(&format!("(as const {})", print_sort(store, store.sort(term)))),
            Op::FpFromBits | Op::FpConvert | Op::FpFromSbv => {
                plain(&format!("(_ to_fp {})", format()))
            }
            Op::FpFromUbv => plain(&format!("(_ to_fp_unsigned {})", format())),
            Op::FpToBits => plain("fp.to_ieee_bv"),
            Op::FpToSbv => plain(&format!("(_ fp.to_sbv {})", store.width(term))),
            Op::FpToUbv => plain(&format!("(_ fp.to_ubv {})", store.width(term))),
            Op::FpAbs => plain("fp.abs"),
            Op::FpNeg => plain("fp.neg"),
            Op::FpAdd => plain("fp.add"),
            Op::FpMul => plain("fp.mul"),
            Op::FpDiv => plain("fp.div"),
            Op::FpFma => plain("fp.fma"),
            Op::FpSqrt => plain("fp.sqrt"),
            Op::FpRem => plain("fp.rem"),
            Op::FpFmod => plain("fp.fmod"),
            Op::FpRoundToIntegral => plain("fp.roundToIntegral"),
            Op::FpMin => plain("fp.min"),
            Op::FpMax => plain("fp.max"),
            Op::FpLe => plain("fp.leq"),
            Op::FpLt => plain("fp.lt"),
            Op::FpEq => plain("fp.eq"),
            Op::FpIsNormal => plain("fp.isNormal"),
            Op::FpIsSubnormal => plain("fp.isSubnormal"),
            Op::FpIsZero => plain("fp.isZero"),
            Op::FpIsInfinite => plain("fp.isInfinite"),
            Op::FpIsNan => plain("fp.isNaN"),
            Op::FpIsNegative => plain("fp.isNegative"),
        }
    }

    /// All terms that printing the roots meets, arguments first.
    fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen: FxHashSet<TermId> = roots.iter().copied().collect();
        let mut pending: Vec<TermId> = roots.to_vec();
        while let Some(term) = pending.pop() {
            for arg in self.parts(term).1 {
                if seen.insert(arg) {
                    pending.push(arg);
                }
            }
        }
        let mut terms: Vec<TermId> = seen.into_iter().collect();
        terms.sort_unstable();
        terms
    }

    /// The terms with arguments that occur more than once.
    fn shared(&self, order: &[TermId], roots: &[TermId]) -> FxHashSet<TermId> {
        let mut counts: FxHashMap<TermId, u32> = FxHashMap::default();
        for &root in roots {
            *counts.entry(root).or_default() += 1;
        }
        for &term in order {
            for arg in self.parts(term).1 {
                *counts.entry(arg).or_default() += 1;
            }
        }
        let is_shared = |term: &TermId| counts[term] > 1 && !self.store.args(*term).is_empty();
        order.iter().copied().filter(is_shared).collect()
    }

    /// Writes a term; those below it that have names by those.
    fn write(&self, out: &mut String, root: TermId, names: &FxHashMap<TermId, String>) {
        enum Piece {
            Term(TermId),
            Close,
        }
        let mut pieces = vec![Piece::Term(root)];
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Close => out.push(')'),
                Piece::Term(term) => {
                    if out.ends_with(|c: char| c != '(' && c != ' ') {
                        out.push(' ');
                    }
                    if let Some(name) = names.get(&term) {
                        out.push_str(name);
                        continue;
                    }
                    let (head, args) = self.parts(term);
                    if args.is_empty() {
                        out.push_str(&head);
                        continue;
                    }
                    out.push('(');
                    out.push_str(&head);
                    pieces.push(Piece::Close);
                    pieces.extend(args.into_iter().rev().map(Piece::Term));
                }
            }
        }
    }
}

/// Writes commands for a solver, declaring variables and defining shared terms as they come up.
#[derive(Default)]
pub struct ScriptWriter {
    declared: FxHashSet<VarId>,
    names: FxHashMap<TermId, String>,
    standard: FxHashMap<TermId, TermId>,
}

impl ScriptWriter {
    /// A writer that has declared nothing.
    pub fn new() -> ScriptWriter {
        ScriptWriter::default()
    }

    /// Text for terms: first the declarations and definitions that they need and that have not been
    /// written before (each on a line), then the terms themselves.
    pub fn terms(&mut self, store: &mut TermStore, roots: &[TermId]) -> (String, Vec<String>) {
        let roots = self.standard(store, roots);
        let view = View { store };
        let mut out = String::new();
        let order = view.reachable(&roots);
        for var in store.free_vars(&roots) {
            if self.declared.insert(var) {
                let info = store.var_info(var);
                let (name, sort) = (print_symbol(&info.name), print_sort(store, info.sort));
                let _ = writeln!(out, "(declare-const {name} {sort})");
            }
        }
        let shared = view.shared(&order, &roots);
        for &term in order.iter().filter(|term| shared.contains(term)) {
            if self.names.contains_key(&term) {
                continue;
            }
            let name = format!("|let {term}|");
            let _ = write!(out, "(define-fun {name} () {} ", print_sort(store, store.sort(term)));
            view.write(&mut out, term, &self.names);
            out.push_str(")\n");
            self.names.insert(term, name);
        }
        let texts = roots
            .iter()
            .map(|&root| {
                let mut text = String::new();
                view.write(&mut text, root, &self.names);
                text
            })
            .collect();
        (out, texts)
    }

    /// The commands that assert a term, on lines.
    pub fn assert(&mut self, store: &mut TermStore, term: TermId) -> String {
        let (mut out, texts) = self.terms(store, &[term]);
        let _ = writeln!(out, "(assert {})", texts[0]);
        out
    }

    /// Guards the functions whose results the standard leaves open where the kernel does not.
    fn standard(&mut self, store: &mut TermStore, roots: &[TermId]) -> Vec<TermId> {
        for term in store.reachable(roots) {
            if self.standard.contains_key(&term) {
                continue;
            }
            let args: Vec<TermId> = store.args(term).iter().map(|arg| self.standard[arg]).collect();
            let plain = if args == store.args(term) { term } else { store.with_args(term, &args) };
            let guarded = match store.op(plain) {
                Op::FpMin | Op::FpMax => {
                    let (x, y) = (store.arg(plain, 0), store.arg(plain, 1));
                    let (x_zero, y_zero) = (store.fp_is_zero(x), store.fp_is_zero(y));
                    let zeros = store.and(x_zero, y_zero);
                    store.ite(zeros, y, plain)
                }
                op @ (Op::FpToSbv | Op::FpToUbv) => {
                    let (mode, x) = (store.arg(plain, 0), store.arg(plain, 1));
                    let width = store.width(plain);
                    let fits = fits_word(store, op == Op::FpToSbv, width, mode, x);
                    let zero = store.bv_u64(width, 0);
                    store.ite(fits, plain, zero)
                }
                _ => plain,
            };
            self.standard.insert(term, guarded);
        }
        roots.iter().map(|root| self.standard[root]).collect()
    }
}

/// A script that asserts terms and asks for satisfiability.
pub fn print_script(store: &mut TermStore, logic: &str, assertions: &[TermId]) -> String {
    let mut out = format!("(set-logic {})\n", print_symbol(logic));
    let (definitions, texts) = ScriptWriter::new().terms(store, assertions);
    out.push_str(&definitions);
    for text in texts {
        let _ = writeln!(out, "(assert {text})");
    }
    out.push_str("(check-sat)\n(exit)\n");
    out
}

/// One command, with shared terms bound by `let`.
pub fn print_command(store: &TermStore, command: &Command) -> String {
    let term = |term: TermId| print_term(store, term);
    let terms = |terms: &[(String, TermId)]| {
        terms.iter().map(|&(_, t)| term(t)).collect::<Vec<_>>().join(" ")
    };
    let string = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let attribute = |value: &str| {
        let is_plain =
            value.starts_with('(') || (!value.is_empty() && value.chars().all(is_symbol_char));
        if value.is_empty() {
            String::new()
        } else if is_plain {
            format!(" {value}")
        } else {
            format!(" {}", string(value))
        }
    };
    match command {
        Command::SetLogic(name) => format!("(set-logic {})", print_symbol(name)),
        Command::SetOption { keyword, value } => {
            format!("(set-option :{keyword}{})", attribute(value))
        }
        Command::SetInfo { keyword, value } => format!("(set-info :{keyword}{})", attribute(value)),
        Command::Declare { name, sort, .. } => {
            format!("(declare-const {} {})", print_symbol(name), print_sort(store, *sort))
        }
        Command::DefineFun { name, parameters, sort, body } => {
            let parameters: Vec<String> = parameters
                .iter()
                .map(|&(_, parameter)| {
                    format!("({} {})", term(parameter), print_sort(store, store.sort(parameter)))
                })
                .collect();
            let (name, sort) = (print_symbol(name), print_sort(store, *sort));
            format!("(define-fun {name} ({}) {sort} {})", parameters.join(" "), term(*body))
        }
        Command::DefineSort(name) => {
            format!("; sort {} is expanded where it is used", print_symbol(name))
        }
        Command::Assert { term: t, name: None } => format!("(assert {})", term(*t)),
        Command::Assert { term: t, name: Some(name) } => {
            format!("(assert (! {} :named {}))", term(*t), print_symbol(name))
        }
        Command::CheckSat => "(check-sat)".to_owned(),
        Command::CheckSatAssuming(literals) => {
            format!("(check-sat-assuming ({}))", terms(literals))
        }
        Command::Push(n) => format!("(push {n})"),
        Command::Pop(n) => format!("(pop {n})"),
        Command::Reset => "(reset)".to_owned(),
        Command::ResetAssertions => "(reset-assertions)".to_owned(),
        Command::GetModel => "(get-model)".to_owned(),
        Command::GetValue(values) => format!("(get-value ({}))", terms(values)),
        Command::GetAssertions => "(get-assertions)".to_owned(),
        Command::GetAssignment => "(get-assignment)".to_owned(),
        Command::GetProof => "(get-proof)".to_owned(),
        Command::GetUnsatCore => "(get-unsat-core)".to_owned(),
        Command::GetUnsatAssumptions => "(get-unsat-assumptions)".to_owned(),
        Command::GetInterpolants(parts) => {
            let part = |names: &Vec<String>| match &names[..] {
                [name] => print_symbol(name),
                names => {
                    let names: Vec<String> = names.iter().map(|name| print_symbol(name)).collect();
                    format!("(and {})", names.join(" "))
                }
            };
            let parts: Vec<String> = parts.iter().map(part).collect();
            format!("(get-interpolants {})", parts.join(" "))
        }
        Command::GetInterpolant { name, goal } => {
            format!("(get-interpolant {} {})", print_symbol(name), term(*goal))
        }
        Command::GetInfo(keyword) => format!("(get-info :{keyword})"),
        Command::GetOption(keyword) => format!("(get-option :{keyword})"),
        Command::Echo(text) => format!("(echo {})", string(text)),
        Command::Exit => "(exit)".to_owned(),
    }
}
