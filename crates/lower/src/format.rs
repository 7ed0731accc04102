//! Formatted output with a format that is a literal.
//!
//! The program shows what such a call reads and stores, and how long its text is: each conversion becomes its effect on
//! its argument. Into memory, and where the length counts (its value is used, or `%n` stores it), pieces of text are put
//! one after the other by the functions of `models/stdio.h/format.c`. Otherwise only what is read is said, so that a
//! program that prints a lot has no loop for it. An argument that is missing or of another type is a claim that fails
//! (C17 7.21.6.1p2, p9). Runs, and formats that are no literals, are the business of `models/stdio.h/print.c`.

use crate::Arguments;
use crate::function::Fx;
use crate::link::Cx;
use vergo_cfront::hir::{CastKind, ExprId as HirExpr, ExprKind, StringUnits};
use vergo_goto::expr::{ExprId, MemoryOp};
use vergo_goto::program::{
    Exit, FunctionId, InitPart, InstrKind, Intrinsic, StaticInit, SymbolId, SymbolKind,
};
use vergo_goto::types::Type;
use vergo_num::FloatFormat;

/// A function that prints: which of its arguments are what.
struct Printer {
    name: &'static str,
    format: usize,
    file: Option<usize>,
    to: Option<usize>,
    /// The greatest number of bytes that are written into memory.
    size: Option<usize>,
    /// The size of that memory as the compiler sees it: a longer text ends the program.
    room: Option<usize>,
}

const fn stream(name: &'static str, format: usize, file: Option<usize>) -> Printer {
    Printer { name, format, file, to: None, size: None, room: None }
}

const fn memory(
    name: &'static str,
    format: usize,
    size: Option<usize>,
    room: Option<usize>,
) -> Printer {
    Printer { name, format, file: None, to: Some(0), size, room }
}

const PRINTERS: &[Printer] = &[
    stream("printf", 0, None),
    stream("fprintf", 1, Some(0)),
    stream("dprintf", 1, None),
    stream("__printf_chk", 1, None),
    stream("__fprintf_chk", 2, Some(0)),
    stream("wprintf", 0, None),
    stream("fwprintf", 1, Some(0)),
    memory("sprintf", 1, None, None),
    memory("snprintf", 2, Some(1), None),
    memory("__sprintf_chk", 3, None, Some(2)),
    memory("__snprintf_chk", 4, Some(1), Some(3)),
];

// Flags of a conversion, as the models have them.
const LEFT: i128 = 1;
const ZERO: i128 = 2;
const PLUS: i128 = 256;
const SPACE: i128 = 512;
const ALTERNATIVE: i128 = 1024;

/// A width or precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Amount {
    None,
    Number(i32),
    Argument,
}

/// The length modifier of a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Length {
    None,
    Char,
    Short,
    Long,
    LongLong,
    Word,
    LongDouble,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Conversion {
    flags: i128,
    width: Amount,
    precision: Amount,
    length: Length,
    kind: u8,
}

impl Conversion {
    /// Checks whether a conversion of characters takes narrow or wide ones.
    fn has_text(self) -> bool {
        matches!(self.length, Length::None | Length::Long)
    }
}

/// A part of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Piece {
    /// Characters as they stand, from a position in the format on.
    Plain(usize, usize),
    Conversion(Conversion),
}

/// The parts of a format; `None` if it is not one of C's.
fn pieces(format: &[u8]) -> Option<Vec<Piece>> {
    let mut found = Vec::new();
    let mut i = 0;
    while i < format.len() {
        let start = i;
        while i < format.len() && format[i] != b'%' {
            i += 1;
        }
        if i > start {
            found.push(Piece::Plain(start, i - start));
            continue;
        }
        let (conversion, n) = conversion(&format[i + 1..])?;
        found.push(match conversion.kind {
            b'%' => Piece::Plain(i + n, 1),
            _ => Piece::Conversion(conversion),
        });
        i += 1 + n;
    }
    Some(found)
}

/// The conversion behind a percent sign, and how many characters it has.
fn conversion(text: &[u8]) -> Option<(Conversion, usize)> {
    let mut i = 0;
    let mut flags = 0;
    loop {
        flags |= match text.get(i)? {
            b'-' => LEFT,
            b'0' => ZERO,
            b'+' => PLUS,
            b' ' => SPACE,
            b'#' => ALTERNATIVE,
            _ => break,
        };
        i += 1;
    }
    let width = amount(text, &mut i)?;
    let mut precision = Amount::None;
    if text.get(i) == Some(&b'.') {
        i += 1;
        precision = match amount(text, &mut i)? {
            Amount::None => Amount::Number(0),
            given => given,
        };
    }
    let (length, n) = match (text.get(i)?, text.get(i + 1)) {
        (b'h', Some(b'h')) => (Length::Char, 2),
        (b'h', _) => (Length::Short, 1),
        (b'l', Some(b'l')) => (Length::LongLong, 2),
        (b'l', _) => (Length::Long, 1),
        (b'q' | b'j', _) => (Length::LongLong, 1),
        (b'z' | b't', _) => (Length::Word, 1),
        (b'L', _) => (Length::LongDouble, 1),
        _ => (Length::None, 0),
    };
    i += n;
    let kind = *text.get(i)?;
    Some((Conversion { flags, width, precision, length, kind }, i + 1))
}

fn amount(text: &[u8], i: &mut usize) -> Option<Amount> {
    if text.get(*i) == Some(&b'*') {
        *i += 1;
        return Some(Amount::Argument);
    }
    let digits = text[*i..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&text[*i..*i + digits]).ok()?;
    *i += digits;
    if digits == 0 { Some(Amount::None) } else { number.parse().ok().map(Amount::Number) }
}

/// The class of an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Int(u32),
    Float(FloatFormat),
    Pointer,
}

/// A call under work.
struct Call<'a> {
    format: ExprId,
    /// The variable arguments, frozen.
    args: &'a [ExprId],
    next: usize,
    /// Where the text goes, how much of it, and the length so far; `None` where only what is read counts.
    text: Option<(ExprId, ExprId, ExprId)>,
}

impl Cx<'_> {
    /// Returns whether the program names a function that closes streams.
    pub(crate) fn closes_streams(&mut self) -> bool {
        let unit = self.units[0].unit.clone();
        *self.closes_streams.get_or_insert_with(|| {
            unit.exprs.values().any(|expr| match expr.kind {
                ExprKind::Function(id) => {
                    matches!(unit.names.name(unit.functions[id].name), "fclose" | "freopen")
                }
                _ => false,
            })
        })
    }
}

impl Fx<'_, '_> {
    /// A call of a function that prints, if it is one with a literal format in a program that is verified: its result.
    pub(crate) fn print_call(
        &mut self,
        function: FunctionId,
        hir_args: &[HirExpr],
        want: bool,
    ) -> Option<Option<ExprId>> {
        let function = &self.cx.p.functions[function];
        let runs = matches!(self.cx.options.arguments, Arguments::Given(_));
        if !function.library || runs || !self.cx.options.models {
            return None;
        }
        let printer = PRINTERS.iter().find(|printer| printer.name == function.display)?;
        let (format, is_wide) = self.literal_bytes(*hir_args.get(printer.format)?)?;
        let pieces = pieces(&format);
        let stores_length = pieces
            .iter()
            .flatten()
            .any(|piece| matches!(piece, Piece::Conversion(conversion) if conversion.kind == b'n'));
        // The characters of a wide format are no text that can be put.
        if is_wide && (want || stores_length) {
            return None;
        }
        let args = self.printed(hir_args);
        let Some(pieces) = pieces else {
            self.b.unsupported("this format of formatted output".to_owned());
            return Some(want.then(|| self.any_int()));
        };
        if let Some(file) = printer.file {
            let size = self.cx.p.size(4);
            self.access_block(Intrinsic::Reads, args[file], size);
        }
        self.use_stream(printer, &args);
        let size_type = self.cx.p.size_type();
        let char_ptr = self.cx.char_ptr();
        let text = (printer.to.is_some() || want || stores_length).then(|| {
            let to = match printer.to {
                Some(to) => self.coerce(args[to], char_ptr),
                None => self.cx.p.null(char_ptr),
            };
            let room = match (printer.to, printer.size) {
                (None, _) => self.cx.p.size(0),
                (Some(_), Some(size)) => self.coerce(args[size], size_type),
                // As much as an object can have.
                (Some(_), None) => self.cx.p.size(u64::MAX >> (65 - self.cx.target.word * 8)),
            };
            let n = self.temp(size_type);
            let n = self.cx.p.symbol(n);
            let zero = self.cx.p.size(0);
            self.assign(n, zero);
            (to, room, n)
        });
        if let (Some(_), Some((to, room, _))) = (printer.to, text) {
            // The end of the text is stored in any case; what else is, is seen where it is stored.
            let (zero, one) = (self.cx.p.size(0), self.cx.p.size(1));
            let none = self.cx.p.eq(room, zero);
            let least = self.cx.p.ite(none, zero, one);
            self.access_block(Intrinsic::Writes, to, least);
        }
        if let (Some(size), Some(room)) = (printer.size, printer.room) {
            let (size, room) =
                (self.coerce(args[size], size_type), self.coerce(args[room], size_type));
            let fits = self.cx.p.le(size, room);
            self.abort_unless(fits);
        }
        let format = self.coerce(args[printer.format], char_ptr);
        let mut call = Call { format, args: &args[printer.format + 1..], next: 0, text };
        for piece in pieces {
            self.print_piece(&mut call, piece);
        }
        let Some((_, _, n)) = text else { return Some(None) };
        if printer.to.is_some() {
            self.put(&mut call, "__vergo_put_end", &[]);
        }
        if let (None, Some(given)) = (printer.size, printer.room) {
            let given = self.coerce(args[given], size_type);
            let fits = self.cx.p.lt(n, given);
            self.abort_unless(fits);
        }
        if !want {
            return Some(None);
        }
        let int = self.cx.int_type();
        let length = self.cx.p.cast(int, n);
        if printer.to.is_some() {
            return Some(Some(self.save(length)));
        }
        // All of it, or an error.
        let result = self.nondet(int);
        let zero = self.cx.p.int(int, 0);
        let failed = self.cx.p.lt(result, zero);
        let all = self.cx.p.eq(result, length);
        let either = self.cx.p.or(failed, all);
        self.emit(InstrKind::Assume(either));
        Some(Some(result))
    }

    /// The arguments of a call that prints, promoted and frozen.
    fn printed(&mut self, hir_args: &[HirExpr]) -> Vec<ExprId> {
        let args: Vec<ExprId> = self.arguments(hir_args);
        args.into_iter()
            .zip(hir_args)
            .map(|(arg, &hir)| {
                let promoted = self.cx.promoted(self.cx.p.exprs.ty(arg));
                let arg = self.coerce(arg, promoted);
                let arg = self.freeze(arg);
                self.note(arg, self.unit.exprs[hir].span)
            })
            .collect()
    }

    /// The stream that a call prints to is open, in a program that can close the standard ones.
    fn use_stream(&mut self, printer: &Printer, args: &[ExprId]) {
        let (function, args) = match (printer.file, printer.to) {
            (Some(file), _) => ("__vergo_use_stream", vec![args[file]]),
            (None, None) if printer.name != "dprintf" => ("__vergo_use_stdout", Vec::new()),
            _ => return,
        };
        if !self.cx.closes_streams() {
            return;
        }
        if let Some(id) = self.cx.model_function(function) {
            let void = self.cx.p.types.void();
            self.call_function(id, args, void, false);
        }
    }

    fn any_int(&mut self) -> ExprId {
        let int = self.cx.int_type();
        self.nondet(int)
    }

    fn abort_unless(&mut self, condition: ExprId) {
        let on = self.b.new_label();
        self.b.goto_if(condition, on);
        self.b.end(Exit::Abort);
        self.b.label(on);
    }

    /// Says that a block is accessed.
    pub(crate) fn access_block(&mut self, op: Intrinsic, pointer: ExprId, size: ExprId) {
        self.emit(InstrKind::Intrinsic { op, dest: None, args: Box::new([pointer, size]) });
    }

    fn print_piece(&mut self, call: &mut Call<'_>, piece: Piece) {
        let conversion = match piece {
            Piece::Plain(at, n) => {
                if call.text.is_some() {
                    let at = self.cx.p.size(at as u64);
                    let text = self.cx.p.ptr_add(call.format, at);
                    let n = self.cx.p.size(n as u64);
                    let (flags, width) = (self.int(0), self.int(0));
                    self.put(call, "__vergo_put_text", &[text, n, flags, width]);
                }
                return;
            }
            Piece::Conversion(conversion) => conversion,
        };
        let int = Class::Int(32);
        let mut flags = self.int(conversion.flags);
        let mut width = match conversion.width {
            Amount::None => self.int(0),
            Amount::Number(width) => self.int(width.into()),
            Amount::Argument => match self.argument(call, int, conversion.kind) {
                Some(width) => width,
                None => return,
            },
        };
        if conversion.width == Amount::Argument && call.text.is_some() {
            // A negative width is a flag and a width.
            let zero = self.int(0);
            let negative = self.cx.p.lt(width, zero);
            let negated = self.cx.p.neg(width);
            let left = self.int(conversion.flags | LEFT);
            flags = self.cx.p.ite(negative, left, flags);
            width = self.cx.p.ite(negative, negated, width);
        }
        let precision = match conversion.precision {
            Amount::None => self.int(-1),
            Amount::Number(precision) => self.int(precision.into()),
            Amount::Argument => match self.argument(call, int, conversion.kind) {
                Some(precision) => precision,
                None => return,
            },
        };
        let word = self.cx.target.word as u32 * 8;
        let bits = match conversion.length {
            Length::None | Length::Char | Length::Short => 32,
            Length::Long | Length::Word => word,
            Length::LongLong | Length::LongDouble => 64,
        };
        let kind = conversion.kind;
        let letter = self.int(kind.into());
        match kind {
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => {
                let Some(value) = self.argument(call, Class::Int(bits), kind) else { return };
                if call.text.is_none() {
                    return;
                }
                let signed = matches!(kind, b'd' | b'i');
                let own = match conversion.length {
                    Length::Char => 8,
                    Length::Short => 16,
                    _ => bits,
                };
                let own = self.cx.p.types.int(signed, own);
                let value = self.cx.p.cast(own, value);
                let wide = self.cx.p.types.int(signed, 64);
                let value = self.cx.p.cast(wide, value);
                let wide = self.cx.p.types.int(false, 64);
                let value = self.cx.p.cast(wide, value);
                let letter = if signed { self.int(b'd'.into()) } else { letter };
                let narrow = self.int((bits == 32).into());
                let args = [value, letter, narrow, flags, width, precision];
                self.put(call, "__vergo_put_integer", &args);
            }
            b'c' if conversion.has_text() => {
                let Some(value) = self.argument(call, int, kind) else { return };
                if call.text.is_some() {
                    let wide = conversion.length == Length::Long;
                    let function = if wide { "__vergo_put_wide_char" } else { "__vergo_put_char" };
                    self.put(call, function, &[value, flags, width]);
                }
            }
            b's' if conversion.has_text() => {
                let Some(text) = self.argument(call, Class::Pointer, kind) else { return };
                let size_type = self.cx.p.size_type();
                let most = self.cx.p.size(u64::MAX >> (65 - self.cx.target.word * 8));
                let zero = self.int(0);
                let none = self.cx.p.lt(precision, zero);
                let given = self.cx.p.cast(size_type, precision);
                let limit = self.cx.p.ite(none, most, given);
                if conversion.length == Length::Long {
                    self.wide_text(call, text, limit, flags, width);
                } else if call.text.is_some() {
                    self.put(call, "__vergo_put_text", &[text, limit, flags, width]);
                } else if !self.is_literal(text) {
                    let size = self.cx.p.memory(MemoryOp::TextSize, [text, limit]);
                    self.access_block(Intrinsic::Reads, text, size);
                }
            }
            b'n' => {
                let Some(to) = self.argument(call, Class::Pointer, kind) else { return };
                let bits = match conversion.length {
                    Length::Char => 8,
                    Length::Short => 16,
                    _ => bits,
                };
                let ty = self.cx.p.types.int(true, bits);
                let place = self.deref_as(to, ty);
                self.note_as(place, to);
                if let Some((_, _, n)) = call.text {
                    let n = self.cx.p.cast(ty, n);
                    self.assign(place, n);
                }
            }
            b'a' | b'e' | b'f' | b'g' | b'A' | b'E' | b'F' | b'G' => {
                let long = conversion.length == Length::LongDouble;
                let (format, function) = if long {
                    (FloatFormat::X87_EXTENDED, "__vergo_put_long_double")
                } else {
                    (FloatFormat::DOUBLE, "__vergo_put_float")
                };
                let Some(value) = self.argument(call, Class::Float(format), kind) else { return };
                if call.text.is_some() {
                    self.put(call, function, &[value, letter, flags, width, precision]);
                }
            }
            b'p' => {
                let argument = self.argument(call, Class::Pointer, kind);
                if argument.is_some() && call.text.is_some() {
                    self.b.unsupported("the text of an address".to_owned());
                }
            }
            b'm' if call.text.is_none() => {}
            _ => self.b.unsupported("this conversion of formatted output".to_owned()),
        }
    }

    /// A wide text is put, or else read.
    fn wide_text(
        &mut self,
        call: &mut Call<'_>,
        text: ExprId,
        limit: ExprId,
        flags: ExprId,
        width: ExprId,
    ) {
        let int = self.cx.int_type();
        let wide = self.cx.p.types.ptr(int);
        let text = self.coerce(text, wide);
        if call.text.is_some() {
            self.put(call, "__vergo_put_wide_text", &[text, limit, flags, width]);
        } else if let Some(id) = self.cx.model_function("__vergo_wide_length") {
            let size_type = self.cx.p.size_type();
            self.call_function(id, vec![text, limit], size_type, false);
        }
    }

    /// The next argument, which a conversion takes; `None` if it is not there or of another type.
    fn argument(&mut self, call: &mut Call<'_>, class: Class, kind: u8) -> Option<ExprId> {
        let kind = char::from(kind);
        let Some(&arg) = call.args.get(call.next) else {
            let description = format!("a conversion `%{kind}` has no argument");
            self.claim_false("memory.bounds", description);
            return None;
        };
        call.next += 1;
        let ty = self.cx.p.exprs.ty(arg);
        let own = match *self.cx.p.types.get(ty) {
            Type::Int { width, .. } => Some(Class::Int(width)),
            Type::Float(format) => Some(Class::Float(format)),
            Type::Ptr(_) => Some(Class::Pointer),
            _ => None,
        };
        if own == Some(class) {
            return Some(match class {
                Class::Pointer => {
                    let char_ptr = self.cx.char_ptr();
                    let pointer = self.coerce(arg, char_ptr);
                    self.note_as(pointer, arg)
                }
                Class::Int(32) => {
                    let int = self.cx.int_type();
                    self.coerce(arg, int)
                }
                _ => arg,
            });
        }
        let description = format!("the argument of a conversion `%{kind}` has another type");
        self.claim_false("call.argument", description);
        // The machine takes an address where it finds a word of that size.
        let word = self.cx.target.word as u32 * 8;
        match (class, own) {
            (Class::Pointer, Some(Class::Int(width))) if width == word => {
                let char_ptr = self.cx.char_ptr();
                Some(self.coerce(arg, char_ptr))
            }
            (Class::Int(width), Some(Class::Int(_))) => {
                let ty = self.cx.p.types.int(true, width);
                Some(self.cx.p.cast(ty, arg))
            }
            _ => {
                self.b.unsupported("an argument of another type than its conversion's".to_owned());
                None
            }
        }
    }

    /// Puts a piece of text behind the others.
    fn put(&mut self, call: &mut Call<'_>, function: &str, args: &[ExprId]) {
        let Some((to, room, n)) = call.text else { return };
        let Some(id) = self.cx.model_function(function) else {
            self.b.unsupported("formatted output without models".to_owned());
            return;
        };
        let mut all = vec![to, room, n];
        all.extend_from_slice(args);
        let size_type = self.cx.p.size_type();
        let want = function != "__vergo_put_end";
        if let Some(length) = self.call_function(id, all, size_type, want) {
            self.assign(n, length);
        }
    }

    fn int(&mut self, value: i128) -> ExprId {
        let int = self.cx.int_type();
        self.cx.p.int(int, value)
    }

    /// Gives an expression the position of another.
    fn note_as(&mut self, expr: ExprId, other: ExprId) -> ExprId {
        if let Some(&span) = self.spans.get(&other) {
            self.note(expr, span);
        }
        expr
    }

    /// Returns whether a pointer is surely one to a string literal's beginning.
    fn is_literal(&self, pointer: ExprId) -> bool {
        use vergo_goto::expr::ExprKind;
        let mut expr = pointer;
        loop {
            match *self.cx.p.exprs.kind(expr) {
                ExprKind::Cast(_, inner) | ExprKind::AddressOf(inner) => expr = inner,
                ExprKind::Index(array, index) => {
                    let ExprKind::Int(bits) = self.cx.p.exprs.kind(index) else { return false };
                    if !bits.is_zero() {
                        return false;
                    }
                    expr = array;
                }
                ExprKind::Symbol(symbol) => return self.is_constant_text(symbol),
                _ => return false,
            }
        }
    }

    /// Returns whether a variable cannot be written and holds a text that ends.
    fn is_constant_text(&self, symbol: SymbolId) -> bool {
        let symbol = &self.cx.p.symbols[symbol];
        let SymbolKind::Static { init: StaticInit::Data(parts), .. } = &symbol.kind else {
            return false;
        };
        if symbol.writable {
            return false;
        }
        let size = self.cx.p.size_of(symbol.ty).unwrap_or(0);
        match &parts[..] {
            [] => size > 0,
            [InitPart::Bytes { bytes, .. }] => bytes.contains(&0) || (bytes.len() as u64) < size,
            _ => false,
        }
    }

    /// The characters of a string literal behind conversions, up to its first zero, and whether they are wide; `None` for
    /// wide ones beyond ASCII.
    fn literal_bytes(&self, mut expr: HirExpr) -> Option<(Vec<u8>, bool)> {
        loop {
            match self.unit.exprs[expr].kind {
                ExprKind::Cast(CastKind::ArrayDecay | CastKind::Ptr | CastKind::NoOp, inner) => {
                    expr = inner;
                }
                ExprKind::String(string) => {
                    let (mut bytes, is_wide) = match &self.unit.strings[string].units {
                        StringUnits::Bytes(bytes) => (bytes.clone(), false),
                        StringUnits::Units32(units) => (ascii(units)?, true),
                        StringUnits::Units16(_) => return None,
                    };
                    bytes.truncate(bytes.iter().position(|&byte| byte == 0)?);
                    return Some((bytes, is_wide));
                }
                _ => return None,
            }
        }
    }
}

/// Wide characters as bytes, if ASCII has them all.
fn ascii(units: &[u32]) -> Option<Vec<u8>> {
    let byte = |&unit: &u32| u8::try_from(unit).ok().filter(u8::is_ascii);
    units.iter().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::{Amount, Conversion, Length, Piece, pieces};

    #[test]
    fn formats_are_taken_apart() {
        let conversion = |kind| Conversion {
            flags: 0,
            width: Amount::None,
            precision: Amount::None,
            length: Length::None,
            kind,
        };
        let found = pieces(b"a%d%%%-*.3lx%hhn").unwrap();
        let hex = Conversion {
            flags: super::LEFT,
            width: Amount::Argument,
            precision: Amount::Number(3),
            length: Length::Long,
            kind: b'x',
        };
        let expected = [
            Piece::Plain(0, 1),
            Piece::Conversion(conversion(b'd')),
            Piece::Plain(4, 1),
            Piece::Conversion(hex),
            Piece::Conversion(Conversion { length: Length::Char, ..conversion(b'n') }),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_no_format_is_none() {
        for text in ["%", "100%", "%-", "%.", "%99999999999d", "%h"] {
            assert_eq!(pieces(text.as_bytes()), None, "{text}");
        }
    }
}
