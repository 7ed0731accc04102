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
use super::function;
use super::operators::fits_word;
use super::sexpr::is_symbol_byte;
use crate::lookup::LookupTable;
use crate::op::{Op, TermId, VarId};
use crate::sort::Sort;
use crate::store::TermStore;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::fmt::Write;
use vergo_num::{BitVec, Float, FloatFormat};

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
    let is_simple = name.bytes().all(is_symbol_byte)
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

/// A read from a constant table but for its index: of an array, as SMT-LIB has no tables.
fn print_lookup(table: &LookupTable, index_width: u32) -> String {
    let element_width = table.width();
    let len = match 1usize.checked_shl(index_width) {
        Some(n_indices) => table.len().min(n_indices),
        None => table.len(),
    };
    let mut out = "select ".to_owned();
    out.push_str(&"(store ".repeat(len));
    let zero = BitVec::zero(element_width);
    let sort = format!("(Array (_ BitVec {index_width}) (_ BitVec {element_width}))");
    let _ = write!(out, "((as const {sort}) {zero})");
    for i in 0..len {
        let index = BitVec::from_u64(index_width, i as u64);
        let _ = write!(out, " {index} {})", BitVec::from_u64(element_width, table.get(i)));
    }
    out
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
        let level = view
            .args(term)
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

/// Which pattern of kernel operators a term is printed as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pattern {
    /// The operator itself.
    Plain,
    /// `(not (and (not a) (not b)))` as `(or a b)`.
    Or,
    /// `(not (bvult b a))` as `(bvule a b)`.
    Ule,
    /// `(not (bvslt b a))` as `(bvsle a b)`.
    Sle,
    /// `(bvnot (bvand (bvnot a) (bvnot b)))` as `(bvor a b)`.
    BvOr,
    /// `(bvadd a (bvneg b))` as `(bvsub a b)`.
    Sub,
    /// `(concat 0… a)` as `((_ zero_extend n) a)`.
    ZeroExtend,
}

/// Up to four printed arguments.
struct Args {
    terms: [TermId; 4],
    count: usize,
}

impl Args {
    fn new(args: &[TermId]) -> Args {
        let mut terms = [TermId::from_u32(0); 4];
        terms[..args.len()].copy_from_slice(args);
        Args { terms, count: args.len() }
    }
}

impl std::ops::Deref for Args {
    type Target = [TermId];

    fn deref(&self) -> &[TermId] {
        &self.terms[..self.count]
    }
}

impl View<'_> {
    fn pattern(&self, term: TermId) -> Pattern {
        let store = self.store;
        let op_at = |i: usize| store.op(store.arg(term, i));
        let both = |inner: TermId, op: Op| store.args(inner).iter().all(|&arg| store.op(arg) == op);
        match store.op(term) {
            Op::Not => match op_at(0) {
                Op::And if both(store.arg(term, 0), Op::Not) => Pattern::Or,
                Op::BvUlt => Pattern::Ule,
                Op::BvSlt => Pattern::Sle,
                _ => Pattern::Plain,
            },
            Op::BvNot => match op_at(0) {
                Op::BvAnd if both(store.arg(term, 0), Op::BvNot) => Pattern::BvOr,
                _ => Pattern::Plain,
            },
            Op::BvAdd if op_at(1) == Op::BvNeg => Pattern::Sub,
            Op::BvConcat => match store.bv_value(store.arg(term, 0)) {
                Some(zeros) if zeros.is_zero() => Pattern::ZeroExtend,
                _ => Pattern::Plain,
            },
            _ => Pattern::Plain,
        }
    }

    /// The printed arguments of a term.
    fn args(&self, term: TermId) -> Args {
        let store = self.store;
        let args = store.args(term);
        let under = |i: usize| store.args(args[i]);
        match self.pattern(term) {
            Pattern::Plain if function::called(store, term).is_some() => Args::new(&args[1..]),
            Pattern::Plain => Args::new(args),
            Pattern::Or | Pattern::BvOr => {
                let inner = under(0);
                Args::new(&[store.arg(inner[0], 0), store.arg(inner[1], 0)])
            }
            Pattern::Ule | Pattern::Sle => Args::new(&[under(0)[1], under(0)[0]]),
            Pattern::Sub => Args::new(&[args[0], under(1)[0]]),
            Pattern::ZeroExtend => Args::new(&args[1..]),
        }
    }

    /// The printed function of a term; for leaves the whole text.
    fn head(&self, term: TermId) -> Cow<'static, str> {
        let store = self.store;
        let format = || print_format(store.sort(term).format().unwrap_or(FloatFormat::DOUBLE));
        let added = |i: usize| store.width(term) - store.width(store.arg(term, i));
        let name = match self.pattern(term) {
            Pattern::Or => "or",
            Pattern::Ule => "bvule",
            Pattern::Sle => "bvsle",
            Pattern::BvOr => "bvor",
            Pattern::Sub => "bvsub",
            Pattern::ZeroExtend => return format!("(_ zero_extend {})", added(1)).into(),
            Pattern::Plain => match store.op(term) {
                Op::Const(_) => {
                    let value = store.value(term).expect("a constant");
                    return print_value(store, store.sort(term), value).into();
                }
                Op::Var(var) => return print_symbol(&store.var_info(var).name).into(),
                Op::Select if let Some((name, _)) = function::called(store, term) => {
                    return print_symbol(name).into();
                }
                Op::BvExtract(low) => {
                    let high = low + store.width(term) - 1;
                    return format!("(_ extract {high} {low})").into();
                }
                Op::BvSignExtend => return format!("(_ sign_extend {})", added(0)).into(),
                Op::ConstArray => {
                    return format!("(as const {})", print_sort(store, store.sort(term))).into();
                }
                Op::Lookup(table) => {
                    let index = store.width(store.arg(term, 0));
                    return print_lookup(store.lookup_table(table), index).into();
                }
                Op::FpFromBits | Op::FpConvert | Op::FpFromSbv => {
                    return format!("(_ to_fp {})", format()).into();
                }
                Op::FpFromUbv => return format!("(_ to_fp_unsigned {})", format()).into(),
                Op::FpToSbv => return format!("(_ fp.to_sbv {})", store.width(term)).into(),
                Op::FpToUbv => return format!("(_ fp.to_ubv {})", store.width(term)).into(),
                Op::Not => "not",
                Op::And => "and",
                Op::Eq => "=",
                Op::Ite => "ite",
                Op::BvNot => "bvnot",
                Op::BvNeg => "bvneg",
                Op::BvAnd => "bvand",
                Op::BvXor => "bvxor",
                Op::BvAdd => "bvadd",
                Op::BvMul => "bvmul",
                Op::BvUdiv => "bvudiv",
                Op::BvUrem => "bvurem",
                Op::BvShl => "bvshl",
                Op::BvLshr => "bvlshr",
                Op::BvAshr => "bvashr",
                Op::BvConcat => "concat",
                Op::BvUlt => "bvult",
                Op::BvSlt => "bvslt",
                Op::BvUmulo => "bvumulo",
                Op::BvSmulo => "bvsmulo",
                Op::Select => "select",
                Op::Store => "store",
                Op::FpToBits => "fp.to_ieee_bv",
                Op::FpAbs => "fp.abs",
                Op::FpNeg => "fp.neg",
                Op::FpAdd => "fp.add",
                Op::FpMul => "fp.mul",
                Op::FpDiv => "fp.div",
                Op::FpFma => "fp.fma",
                Op::FpSqrt => "fp.sqrt",
                Op::FpRem => "fp.rem",
                Op::FpFmod => "fp.fmod",
                Op::FpRoundToIntegral => "fp.roundToIntegral",
                Op::FpMin => "fp.min",
                Op::FpMax => "fp.max",
                Op::FpLe => "fp.leq",
                Op::FpLt => "fp.lt",
                Op::FpEq => "fp.eq",
                Op::FpIsNormal => "fp.isNormal",
                Op::FpIsSubnormal => "fp.isSubnormal",
                Op::FpIsZero => "fp.isZero",
                Op::FpIsInfinite => "fp.isInfinite",
                Op::FpIsNan => "fp.isNaN",
                Op::FpIsNegative => "fp.isNegative",
            },
        };
        name.into()
    }

    /// All terms that printing the roots meets, arguments first.
    fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen: FxHashSet<TermId> = roots.iter().copied().collect();
        let mut pending: Vec<TermId> = roots.to_vec();
        while let Some(term) = pending.pop() {
            for &arg in self.args(term).iter() {
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
            // Packed arguments are taken apart, each by an occurrence of their word.
            let n_times = function::called(self.store, term).map_or(1, |f| f.1.len() as u32);
            for &arg in self.args(term).iter() {
                *counts.entry(arg).or_default() += n_times;
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
                    let (head, args) = (self.head(term), self.args(term));
                    if args.is_empty() {
                        out.push_str(&head);
                        continue;
                    }
                    out.push('(');
                    out.push_str(&head);
                    if let Some((_, parameters @ [_, _, ..])) = function::called(self.store, term) {
                        let packed = names.get(&args[0]).cloned();
                        let packed = packed.unwrap_or_else(|| self.head(args[0]).into_owned());
                        out.push_str(&function::print_arguments(parameters, &packed));
                        out.push(')');
                        continue;
                    }
                    pieces.push(Piece::Close);
                    pieces.extend(args.iter().rev().map(|&arg| Piece::Term(arg)));
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
                let text = match info.sort {
                    Sort::Array(id) if !info.parameters.is_empty() => {
                        let result = store.array_parts(id).1;
                        print_declaration(store, &info.name, &info.parameters, result)
                    }
                    sort => print_declaration(store, &info.name, &[], sort),
                };
                let _ = writeln!(out, "{text}");
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

    /// Guards the functions whose results the standard leaves open where the kernel does not, and
    /// spells out the overflow of products, which the standard has only since version 2.7.
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
                Op::BvUmulo | Op::BvSmulo => product_overflow(store, plain),
                _ => plain,
            };
            self.standard.insert(term, guarded);
        }
        roots.iter().map(|root| self.standard[root]).collect()
    }
}

/// Terms that mean the same to every tool that keeps to the standard: where the standard leaves a result
/// open, they say what the kernel's is.
pub fn standard_terms(store: &mut TermStore, roots: &[TermId]) -> Vec<TermId> {
    ScriptWriter::new().standard(store, roots)
}

/// The overflow of a product by the product of twice the width.
fn product_overflow(store: &mut TermStore, overflow: TermId) -> TermId {
    let is_signed = store.op(overflow) == Op::BvSmulo;
    let (a, b) = (store.arg(overflow, 0), store.arg(overflow, 1));
    let width = store.width(a);
    let extend = if is_signed { TermStore::bv_sign_extend } else { TermStore::bv_zero_extend };
    let (wide_a, wide_b) = (extend(store, 2 * width, a), extend(store, 2 * width, b));
    let product = store.bv_mul(wide_a, wide_b);
    let low = store.bv_extract(width - 1, 0, product);
    let low = extend(store, 2 * width, low);
    store.ne(product, low)
}

/// The declaration of a variable or a function.
fn print_declaration(store: &TermStore, name: &str, parameters: &[Sort], sort: Sort) -> String {
    let (name, sort) = (print_symbol(name), print_sort(store, sort));
    if parameters.is_empty() {
        return format!("(declare-const {name} {sort})");
    }
    let parameters: Vec<String> = parameters.iter().map(|&p| print_sort(store, p)).collect();
    format!("(declare-fun {name} ({}) {sort})", parameters.join(" "))
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
            value.starts_with('(') || (!value.is_empty() && value.bytes().all(is_symbol_byte));
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
        Command::Declare { name, parameters, sort, .. } => {
            print_declaration(store, name, parameters, *sort)
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
