//! Ireps of ESBMC in CBMC's words.

use super::{CLASS_NAME, FLOATING, NAMES, Transcoder};
use crate::irep::IrepId;

impl Transcoder<'_> {
    pub(super) fn cbmc_irep(&mut self, irep: IrepId) -> IrepId {
        let from = self.from;
        let id = from.ireps.id(irep);
        if self.is_type(irep) {
            let tag = from.ireps.get_id(irep, "#enum_tag").to_owned();
            if !tag.is_empty() {
                let tag = self.out.leaf(&tag);
                return self.out.irep("c_enum_tag", &[], &[("identifier", tag)]);
            }
            match id {
                "bool" if from.ireps.get_id(irep, "#c_bool") == "1" => {
                    let eight = self.out.leaf("8");
                    return self.out.irep("c_bool", &[], &[("width", eight)]);
                }
                "signedbv" | "unsignedbv" if from.ireps.get_id(irep, "#bitfield") == "1" => {
                    let inner = match from.ireps.get(irep, "subtype") {
                        Some(inner) => self.irep(inner, false),
                        None => {
                            let width = self.irep_or_nil(irep, "width");
                            self.out.irep(id, &[], &[("width", width)])
                        }
                    };
                    let width = self.irep_or_nil(irep, "width");
                    return self.out.irep("c_bit_field", &[inner], &[("width", width)]);
                }
                "symbol" | "struct" | "union" => {
                    let name = match id {
                        "symbol" => from.ireps.get_id(irep, "identifier").to_owned(),
                        _ => from.ireps.get_id(irep, "tag").to_owned(),
                    };
                    if let Some(tag) = self.tag(irep, &name) {
                        return tag;
                    }
                }
                "code" if from.ireps.get(irep, "statement").is_none() => {
                    let arguments = from.ireps.get(irep, "arguments");
                    let mut named = self.named(irep, &["arguments", "parameters"]);
                    let list = match arguments {
                        Some(list) => self.list(list, "parameter"),
                        None => self.out.leaf(""),
                    };
                    named.push(("parameters".to_owned(), list));
                    return self.make(b"code", &[], &named);
                }
                _ => {}
            }
        } else if let Some(said) = self.cbmc_words(irep, id) {
            return self.placed(said, irep);
        }
        self.cbmc_expression(irep)
    }

    fn cbmc_expression(&mut self, irep: IrepId) -> IrepId {
        let from = self.from;
        let id = from.ireps.id(irep);
        let mut ordered: Vec<IrepId> = from.ireps.ordered(irep).collect();
        for key in ["subtype", "operands"] {
            if let (true, Some(child)) = (ordered.is_empty(), from.ireps.get(irep, key)) {
                match key {
                    "subtype" if self.is_type(irep) => ordered.push(child),
                    "operands" => ordered.extend(from.ireps.ordered(child)),
                    _ => {}
                }
            }
        }
        let ordered: Vec<IrepId> = ordered.into_iter().map(|o| self.irep(o, false)).collect();
        let mut named = self.named(irep, &["subtype", "operands", "rounding_mode"]);
        if id == "constant"
            && let Some(text) = self.constant_text(irep)
        {
            let text = self.out.leaf(&text);
            named.iter_mut().filter(|(k, _)| k == "value").for_each(|(_, v)| *v = text);
        }
        if id == "pointer" && !named.iter().any(|(k, _)| k == "width") {
            let width = self.out.leaf("64");
            named.push(("width".to_owned(), width));
        }
        if id == "symbol" {
            self.rename(irep, &mut named);
        }
        let back = NAMES.iter().chain(FLOATING).find(|(_, esbmc)| *esbmc == id);
        let other = back.map(|(cbmc, _)| *cbmc).or_else(|| match id {
            "component" => Some(""),
            // An array or structure that is a constant is written by its elements.
            "constant" if !ordered.is_empty() => {
                let ty = from.ireps.get(irep, "type").map_or("", |ty| from.ireps.id(ty));
                Some(if matches!(ty, "array" | "vector") { "array" } else { "struct" })
            }
            _ => None,
        });
        if !self.is_type(irep)
            && let Some(any) = self.unless_known(irep, other.unwrap_or(id))
        {
            return any;
        }
        let id =
            other.map_or_else(|| from.ireps.id_bytes(irep).to_vec(), |o| o.as_bytes().to_vec());
        self.make(&id, &ordered, &named)
    }

    /// A structure by its tag, if a symbol has its definition.
    fn tag(&mut self, irep: IrepId, name: &str) -> Option<IrepId> {
        let found = [name.to_owned(), format!("tag-{name}")]
            .into_iter()
            .find(|n| self.by_name.get(n).is_some_and(|&i| self.symbols[i].is_type));
        let found = match found {
            Some(found) => found,
            None if self.from.ireps.id(irep) == "symbol" && self.is_type(irep) => name.to_owned(),
            None => return None,
        };
        if self.open.contains(&found) {
            // The definition itself.
            return None;
        }
        let definition = self.by_name.get(&found).map(|&i| self.symbols[i].ty);
        let union = definition.is_some_and(|ty| self.from.ireps.id(ty) == "union");
        let mut named = self.comments(irep);
        let name = self.out.leaf(&found);
        named.insert(0, ("identifier".to_owned(), name));
        let kind = if union { "union_tag" } else { "struct_tag" };
        Some(self.make(kind.as_bytes(), &[], &named))
    }

    /// An operation of CBMC's.
    pub(super) fn cbmc_operation(&mut self, id: &str, ty: IrepId, operands: &[IrepId]) -> IrepId {
        self.out.irep(id, operands, &[("type", ty)])
    }

    /// An expression in words that CBMC has, where they differ in more than a name; nothing where they do not.
    fn cbmc_words(&mut self, irep: IrepId, id: &str) -> Option<IrepId> {
        let from = self.from;
        let operands = from.operands(irep).to_vec();
        let ty = from.ireps.get(irep, "type")?;
        let of_first = operands.first().and_then(|&x| from.ireps.get(x, "type"));
        let of_first = of_first.map_or("", |ty| from.ireps.id(ty));
        match (id, &operands[..]) {
            ("constant", []) if from.ireps.get(irep, CLASS_NAME).is_some() => {
                let name = self.out.leaf(from.ireps.get_id(irep, CLASS_NAME));
                let ty = self.out.leaf("string");
                Some(self.out.irep("constant", &[], &[("type", ty), ("value", name)]))
            }
            ("=" | "notequal", &[x, y]) if of_first == "floatbv" => {
                let operands = [self.irep(x, false), self.irep(y, false)];
                let own = self.irep(ty, false);
                let id = if id == "=" { "ieee_float_equal" } else { "ieee_float_notequal" };
                Some(self.cbmc_operation(id, own, &operands))
            }
            ("signbit", &[x]) => {
                let x = self.irep(x, false);
                let bool_type = self.out.leaf("bool");
                let sign = self.cbmc_operation("sign", bool_type, &[x]);
                let own = self.irep(ty, false);
                Some(if own == bool_type {
                    sign
                } else {
                    self.cbmc_operation("typecast", own, &[sign])
                })
            }
            // The size stands behind the type.
            ("sizeof", &[_, size]) => Some(self.irep(size, false)),
            ("concat", &[high, low]) => {
                let operands = [self.irep(high, false), self.irep(low, false)];
                let own = self.irep(ty, false);
                Some(self.cbmc_operation("concatenation", own, &operands))
            }
            ("extract", &[x]) => {
                let low: u64 = from.ireps.get_id(irep, "lower").parse().ok()?;
                let width = self.out.leaf("32");
                let int = self.out.irep("signedbv", &[], &[("width", width)]);
                let low = self.out.leaf(format!("{low:X}"));
                let low = self.out.irep("constant", &[], &[("type", int), ("value", low)]);
                let (x, own) = (self.irep(x, false), self.irep(ty, false));
                Some(self.cbmc_operation("extractbits", own, &[x, low]))
            }
            ("same-object", &[p, q]) => {
                let width = self.out.leaf("64");
                let word = self.out.irep("unsignedbv", &[], &[("width", width)]);
                let objects = [p, q].map(|pointer| {
                    let pointer = self.irep(pointer, false);
                    self.cbmc_operation("pointer_object", word, &[pointer])
                });
                let own = self.irep(ty, false);
                Some(self.cbmc_operation("=", own, &objects))
            }
            ("invalid-pointer", &[p]) => {
                let (p, own) = (self.irep(p, false), self.irep(ty, false));
                Some(self.cbmc_operation("is_invalid_pointer", own, &[p]))
            }
            ("member", &[z]) if of_first == "complex" => {
                let part = match from.ireps.get_id(irep, "component_name") {
                    "real" => "complex_real",
                    _ => "complex_imag",
                };
                let (z, own) = (self.irep(z, false), self.irep(ty, false));
                Some(self.cbmc_operation(part, own, &[z]))
            }
            ("struct" | "constant", &[re, im]) if from.ireps.id(ty) == "complex" => {
                let parts = [self.irep(re, false), self.irep(im, false)];
                let own = self.irep(ty, false);
                Some(self.cbmc_operation("complex", own, &parts))
            }
            ("forall" | "exists", &[variable, body]) if from.ireps.id(variable) == "symbol" => {
                let variable = self.irep(variable, false);
                let tuple = self.out.leaf("tuple");
                let tuple = self.cbmc_operation("tuple", tuple, &[variable]);
                let (body, own) = (self.irep(body, false), self.irep(ty, false));
                Some(self.cbmc_operation(id, own, &[tuple, body]))
            }
            ("sideeffect", operands) => {
                let statement = from.ireps.get_id(irep, "statement");
                match (statement, operands) {
                    ("nondet", _) => None,
                    ("malloc", &[size]) => {
                        let statement = self.out.leaf("allocate");
                        let bool_type = self.out.leaf("bool");
                        let value = self.out.leaf("false");
                        let no = [("type", bool_type), ("value", value)];
                        let no = self.out.irep("constant", &[], &no);
                        let (size, own) = (self.irep(size, false), self.irep(ty, false));
                        let named = [("type", own), ("statement", statement)];
                        Some(self.out.irep("side_effect", &[size, no], &named))
                    }
                    _ => {
                        self.lose(format!("the side effect `{statement}`"));
                        Some(self.any_value(ty))
                    }
                }
            }
            _ => self.rounded_words(irep, id, ty, &operands),
        }
    }

    /// Floating operations. Those whose rounding mode is a constant have it as an operand; others round as the program says.
    fn rounded_words(
        &mut self,
        irep: IrepId,
        id: &str,
        ty: IrepId,
        operands: &[IrepId],
    ) -> Option<IrepId> {
        let from = self.from;
        let mode = from.present(from.ireps.get(irep, "rounding_mode"));
        let constant = mode.is_some_and(|mode| from.ireps.id(mode) == "constant");
        let to_float = from.ireps.id(ty) == "floatbv";
        let (name, always) = match id {
            "ieee_add" => ("floatbv_plus", false),
            "ieee_sub" => ("floatbv_minus", false),
            "ieee_mul" => ("floatbv_mult", false),
            "ieee_div" => ("floatbv_div", false),
            "typecast" if to_float => ("floatbv_typecast", false),
            "ieee_rem" => ("floatbv_rem", true),
            "nearbyint" => ("floatbv_round_to_integral", true),
            _ => return None,
        };
        if !constant && !always {
            return None;
        }
        let mut values: Vec<IrepId> = operands.iter().map(|&x| self.irep(x, false)).collect();
        values.push(match mode {
            Some(mode) => self.irep(mode, false),
            None => {
                let width = self.out.leaf("32");
                let int = self.out.irep("signedbv", &[], &[("width", width)]);
                let name = self.out.leaf("__CPROVER_rounding_mode");
                self.out.irep("symbol", &[], &[("type", int), ("identifier", name)])
            }
        });
        let own = self.irep(ty, false);
        Some(self.cbmc_operation(name, own, &values))
    }
}
