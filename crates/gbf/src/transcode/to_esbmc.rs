//! Ireps of CBMC in ESBMC's words.
//!
//! ESBMC has fewer expressions than CBMC. Where it can say the same in others (rotations by shifts, a number of zeros by
//! counting ones, complex numbers by their parts), the translation does; these have the same value for every operand. What is
//! left has no words.

use super::{CLASS_NAME, FLOATING, NAMES, NESTED_TYPES, Transcoder};
use crate::irep::IrepId;

impl Transcoder<'_> {
    pub(super) fn esbmc_irep(&mut self, irep: IrepId, behind_pointer: bool) -> IrepId {
        let from = self.from;
        let id = from.ireps.id(irep);
        if self.is_type(irep) {
            match id {
                "struct_tag" | "union_tag" => return self.written_out(irep, behind_pointer),
                "c_enum_tag" => {
                    let name = from.ireps.get_id(irep, "identifier").to_owned();
                    let definition = self.by_name.get(&name).map(|&i| self.symbols[i].ty);
                    let inner = definition.and_then(|ty| from.subtype(ty));
                    let width = inner.map_or("32", |i| from.ireps.get_id(i, "width")).to_owned();
                    let kind = inner.map_or("unsignedbv", |i| from.ireps.id(i)).to_owned();
                    let (width, tag) = (self.out.leaf(&width), self.out.leaf(&name));
                    return self.out.irep(&kind, &[], &[("width", width), ("#enum_tag", tag)]);
                }
                "c_bool" => {
                    let one = self.out.leaf("1");
                    return self.out.irep("bool", &[], &[("#c_bool", one)]);
                }
                "c_bit_field" => {
                    let inner = from.subtype(irep);
                    let signed = inner.is_some_and(|i| self.is_signed(i));
                    let inner = inner.map(|i| self.irep(i, false));
                    let (width, one) = (self.irep_or_nil(irep, "width"), self.out.leaf("1"));
                    let mut named = vec![("width", width)];
                    named.extend(inner.map(|i| ("subtype", i)));
                    named.push(("#bitfield", one));
                    let kind = if signed { "signedbv" } else { "unsignedbv" };
                    return self.out.irep(kind, &[], &named);
                }
                _ if NESTED_TYPES.contains(&id) => {
                    let inner = from.subtype(irep);
                    let inner = inner.map(|i| self.irep(i, id == "pointer"));
                    let mut named = self.named(irep, &[]);
                    named.extend(inner.map(|i| ("subtype".to_owned(), i)));
                    return self.make(id.as_bytes(), &[], &named);
                }
                "code" if from.ireps.get(irep, "statement").is_none() => {
                    let parameters = from.ireps.get(irep, "parameters");
                    let mut named = self.named(irep, &["parameters"]);
                    let list = match parameters {
                        Some(list) => self.list(list, "argument"),
                        None => self.out.leaf(""),
                    };
                    named.insert(0, ("arguments".to_owned(), list));
                    return self.make(b"code", &[], &named);
                }
                "struct" | "union" => {
                    let components = from.ireps.get(irep, "components");
                    let mut named = self.named(irep, &["components"]);
                    if let Some(list) = components {
                        let list = self.list(list, "component");
                        named.push(("components".to_owned(), list));
                    }
                    return self.make(id.as_bytes(), &[], &named);
                }
                _ => {}
            }
        } else if let Some(said) = self.esbmc_words(irep, id) {
            return self.placed(said, irep);
        }
        self.esbmc_expression(irep)
    }

    fn is_signed(&self, ty: IrepId) -> bool {
        self.from.ireps.id(ty) == "signedbv"
    }

    /// A structure by tag: written out, or by its name behind a pointer.
    fn written_out(&mut self, irep: IrepId, behind_pointer: bool) -> IrepId {
        let from = self.from;
        let name = from.ireps.get_id(irep, "identifier").to_owned();
        let definition = self.by_name.get(&name).map(|&i| self.symbols[i].ty);
        let recursive = self.open.contains(&name);
        match definition {
            Some(definition) if !behind_pointer && !recursive => {
                self.open.push(name.clone());
                let comments = self.comments(irep);
                let written = self.structure(definition, &name, comments);
                self.open.pop();
                written
            }
            _ => {
                let mut named = self.comments(irep);
                let name = self.out.leaf(&name);
                named.insert(0, ("identifier".to_owned(), name));
                self.make(b"symbol", &[], &named)
            }
        }
    }

    /// A structure's definition; its tag is the name of its symbol, by which it is found again.
    pub(super) fn structure(
        &mut self,
        definition: IrepId,
        name: &str,
        comments: Vec<(String, IrepId)>,
    ) -> IrepId {
        let from = self.from;
        let components = from.ireps.get(definition, "components");
        let mut named = self.named(definition, &["components", "tag"]);
        for (key, comment) in comments {
            if !named.iter().any(|(k, _)| *k == key) {
                named.push((key, comment));
            }
        }
        let tag = self.out.leaf(name);
        named.insert(0, ("tag".to_owned(), tag));
        if let Some(list) = components {
            let list = self.list(list, "component");
            named.push(("components".to_owned(), list));
        }
        self.make(from.ireps.id_bytes(definition), &[], &named)
    }

    fn esbmc_expression(&mut self, irep: IrepId) -> IrepId {
        let from = self.from;
        let id = from.ireps.id(irep);
        let has_value = !self.is_type(irep);
        let ordered: Vec<IrepId> = from.ireps.ordered(irep).collect();
        let ordered: Vec<IrepId> = ordered.into_iter().map(|o| self.irep(o, false)).collect();
        let mut named = self.named(irep, &[]);
        let mut new_id = self.renamed(id, NAMES).unwrap_or(id).to_owned();
        if self.is_float(irep)
            && let Some(other) = self.renamed(id, FLOATING)
        {
            new_id = other.to_owned();
        }
        if has_value && let Some(any) = self.unless_known(irep, &new_id) {
            return any;
        }
        if id == "constant"
            && let Some(text) = self.constant_text(irep)
        {
            let text = self.out.leaf(&text);
            named.iter_mut().filter(|(k, _)| k == "value").for_each(|(_, v)| *v = text);
        }
        if id == "symbol" {
            self.rename(irep, &mut named);
        }
        if new_id.is_empty() && id.is_empty() {
            return self.make(from.ireps.id_bytes(irep), &ordered, &named);
        }
        let has_operands = id == "code" || has_value || id == "arguments";
        if has_operands && !ordered.is_empty() {
            let operands = self.out.irep("", &ordered, &[]);
            named.push(("operands".to_owned(), operands));
            return self.make(new_id.as_bytes(), &[], &named);
        }
        let id =
            if new_id == id { from.ireps.id_bytes(irep).to_vec() } else { new_id.into_bytes() };
        self.make(&id, &ordered, &named)
    }

    /// An operation of ESBMC's.
    pub(super) fn operation(&mut self, id: &str, ty: IrepId, operands: &[IrepId]) -> IrepId {
        let operands = self.out.irep("", operands, &[]);
        self.out.irep(id, &[], &[("type", ty), ("operands", operands)])
    }

    fn truth(&mut self, id: &str, operands: &[IrepId]) -> IrepId {
        let bool_type = self.out.leaf("bool");
        self.operation(id, bool_type, operands)
    }

    /// A constant of a type of so many bits.
    pub(super) fn number(&mut self, ty: IrepId, width: u32, value: u128) -> IrepId {
        let text: String = (0..width)
            .rev()
            .map(|i| if i < 128 && value >> i & 1 == 1 { '1' } else { '0' })
            .collect();
        let value = self.out.leaf(text);
        self.out.irep("constant", &[], &[("type", ty), ("value", value)])
    }

    pub(super) fn unsigned(&mut self, width: u32) -> IrepId {
        let width = self.out.leaf(width.to_string());
        self.out.irep("unsignedbv", &[], &[("width", width)])
    }

    pub(super) fn int(&mut self) -> IrepId {
        let width = self.out.leaf("32");
        self.out.irep("signedbv", &[], &[("width", width)])
    }

    /// An expression in words that ESBMC has, where they differ in more than a name; nothing where they do not.
    fn esbmc_words(&mut self, irep: IrepId, id: &str) -> Option<IrepId> {
        let from = self.from;
        let operands = from.operands(irep).to_vec();
        let ty = from.ireps.get(irep, "type")?;
        let first_type = operands.first().and_then(|&x| from.ireps.get(x, "type"));
        let of_first = first_type.map_or("", |ty| from.ireps.id(ty));
        if from.ireps.id(ty) == "complex" || of_first == "complex" {
            return self.complex_words(irep, id, ty, &operands);
        }
        match (id, &operands[..]) {
            ("constant", _) if from.ireps.id(ty) == "string" => {
                let name = from.ireps.get_id(irep, "value").to_owned();
                let number = self.number_of(format!("class {name}"));
                let (ty, name) = (self.type_irep(ty), self.out.leaf(name));
                let number = self.number(ty, 32, number);
                Some(self.out.extended(number, &[(CLASS_NAME, name)]))
            }
            ("=" | "notequal", &[x, y]) if of_first == "floatbv" => {
                let (x, y) = (self.irep(x, false), self.irep(y, false));
                let same = self.same_bits(x, y);
                Some(if id == "=" { same } else { self.truth("not", &[same]) })
            }
            ("ieee_float_equal" | "ieee_float_notequal", &[x, y]) => {
                let operands = [self.irep(x, false), self.irep(y, false)];
                Some(self.truth(if id == "ieee_float_equal" { "=" } else { "notequal" }, &operands))
            }
            ("sign", &[x]) => {
                let x = self.irep(x, false);
                Some(match of_first {
                    "floatbv" => {
                        let int = self.int();
                        let (bit, zero) =
                            (self.operation("signbit", int, &[x]), self.number(int, 32, 0));
                        self.truth("notequal", &[bit, zero])
                    }
                    _ => {
                        let (width, ty) = (self.width(first_type?)?, self.irep(first_type?, false));
                        let zero = self.number(ty, width, 0);
                        self.truth("<", &[x, zero])
                    }
                })
            }
            ("nand" | "nor" | "xor", [first, rest @ ..]) if id != "xor" || rest.len() > 1 => {
                let op = match id {
                    "nand" => "and",
                    "nor" => "or",
                    _ => "xor",
                };
                let mut acc = self.irep(*first, false);
                for &next in rest {
                    let next = self.irep(next, false);
                    acc = self.truth(op, &[acc, next]);
                }
                Some(if id == "xor" { acc } else { self.truth("not", &[acc]) })
            }
            ("with", [object, changes @ ..]) if changes.len() > 2 => {
                let ty = self.irep(ty, false);
                let mut acc = self.irep(*object, false);
                for change in changes.chunks_exact(2) {
                    let (place, value) = (self.irep(change[0], false), self.irep(change[1], false));
                    acc = self.operation("with", ty, &[acc, place, value]);
                }
                Some(acc)
            }
            ("forall" | "exists", &[bound, body]) if from.ireps.id(bound) == "tuple" => {
                let mut acc = self.irep(body, false);
                for &variable in from.operands(bound).iter().rev() {
                    let variable = self.irep(variable, false);
                    acc = self.truth(id, &[variable, acc]);
                }
                Some(acc)
            }
            // A remainder is exact, so that nothing is rounded.
            ("floatbv_rem", &[x, y]) => {
                let operands = [self.irep(x, false), self.irep(y, false)];
                let ty = self.irep(ty, false);
                Some(self.operation("ieee_rem", ty, &operands))
            }
            ("same_object", &[p, q]) => {
                let operands = [self.irep(p, false), self.irep(q, false)];
                Some(self.truth("same-object", &operands))
            }
            ("is_invalid_pointer", &[p]) => {
                let p = self.irep(p, false);
                Some(self.truth("invalid-pointer", &[p]))
            }
            // Addresses of labels are only compared with each other.
            ("address_of", &[label]) if from.ireps.id(label) == "label" => {
                let name = from.ireps.get_id(label, "identifier").to_owned();
                let number = self.number_of(format!("label {name}"));
                let word = self.unsigned(64);
                let number = self.number(word, 64, number);
                let ty = self.irep(ty, false);
                Some(self.operation("typecast", ty, &[number]))
            }
            ("side_effect", _) => self.esbmc_effect(irep, ty, &operands),
            // Casts to integers round toward zero.
            ("floatbv_typecast", &[x, mode]) if from.ireps.id(ty) != "floatbv" => {
                let constant = from.ireps.id(mode) == "constant";
                if constant && from.ireps.get_id(mode, "value") != "3" {
                    self.lose("a conversion to an integer that does not round toward zero");
                }
                let (x, ty) = (self.irep(x, false), self.irep(ty, false));
                Some(self.operation("typecast", ty, &[x]))
            }
            _ => match rounded(id) {
                Some((name, n)) if operands.len() == n + 1 => {
                    let values: Vec<IrepId> =
                        operands[..n].iter().map(|&x| self.irep(x, false)).collect();
                    let (ty, mode) = (self.irep(ty, false), self.irep(operands[n], false));
                    let operation = self.operation(name, ty, &values);
                    Some(self.out.extended(operation, &[("rounding_mode", mode)]))
                }
                _ => self.bit_words(id, ty, &operands),
            },
        }
    }

    /// Builds the condition that two floats have the same bits, of which NaN has one pattern.
    fn same_bits(&mut self, x: IrepId, y: IrepId) -> IrepId {
        let int = self.int();
        let nan = [self.truth("isnan", &[x]), self.truth("isnan", &[y])];
        let signs = [self.operation("signbit", int, &[x]), self.operation("signbit", int, &[y])];
        let same = [self.truth("=", &[x, y]), self.truth("=", &signs)];
        let ways = [self.truth("and", &nan), self.truth("and", &same)];
        self.truth("or", &ways)
    }

    fn esbmc_effect(&mut self, irep: IrepId, ty: IrepId, operands: &[IrepId]) -> Option<IrepId> {
        let from = self.from;
        let statement = from.ireps.get_id(irep, "statement");
        match (statement, operands) {
            ("nondet", _) => None,
            ("allocate", &[size, zero]) if from.ireps.get_id(zero, "value") == "false" => {
                let size = self.irep(size, false);
                Some(self.allocation_of("malloc", ty, size, ("#allocate", "1")))
            }
            _ => {
                self.lose(format!("the side effect `{statement}`"));
                Some(self.any_value(ty))
            }
        }
    }

    /// ESBMC's allocation of so many bytes, with a comment about what it was.
    pub(super) fn allocation_of(
        &mut self,
        statement: &str,
        ty: IrepId,
        size: IrepId,
        (comment, was): (&str, &str),
    ) -> IrepId {
        let ty = self.irep(ty, false);
        let operands = self.out.irep("", &[size], &[]);
        let (statement, was) = (self.out.leaf(statement), self.out.leaf(was));
        let width = self.out.leaf("8");
        let byte = self.out.irep("signedbv", &[], &[("width", width)]);
        let named = [
            ("type", ty),
            ("operands", operands),
            ("statement", statement),
            ("#size", size),
            ("#type", byte),
            (comment, was),
        ];
        self.out.irep("sideeffect", &[], &named)
    }

    /// Operations on bits by others. An operand that stands there several times must not have an effect.
    fn bit_words(&mut self, id: &str, ty: IrepId, operands: &[IrepId]) -> Option<IrepId> {
        let from = self.from;
        if !matches!(
            id,
            "rol"
                | "ror"
                | "count_leading_zeros"
                | "count_trailing_zeros"
                | "find_first_set"
                | "bitreverse"
                | "extractbits"
                | "extractbit"
                | "concatenation"
                | "overflow_result-shl"
                | "overflow_result-unary-"
        ) || operands.iter().any(|&operand| !self.is_pure(operand))
        {
            return None;
        }
        let source = from.ireps.get(*operands.first()?, "type")?;
        let width = self.width(source)?;
        let mut values: Vec<IrepId> = operands.iter().map(|&x| self.irep(x, false)).collect();
        let (own, of) = (self.irep(ty, false), self.unsigned(width));
        if id.starts_with("overflow_result-") {
            let source = self.irep(source, false);
            return self.with_overflow(id, own, source, of, width, &values);
        }
        // Bits are moved in words without a sign, which no check minds.
        values[0] = self.operation("typecast", of, &[values[0]]);
        match (id, &values[..]) {
            ("rol" | "ror", &[x, n]) if width.is_power_of_two() => {
                let (size, mask) = (u128::from(width), u128::from(width) - 1);
                let (size, mask) = (self.number(of, width, size), self.number(of, width, mask));
                let n = self.operation("typecast", of, &[n]);
                let n = self.operation("bitand", of, &[n, mask]);
                // By nothing is by nothing on both sides.
                let rest = self.operation("-", of, &[size, n]);
                let rest = self.operation("bitand", of, &[rest, mask]);
                let (left, right) = if id == "rol" { (n, rest) } else { (rest, n) };
                let parts = [
                    self.operation("shl", of, &[x, left]),
                    self.operation("lshr", of, &[x, right]),
                ];
                let rotated = self.operation("bitor", of, &parts);
                Some(self.operation("typecast", own, &[rotated]))
            }
            ("count_leading_zeros", &[x]) => {
                // Every bit below the highest one is set; then the zeros that are left are counted.
                let mut all = x;
                let mut step = 1;
                while step < width {
                    let by = self.number(of, width, u128::from(step));
                    let moved = self.operation("lshr", of, &[all, by]);
                    all = self.operation("bitor", of, &[all, moved]);
                    step *= 2;
                }
                let zeros = self.operation("bitnot", of, &[all]);
                Some(self.operation("popcount", own, &[zeros]))
            }
            ("count_trailing_zeros", &[x]) => Some(self.trailing_zeros(x, own, of, width)),
            ("find_first_set", &[x]) => {
                let result = self.width(ty)?;
                let (zero, none) = (self.number(of, width, 0), self.number(own, result, 0));
                let one = self.number(own, result, 1);
                let is_zero = self.truth("=", &[x, zero]);
                let zeros = self.trailing_zeros(x, own, of, width);
                let first = self.operation("+", own, &[zeros, one]);
                Some(self.operation("if", own, &[is_zero, none, first]))
            }
            ("bitreverse", &[x]) if width.is_power_of_two() && width <= 128 => {
                // Halves of blocks change places, for blocks of two bits, of four, and so on.
                let (mut all, mut half) = (x, 1);
                while half < width {
                    let mask = (0..width).filter(|i| i / half % 2 == 0).fold(0, |m, i| m | 1 << i);
                    let (mask, by) =
                        (self.number(of, width, mask), self.number(of, width, u128::from(half)));
                    let low = self.operation("bitand", of, &[all, mask]);
                    let low = self.operation("shl", of, &[low, by]);
                    let high = self.operation("lshr", of, &[all, by]);
                    let high = self.operation("bitand", of, &[high, mask]);
                    all = self.operation("bitor", of, &[low, high]);
                    half *= 2;
                }
                Some(self.operation("typecast", own, &[all]))
            }
            ("extractbits", &[x, low]) | ("extractbits", &[x, _, low]) => {
                let low = self.operation("typecast", of, &[low]);
                let moved = self.operation("lshr", of, &[x, low]);
                Some(self.operation("typecast", own, &[moved]))
            }
            ("extractbit", &[x, at]) => {
                let at = self.operation("typecast", of, &[at]);
                let moved = self.operation("lshr", of, &[x, at]);
                let (one, zero) = (self.number(of, width, 1), self.number(of, width, 0));
                let bit = self.operation("bitand", of, &[moved, one]);
                Some(self.truth("notequal", &[bit, zero]))
            }
            ("concatenation", &[first, ref rest @ ..]) => {
                let mut acc = (first, width);
                for (&next, &operand) in rest.iter().zip(&operands[1..]) {
                    let more = self.width(from.ireps.get(operand, "type")?)?;
                    let width = acc.1 + more;
                    let ty = self.unsigned(width);
                    acc = (self.operation("concat", ty, &[acc.0, next]), width);
                }
                Some(self.operation("typecast", own, &[acc.0]))
            }
            _ => None,
        }
    }

    /// The zeros behind the last one of a value's bits: those below it are set, and counted.
    fn trailing_zeros(&mut self, x: IrepId, own: IrepId, of: IrepId, width: u32) -> IrepId {
        let one = self.number(of, width, 1);
        let below = [self.operation("bitnot", of, &[x]), self.operation("-", of, &[x, one])];
        let below = self.operation("bitand", of, &below);
        self.operation("popcount", own, &[below])
    }

    /// A structure of a result that wraps around and of whether it overflowed.
    fn with_overflow(
        &mut self,
        id: &str,
        own: IrepId,
        source: IrepId,
        word: IrepId,
        width: u32,
        values: &[IrepId],
    ) -> Option<IrepId> {
        let x = self.operation("typecast", word, &[*values.first()?]);
        let (op, result) = match *values {
            [_, n] if id.ends_with("-shl") => ("shl", self.operation("shl", word, &[x, n])),
            [_] if id.ends_with("-unary-") => {
                let zero = self.number(word, width, 0);
                ("unary-", self.operation("-", word, &[zero, x]))
            }
            _ => return None,
        };
        let result = self.operation("typecast", source, &[result]);
        let overflows = self.truth(&format!("overflow-{op}"), values);
        Some(self.operation("struct", own, &[result, overflows]))
    }

    /// Complex numbers: ESBMC has structures of a part `real` and a part `imag`, and computes with parts.
    fn complex_words(
        &mut self,
        irep: IrepId,
        id: &str,
        ty: IrepId,
        operands: &[IrepId],
    ) -> Option<IrepId> {
        let from = self.from;
        if operands.iter().any(|&operand| !self.is_pure(operand)) {
            return None;
        }
        match (id, operands) {
            ("complex", &[re, im]) => {
                let parts = [self.irep(re, false), self.irep(im, false)];
                let own = self.irep(ty, false);
                Some(self.operation("struct", own, &parts))
            }
            ("complex_real", &[z]) => self.part(z, "real").map(|(part, _)| part),
            ("complex_imag", &[z]) => self.part(z, "imag").map(|(part, _)| part),
            ("typecast", &[z]) => {
                let parts = [self.part(z, "real")?.0, self.part(z, "imag")?.0];
                let own = self.irep(ty, false);
                match from.ireps.id(ty) {
                    "complex" => {
                        let element = from.subtype(ty)?;
                        let element = self.irep(element, false);
                        let parts = parts.map(|part| self.operation("typecast", element, &[part]));
                        Some(self.operation("struct", own, &parts))
                    }
                    "bool" | "c_bool" => {
                        let truths = parts.map(|part| self.truth("typecast", &[part]));
                        Some(self.operation("or", own, &truths))
                    }
                    _ => Some(self.operation("typecast", own, &[parts[0]])),
                }
            }
            ("=" | "notequal", &[x, y]) => {
                let mut equal = Vec::new();
                for name in ["real", "imag"] {
                    let ((a, float), (b, _)) = (self.part(x, name)?, self.part(y, name)?);
                    equal.push(match float {
                        true => self.same_bits(a, b),
                        false => self.truth("=", &[a, b]),
                    });
                }
                let equal = self.truth("and", &equal);
                Some(if id == "=" { equal } else { self.truth("not", &[equal]) })
            }
            ("+" | "-", &[x, y]) => {
                let parts = ["real", "imag"].map(|name| {
                    let ((a, _), (b, _)) = (self.part(x, name)?, self.part(y, name)?);
                    self.computed(id, ty, &[a, b])
                });
                let own = self.irep(ty, false);
                let parts = [self.narrowed(parts[0]?, ty)?, self.narrowed(parts[1]?, ty)?];
                Some(self.operation("struct", own, &parts))
            }
            ("*", &[x, y]) => {
                let [(a, _), (b, _)] = [self.part(x, "real")?, self.part(x, "imag")?];
                let [(c, _), (d, _)] = [self.part(y, "real")?, self.part(y, "imag")?];
                let products = [[a, c], [b, d], [a, d], [b, c]];
                let [ac, bd, ad, bc] = products.map(|pair| self.computed("*", ty, &pair));
                let re = self.computed_again("-", ty, &[ac?, bd?])?;
                let im = self.computed_again("+", ty, &[ad?, bc?])?;
                let parts = [self.narrowed(re, ty)?, self.narrowed(im, ty)?];
                let own = self.irep(ty, false);
                Some(self.operation("struct", own, &parts))
            }
            ("unary-" | "bitnot", &[z]) => {
                let (re, im) = (self.part(z, "real")?.0, self.part(z, "imag")?.0);
                // GNU C's `~` is the conjugate.
                let re = match id {
                    "unary-" => self.computed("unary-", ty, &[re])?,
                    _ => re,
                };
                let im = self.computed("unary-", ty, &[im])?;
                let parts = [self.narrowed(re, ty)?, self.narrowed(im, ty)?];
                let own = self.irep(ty, false);
                Some(self.operation("struct", own, &parts))
            }
            ("/", _) => {
                self.lose("a quotient of complex numbers");
                Some(self.any_value(from.ireps.get(irep, "type")?))
            }
            _ => None,
        }
    }

    /// A part of a number, and whether it is a float. That of a real number is itself, or zero.
    fn part(&mut self, z: IrepId, name: &str) -> Option<(IrepId, bool)> {
        let from = self.from;
        let ty = from.ireps.get(z, "type")?;
        let value = self.irep(z, false);
        if from.ireps.id(ty) == "complex" {
            let element = from.subtype(ty)?;
            let float = from.ireps.id(element) == "floatbv";
            let (element, name) = (self.irep(element, false), self.out.leaf(name));
            let part = self.operation("member", element, &[value]);
            return Some((self.out.extended(part, &[("component_name", name)]), float));
        }
        let float = from.ireps.id(ty) == "floatbv";
        if name == "real" {
            return Some((value, float));
        }
        let (width, ty) = (self.width(ty)?, self.irep(ty, false));
        Some((self.number(ty, width, 0), float))
    }

    /// An operation on parts of complex numbers: as C does it, not in types narrower than `int`.
    fn computed(&mut self, id: &str, ty: IrepId, parts: &[IrepId]) -> Option<IrepId> {
        let element = self.from.subtype(ty)?;
        let at = self.promoted(element)?;
        let parts: Vec<IrepId> =
            parts.iter().map(|&part| self.operation("typecast", at, &[part])).collect();
        self.computed_again(id, ty, &parts)
    }

    /// An operation on what has been computed from parts.
    fn computed_again(&mut self, id: &str, ty: IrepId, parts: &[IrepId]) -> Option<IrepId> {
        let element = self.from.subtype(ty)?;
        let at = self.promoted(element)?;
        let float = self.from.ireps.id(element) == "floatbv";
        let id = self.renamed(id, FLOATING).filter(|_| float).unwrap_or(id).to_owned();
        Some(self.operation(&id, at, parts))
    }

    fn promoted(&mut self, element: IrepId) -> Option<IrepId> {
        let is_integer = self.from.ireps.id(element) != "floatbv";
        match is_integer && self.width(element)? < 32 {
            true => Some(self.int()),
            false => Some(self.irep(element, false)),
        }
    }

    fn narrowed(&mut self, value: IrepId, ty: IrepId) -> Option<IrepId> {
        let element = self.from.subtype(ty)?;
        let element = self.irep(element, false);
        Some(self.operation("typecast", element, &[value]))
    }

    /// Returns whether an expression has no effect, so that it may be written several times.
    fn is_pure(&mut self, irep: IrepId) -> bool {
        if let Some(&pure) = self.pure.get(&irep) {
            return pure;
        }
        let from = self.from;
        let pure = from.ireps.id(irep) != "side_effect"
            && stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
                from.operands(irep).iter().all(|&operand| self.is_pure(operand))
            });
        self.pure.insert(irep, pure);
        pure
    }
}

/// ESBMC's name of one of CBMC's operations with a rounding mode as its last operand, and the number of the others.
fn rounded(id: &str) -> Option<(&'static str, usize)> {
    Some(match id {
        "floatbv_plus" => ("ieee_add", 2),
        "floatbv_minus" => ("ieee_sub", 2),
        "floatbv_mult" => ("ieee_mul", 2),
        "floatbv_div" => ("ieee_div", 2),
        "floatbv_rem" => ("ieee_rem", 2),
        "floatbv_fma" => ("ieee_fma", 3),
        "floatbv_sqrt" => ("ieee_sqrt", 1),
        "floatbv_typecast" => ("typecast", 1),
        "floatbv_round_to_integral" => ("nearbyint", 1),
        _ => return None,
    })
}
