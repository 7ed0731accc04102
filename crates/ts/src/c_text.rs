//! Terms over the state as C expressions over the program's variables, for people and for witnesses.
//!
//! An expression that is printed for a word has the word's value, read with or without sign as its [`Reading`] says, in a
//! C type that holds it. Sums and products are made in unsigned types, where C's arithmetic wraps around as terms do;
//! comparisons are made in the reading that the comparison has, and constants are written in the reading of what they
//! are compared with. So the text means in C what the term means, for every state.
//!
//! C cannot express everything about the source's variables (which object a pointer points to, temporaries, variables that are not in
//! scope): [`CNames::print`] returns nothing for it, and such conjuncts are left out, which makes an invariant weaker but not wrong.

mod linear;

use crate::encode::Encoded;
use crate::origin::{Origin, What, path_text};
use linear::Linear;
use rustc_hash::FxHashMap;
use vergo_goto::program::{FunctionId, Program, SymbolId, SymbolKind};
use vergo_goto::types::Type;
use vergo_num::{BitVec, FloatFormat, RoundingMode};
use vergo_source::Precedence;
use vergo_symex::Home;
use vergo_term::{Op, Sort, TermId, TermStore, Value};

/// Texts longer than this are not readable, nor is it certain that they end.
const MAX_NODES: u64 = 4000;

/// The reading of a word's bits as a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reading {
    Signed,
    Unsigned,
}

/// A printed expression.
#[derive(Clone, Debug)]
struct Text {
    text: String,
    level: Precedence,
}

/// The state variables that have a name in the source at a cut point.
#[derive(Clone, Debug)]
pub struct CNames(FxHashMap<TermId, (String, Type)>);

impl CNames {
    /// A formula over the state as a C expression; `None` if C cannot say it in reasonable length.
    pub fn print(&self, store: &TermStore, formula: TermId) -> Option<CText> {
        if store.size(formula).tree > MAX_NODES {
            return None;
        }
        Some(CText(Printer { store, names: &self.0 }.truth(formula)?))
    }

    /// Checks whether a state variable is an integer with a name here, and if so, whether it has a sign.
    pub fn integer(&self, var: TermId) -> Option<bool> {
        match self.0.get(&var)?.1 {
            Type::Int { signed, .. } => Some(signed),
            _ => None,
        }
    }

    /// For the state variables that have a name at another copy of a place: those with the same name here.
    pub fn like(&self, other: &CNames) -> FxHashMap<TermId, TermId> {
        let here: FxHashMap<&str, TermId> =
            self.0.iter().map(|(&var, (name, _))| (name.as_str(), var)).collect();
        let there = other.0.iter();
        there.filter_map(|(&var, (name, _))| Some((var, *here.get(name.as_str())?))).collect()
    }
}

/// A C expression that is true or false.
#[derive(Clone, Debug)]
pub struct CText(Text);

impl CText {
    /// The expression.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Returns the text that is always true.
    pub fn nothing() -> CText {
        CText(Text::new("1", Precedence::Primary))
    }

    /// Returns the conjunction; `None` if there are no parts.
    pub fn all(parts: &[CText]) -> Option<CText> {
        CText::joined(parts, " && ", Precedence::LogicalAnd)
    }

    /// Returns the disjunction; `None` if there are no parts.
    pub fn any(parts: &[CText]) -> Option<CText> {
        CText::joined(parts, " || ", Precedence::LogicalOr)
    }

    fn joined(parts: &[CText], operator: &str, level: Precedence) -> Option<CText> {
        match parts {
            [] => None,
            [one] => Some(one.clone()),
            _ => {
                // The operators are associative.
                let operand = |part: &CText| match part.0.level == level {
                    true => part.0.text.clone(),
                    false => part.0.inside(level),
                };
                let texts: Vec<String> = parts.iter().map(operand).collect();
                Some(CText(Text::new(texts.join(operator), level)))
            }
        }
    }
}

/// A printed word.
#[derive(Clone, Debug)]
struct Word {
    text: Text,
    reading: Reading,
}

impl Encoded {
    /// Returns the conjuncts of a formula over the state at a cut point.
    pub fn conjuncts_at(
        &self,
        store: &mut TermStore,
        formula: TermId,
        point: usize,
    ) -> Vec<TermId> {
        let formula = match self.counter {
            Some(counter) => {
                let number = store.bv_u64(store.width(counter), point as u64);
                store.substitute(formula, &FxHashMap::from_iter([(counter, number)]))
            }
            None => formula,
        };
        let mut parts = store.conjuncts(formula);
        parts.retain(|&part| part != store.true_term());
        parts
    }

    /// The names of the source at a cut point.
    pub fn c_names(&self, point: usize) -> CNames {
        CNames(self.names(point))
    }

    /// The state variables that have a name in the source at a cut point, with their types.
    fn names(&self, point: usize) -> FxHashMap<TermId, (String, Type)> {
        let set = self.set_at(point);
        let visible = self.visible(point);
        let mut names = FxHashMap::default();
        for (var, origin) in self.system.state.iter().zip(&self.origins) {
            let Origin::Object {
                home: Home::Variable(symbol),
                what: What::Scalar { offset, ty: Some(ty) },
            } = origin
            else {
                continue;
            };
            let info = &self.program.symbols[*symbol];
            if !set.contains(&var.current) || visible.get(info.display.as_str()) != Some(symbol) {
                continue;
            }
            if let Some(path) = path_text(&self.program, info.ty, *offset) {
                let text = format!("{}{path}", info.display);
                names.insert(var.current, (text, self.program.types.get(*ty).clone()));
            }
        }
        names
    }
}

/// The function that each variable of the original program belongs to, for the variables of the inlined one.
pub(crate) fn owners(original: &Program, inlined: &Program) -> FxHashMap<SymbolId, FunctionId> {
    let mut by_name: FxHashMap<&str, FunctionId> = FxHashMap::default();
    for symbol in original.symbols.values() {
        if let SymbolKind::Local(function) | SymbolKind::Param(function) = symbol.kind {
            by_name.insert(&symbol.name, function);
        }
    }
    let owner = |id| by_name.get(inlined.symbols[inlined.original(id)].name.as_str()).copied();
    inlined.symbols.keys().filter_map(|id| Some((id, owner(id)?))).collect()
}

impl Text {
    fn new(text: impl Into<String>, level: Precedence) -> Text {
        Text { text: text.into(), level }
    }

    /// The text as an operand of an operator, in parentheses if it binds less tightly.
    fn inside(&self, level: Precedence) -> String {
        if self.level > level { self.text.clone() } else { format!("({})", self.text) }
    }
}

struct Printer<'a> {
    store: &'a TermStore,
    names: &'a FxHashMap<TermId, (String, Type)>,
}

impl Printer<'_> {
    /// A formula.
    fn truth(&self, term: TermId) -> Option<Text> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.truth_here(term))
    }

    fn truth_here(&self, term: TermId) -> Option<Text> {
        let arg = |i| self.store.arg(term, i);
        match self.store.op(term) {
            Op::Const(_) => Some(Text::new(
                if self.store.bool_value(term)? { "1" } else { "0" },
                Precedence::Primary,
            )),
            Op::Var(_) => Some(Text::new(&*self.names.get(&term)?.0, Precedence::Primary)),
            Op::And => {
                let parts = self.store.conjuncts(term);
                let parts: Option<Vec<String>> = parts
                    .iter()
                    .map(|&part| Some(self.truth(part)?.inside(Precedence::LogicalAnd)))
                    .collect();
                Some(Text::new(parts?.join(" && "), Precedence::LogicalAnd))
            }
            Op::Not => self.negation(arg(0)),
            Op::Eq => self.equality(arg(0), arg(1), true),
            Op::Ite => self.conditional([arg(0)], self.truth(arg(1))?, self.truth(arg(2))?),
            Op::BvSlt => self.comparison(Reading::Signed, arg(0), arg(1), "<"),
            Op::BvUlt => self.comparison(Reading::Unsigned, arg(0), arg(1), "<"),
            Op::FpLt => self.floats(arg(0), arg(1), "<"),
            Op::FpLe => self.floats(arg(0), arg(1), "<="),
            Op::FpEq => self.floats(arg(0), arg(1), "=="),
            _ => None,
        }
    }

    fn negation(&self, term: TermId) -> Option<Text> {
        let arg = |i| self.store.arg(term, i);
        match self.store.op(term) {
            Op::Eq => self.equality(arg(0), arg(1), false),
            // Not less is greater or equal, in the order in which people write it.
            Op::BvSlt => self.comparison(Reading::Signed, arg(1), arg(0), "<="),
            Op::BvUlt => self.comparison(Reading::Unsigned, arg(1), arg(0), "<="),
            Op::And => {
                let parts = self.store.conjuncts(term);
                let parts: Option<Vec<String>> = parts
                    .iter()
                    .map(|&part| Some(self.complement(part)?.inside(Precedence::LogicalOr)))
                    .collect();
                Some(Text::new(parts?.join(" || "), Precedence::LogicalOr))
            }
            _ => Some(Text::new(
                format!("!{}", self.truth(term)?.inside(Precedence::Unary)),
                Precedence::Unary,
            )),
        }
    }

    /// The opposite of a formula.
    fn complement(&self, term: TermId) -> Option<Text> {
        match self.store.op(term) {
            Op::Not => self.truth(self.store.arg(term, 0)),
            _ => stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.negation(term)),
        }
    }

    fn conditional(&self, [cond]: [TermId; 1], then: Text, other: Text) -> Option<Text> {
        let cond = self.truth(cond)?.inside(Precedence::Conditional);
        let (then, other) =
            (then.inside(Precedence::Conditional), other.inside(Precedence::Conditional));
        Some(Text::new(format!("{cond} ? {then} : {other}"), Precedence::Conditional))
    }

    fn equality(&self, a: TermId, b: TermId, equal: bool) -> Option<Text> {
        let op = if equal { "==" } else { "!=" };
        match self.store.sort(a) {
            Sort::Bool => {
                let truth = |text: Text| format!("!{}", text.inside(Precedence::Unary));
                let (a, b) = (truth(self.truth(a)?), truth(self.truth(b)?));
                Some(Text::new(format!("{a} {op} {b}"), Precedence::Equality))
            }
            Sort::BitVec(_) => {
                let (a, b) = if self.store.is_value(a) { (b, a) } else { (a, b) };
                if let Some(text) = self.top_bits(a, b, equal) {
                    return Some(text);
                }
                if let Some(text) = self.remainder(a, b, equal) {
                    return Some(text);
                }
                let reading = self.natural(a)?;
                let (a, b) = self.operands(a, b, reading)?;
                let (a, b) = (a.inside(Precedence::Equality), b.inside(Precedence::Equality));
                Some(Text::new(format!("{a} {op} {b}"), Precedence::Equality))
            }
            _ => None,
        }
    }

    /// An equation between the lowest bits of a word and a constant, as a remainder. That of a negative number is none of the
    /// bits, unless it is zero.
    fn remainder(&self, a: TermId, b: TermId, equal: bool) -> Option<Text> {
        let Op::BvExtract(0) = self.store.op(a) else { return None };
        let word = self.store.arg(a, 0);
        let bits = self.store.bv_value(b)?;
        if bits.width() > 16 || bits.width() >= self.store.width(word) {
            return None;
        }
        let mut reading = self.natural(word)?;
        // Only without a sign is a remainder that is not zero the same as the bits.
        if bits.width() > 1 && !bits.is_zero() {
            reading = Reading::Unsigned;
        }
        let text = self.word_as(word, reading)?.inside(Precedence::Multiplicative);
        let modulus = 1u32 << bits.width();
        let (rest, equal) = match (bits.to_u64()?, bits.width()) {
            // What is not odd is even.
            (1, 1) if !equal || reading == Reading::Signed => (0, !equal),
            (0, 1) if !equal && reading == Reading::Unsigned => (1, true),
            (rest, _) => (rest, equal),
        };
        if rest != 0 && reading == Reading::Signed {
            return None;
        }
        let op = if equal { "==" } else { "!=" };
        Some(Text::new(format!("{text} % {modulus} {op} {rest}"), Precedence::Equality))
    }

    /// An equation between the sign bit, or more bits on top, of a signed word and a constant, as a comparison.
    fn top_bits(&self, a: TermId, b: TermId, equal: bool) -> Option<Text> {
        let Op::BvExtract(low) = self.store.op(a) else { return None };
        let word = self.store.arg(a, 0);
        let bits = self.store.bv_value(b)?;
        if low + self.store.width(a) != self.store.width(word)
            || self.natural(word)? != Reading::Signed && !self.is_signed_sum(word)
        {
            return None;
        }
        let word = self.word_as(word, Reading::Signed)?.inside(Precedence::Relational);
        if bits.width() == 1 {
            let op = if bits.is_one() == equal { "<" } else { ">=" };
            return Some(Text::new(format!("{word} {op} 0"), Precedence::Relational));
        }
        let bound = BitVec::one(low + bits.width()).shl_by(low);
        let bound = bound.to_signed_decimal();
        match (bits.is_zero(), bits.is_ones(), equal) {
            (true, _, true) => {
                Some(Text::new(format!("{word} >= 0 && {word} < {bound}"), Precedence::LogicalAnd))
            }
            (true, _, false) => {
                Some(Text::new(format!("{word} < 0 || {word} >= {bound}"), Precedence::LogicalOr))
            }
            (_, true, true) => {
                Some(Text::new(format!("{word} < 0 && {word} >= -{bound}"), Precedence::LogicalAnd))
            }
            (_, true, false) => {
                Some(Text::new(format!("{word} >= 0 || {word} < -{bound}"), Precedence::LogicalOr))
            }
            _ => None,
        }
    }

    /// Checks whether a word is made by arithmetic from variables that have signs, so that its own sign is what is meant.
    fn is_signed_sum(&self, word: TermId) -> bool {
        if !matches!(self.store.op(word), Op::BvAdd | Op::BvMul | Op::BvNeg) {
            return false;
        }
        let free = self.store.free_vars(&[word]);
        let mut free = free.into_iter().map(|var| self.store.var_info(var).term);
        let is_signed =
            |var| matches!(self.names.get(&var), Some((_, Type::Int { signed: true, .. })));
        free.all(is_signed)
    }

    fn comparison(&self, reading: Reading, a: TermId, b: TermId, op: &str) -> Option<Text> {
        if reading == Reading::Unsigned
            && let Some(text) = self.split(a, b, op)
        {
            return Some(text);
        }
        // A constant stands on the right.
        if self.store.is_value(a) {
            let (b, a) = self.operands(b, a, reading)?;
            let op = if op == "<" { ">" } else { ">=" };
            let (a, b) = (a.inside(Precedence::Relational), b.inside(Precedence::Relational));
            return Some(Text::new(format!("{b} {op} {a}"), Precedence::Relational));
        }
        let (a, b) = self.operands(a, b, reading)?;
        let (a, b) = (a.inside(Precedence::Relational), b.inside(Precedence::Relational));
        Some(Text::new(format!("{a} {op} {b}"), Precedence::Relational))
    }

    /// Two words that are compared in a reading. C converts the narrower one to the type of the wider one, and what is
    /// narrower than `int` to `int`: extensions of words need not be written where that does what they do.
    fn operands(&self, a: TermId, b: TermId, reading: Reading) -> Option<(Text, Text)> {
        let plain = |term: TermId| {
            let (word, from) = linear::extended(self.store, term)?;
            // An extended sign is one only where signs are read.
            let fits = (from == Reading::Unsigned || reading == Reading::Signed)
                && self.natural(word)? == from;
            let is_int = self.store.width(word) < 32 || from == Reading::Signed;
            fits.then(|| Some((self.word_as(word, from)?, is_int))).flatten()
        };
        let whole = |term| self.word_as(term, reading);
        Some(match (plain(a), plain(b)) {
            (Some((left, int)), Some((right, other_int))) if int == other_int => (left, right),
            (Some((left, _)), None) => (left, whole(b)?),
            (None, Some((right, _))) => (whole(a)?, right),
            _ => (whole(a)?, whole(b)?),
        })
    }

    /// An unsigned comparison of a signed word with a constant that has no sign bit, as signed comparisons.
    fn split(&self, a: TermId, b: TermId, op: &str) -> Option<Text> {
        let small = |term| self.store.bv_value(term).filter(|bits| !bits.sign_bit());
        let signed = |term| {
            (self.store.op(term) != Op::BvConcat && self.natural(term) == Some(Reading::Signed))
                .then(|| self.word_as(term, Reading::Signed))
                .flatten()
                .map(|text| text.inside(Precedence::Relational))
        };
        if let (Some(bits), Some(a)) = (small(b), signed(a)) {
            let bound = bits.to_signed_decimal();
            return Some(Text::new(
                format!("{a} >= 0 && {a} {op} {bound}"),
                Precedence::LogicalAnd,
            ));
        }
        if let (Some(bits), Some(b)) = (small(a), signed(b)) {
            let (bound, op) = (bits.to_signed_decimal(), if op == "<" { ">" } else { ">=" });
            return Some(Text::new(format!("{b} < 0 || {b} {op} {bound}"), Precedence::LogicalOr));
        }
        None
    }

    fn floats(&self, a: TermId, b: TermId, op: &str) -> Option<Text> {
        let (a, b) = (self.float(a)?, self.float(b)?);
        let level = if op == "==" { Precedence::Equality } else { Precedence::Relational };
        let (a, b) = (a.inside(Precedence::Relational), b.inside(Precedence::Relational));
        Some(Text::new(format!("{a} {op} {b}"), level))
    }

    fn float(&self, term: TermId) -> Option<Text> {
        match self.store.op(term) {
            Op::Var(_) => Some(Text::new(&*self.names.get(&term)?.0, Precedence::Primary)),
            Op::Const(_) => {
                let value = self.store.float_value(term)?;
                let double = value.convert(FloatFormat::DOUBLE, RoundingMode::NearestEven);
                let exact = double.convert(value.format(), RoundingMode::NearestEven) == *value;
                let number = double.to_f64().filter(|number| exact && number.is_finite())?;
                Some(Text::new(format!("{number:?}"), Precedence::Unary))
            }
            Op::FpNeg => {
                let operand = self.float(self.store.arg(term, 0))?;
                Some(Text::new(
                    format!("-{}", operand.inside(Precedence::Unary)),
                    Precedence::Unary,
                ))
            }
            _ => None,
        }
    }

    /// The reading in which a word is printed without a cast.
    fn natural(&self, term: TermId) -> Option<Reading> {
        Some(match self.store.op(term) {
            Op::Var(_) => match self.names.get(&term)?.1 {
                Type::Int { signed: true, .. } => Reading::Signed,
                _ => Reading::Unsigned,
            },
            Op::BvSignExtend | Op::BvAshr => Reading::Signed,
            _ if Linear::of(self.store, term).is_some() => Reading::Signed,
            Op::Ite => {
                let then = self.store.arg(term, 1);
                let other = self.store.arg(term, 2);
                match self.store.is_value(then) {
                    true => self.natural(other)?,
                    false => self.natural(then)?,
                }
            }
            _ => Reading::Unsigned,
        })
    }

    /// A word in a reading.
    fn word_as(&self, term: TermId, reading: Reading) -> Option<Text> {
        let width = self.store.width(term);
        if let Some(Value::BitVec(bits)) = self.store.value(term) {
            return constant(bits, reading);
        }
        if reading == Reading::Signed
            && let Some(sum) = Linear::of(self.store, term)
        {
            return sum.print(self);
        }
        let word = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.word(term, reading))?;
        if word.reading == reading {
            return Some(word.text);
        }
        let ty = type_name(width, reading)?;
        Some(Text::new(
            format!("({ty}){}", word.text.inside(Precedence::Multiplicative)),
            Precedence::Unary,
        ))
    }

    /// A word in its own reading, or in the wanted one where that is as easy.
    fn word(&self, term: TermId, wanted: Reading) -> Option<Word> {
        let width = self.store.width(term);
        let arg = |i| self.store.arg(term, i);
        let unsigned = |text| Some(Word { text, reading: Reading::Unsigned });
        match self.store.op(term) {
            Op::Var(_) => {
                let (name, ty) = self.names.get(&term)?;
                let reading = match ty {
                    Type::Int { signed: true, .. } => Reading::Signed,
                    Type::Int { .. } => Reading::Unsigned,
                    _ => return None,
                };
                Some(Word { text: Text::new(&**name, Precedence::Primary), reading })
            }
            Op::Ite => {
                let (then, other) = (self.word_as(arg(1), wanted)?, self.word_as(arg(2), wanted)?);
                let text = self.conditional([arg(0)], then, other)?;
                Some(Word { text, reading: wanted })
            }
            Op::BvAdd => self.arithmetic(width, "+", Precedence::Additive, arg(0), arg(1)),
            Op::BvMul => self.arithmetic(width, "*", Precedence::Multiplicative, arg(0), arg(1)),
            Op::BvAnd => self.bitwise("&", Precedence::BitAnd, arg(0), arg(1)),
            Op::BvXor => self.bitwise("^", Precedence::BitXor, arg(0), arg(1)),
            Op::BvNeg => {
                let operand = self.wrapping(arg(0))?.inside(Precedence::Unary);
                unsigned(wrapped(width, Text::new(format!("-{operand}"), Precedence::Unary))?)
            }
            Op::BvNot => {
                let operand = self.wrapping(arg(0))?.inside(Precedence::Unary);
                unsigned(wrapped(width, Text::new(format!("~{operand}"), Precedence::Unary))?)
            }
            Op::BvUdiv | Op::BvUrem => {
                // By zero C has no value.
                self.store.bv_value(arg(1)).filter(|divisor| !divisor.is_zero())?;
                let op = if self.store.op(term) == Op::BvUdiv { "/" } else { "%" };
                let a = self.word_as(arg(0), Reading::Unsigned)?.inside(Precedence::Multiplicative);
                let b = self.word_as(arg(1), Reading::Unsigned)?.inside(Precedence::Multiplicative);
                unsigned(Text::new(format!("{a} {op} {b}"), Precedence::Multiplicative))
            }
            Op::BvShl | Op::BvLshr => {
                let amount =
                    self.store.bv_value(arg(1))?.to_u64().filter(|&by| by < width.into())?;
                let a = self.wrapping(arg(0))?.inside(Precedence::Additive);
                let left = self.store.op(term) == Op::BvShl;
                let op = if left { "<<" } else { ">>" };
                let text = Text::new(format!("{a} {op} {amount}"), Precedence::Shift);
                unsigned(if left { wrapped(width, text)? } else { text })
            }
            Op::BvExtract(low) => {
                let from = self.store.width(arg(0));
                type_name(from, Reading::Unsigned)?;
                let word = self.wrapping(arg(0))?;
                let shifted = match low {
                    0 => word,
                    _ => Text::new(
                        format!("{} >> {low}", word.inside(Precedence::Additive)),
                        Precedence::Shift,
                    ),
                };
                if let Some(ty) = type_name(width, Reading::Unsigned) {
                    let text = format!("({ty}){}", shifted.inside(Precedence::Multiplicative));
                    return unsigned(Text::new(text, Precedence::Unary));
                }
                if low + width == from {
                    return unsigned(shifted);
                }
                let mask = constant(&BitVec::ones(width).zero_extend(from), Reading::Unsigned)?;
                let text = format!("{} & {}", shifted.inside(Precedence::BitAnd), mask.text);
                unsigned(Text::new(text, Precedence::BitAnd))
            }
            Op::BvSignExtend => {
                let text = self.word_as(arg(0), Reading::Signed)?;
                let ty = type_name(width, Reading::Signed)?;
                let text = Text::new(
                    format!("({ty}){}", text.inside(Precedence::Multiplicative)),
                    Precedence::Unary,
                );
                Some(Word { text, reading: Reading::Signed })
            }
            // Zeros on top: the same value in a larger type.
            Op::BvConcat if self.store.bv_value(arg(0)).is_some_and(BitVec::is_zero) => {
                let text = self.word_as(arg(1), Reading::Unsigned)?;
                let ty = type_name(width, Reading::Unsigned)?;
                unsigned(Text::new(
                    format!("({ty}){}", text.inside(Precedence::Multiplicative)),
                    Precedence::Unary,
                ))
            }
            // Zeros below: a product with a power of two.
            Op::BvConcat => {
                let (word, bits) = linear::shifted(self.store, term)?;
                let word = self.wrapping(word)?.inside(Precedence::Multiplicative);
                let by = constant(&BitVec::one(width).shl_by(bits), Reading::Unsigned)?;
                unsigned(wrapped(
                    width,
                    Text::new(format!("{word} * {}", by.text), Precedence::Multiplicative),
                )?)
            }
            _ => None,
        }
    }

    /// A word whose C value has the right low bits and an unsigned type of at least its width.
    fn wrapping(&self, term: TermId) -> Option<Text> {
        self.word_as(term, Reading::Unsigned)
    }

    fn arithmetic(
        &self,
        width: u32,
        op: &str,
        level: Precedence,
        a: TermId,
        b: TermId,
    ) -> Option<Word> {
        let (a, b) = if self.store.is_value(a) { (b, a) } else { (a, b) };
        let left = self.wrapping(a)?.inside(level);
        // Adding a number with the sign bit is subtracting its opposite.
        let subtrahend = self.store.bv_value(b).filter(|bits| op == "+" && bits.sign_bit());
        let text = match subtrahend {
            Some(bits) => {
                let right = constant(&bits.neg(), Reading::Unsigned)?;
                format!("{left} - {}", right.text)
            }
            None => format!("{left} {op} {}", self.wrapping(b)?.inside(level)),
        };
        let text = wrapped(width, Text::new(text, level))?;
        Some(Word { text, reading: Reading::Unsigned })
    }

    fn bitwise(&self, op: &str, level: Precedence, a: TermId, b: TermId) -> Option<Word> {
        let (a, b) = if self.store.is_value(a) { (b, a) } else { (a, b) };
        let (a, b) = (self.wrapping(a)?.inside(level), self.wrapping(b)?.inside(level));
        let text = Text::new(format!("{a} {op} {b}"), level);
        Some(Word { text, reading: Reading::Unsigned })
    }
}

/// Arithmetic in a type narrower than `int` is done in `int`: cut back.
fn wrapped(width: u32, text: Text) -> Option<Text> {
    match width {
        32 | 64 => Some(text),
        _ => {
            let ty = type_name(width, Reading::Unsigned)?;
            Some(Text::new(
                format!("({ty}){}", text.inside(Precedence::Multiplicative)),
                Precedence::Unary,
            ))
        }
    }
}

fn type_name(width: u32, reading: Reading) -> Option<&'static str> {
    Some(match (width, reading) {
        (8, Reading::Signed) => "signed char",
        (8, Reading::Unsigned) => "unsigned char",
        (16, Reading::Signed) => "short",
        (16, Reading::Unsigned) => "unsigned short",
        (32, Reading::Signed) => "int",
        (32, Reading::Unsigned) => "unsigned int",
        (64, Reading::Signed) => "long long",
        (64, Reading::Unsigned) => "unsigned long long",
        _ => return None,
    })
}

fn constant(bits: &BitVec, reading: Reading) -> Option<Text> {
    let width = bits.width();
    if width > 64 {
        return None;
    }
    let text = match reading {
        Reading::Unsigned => {
            let suffix = match width {
                ..32 => "",
                32 => "U",
                _ => "ULL",
            };
            format!("{}{suffix}", bits.to_unsigned_decimal())
        }
        Reading::Signed => {
            let suffix = if width > 32 { "LL" } else { "" };
            // The least value has no literal of its own: its magnitude does not fit.
            if bits.is_min_signed() && width >= 32 {
                let above = bits.add(&BitVec::one(width)).to_signed_decimal();
                return Some(Text::new(format!("{above}{suffix} - 1"), Precedence::Additive));
            }
            format!("{}{suffix}", bits.to_signed_decimal())
        }
    };
    let level = if text.starts_with('-') { Precedence::Unary } else { Precedence::Primary };
    Some(Text::new(text, level))
}

#[cfg(test)]
mod tests;
