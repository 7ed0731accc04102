//! Quantifiers over constant ranges.

use super::{Mapper, Mapping, unsupported};
use crate::irep::IrepId;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::types::Type;

/// The greatest number of values of a bound variable for its quantifier to be written out.
const MOST_INSTANCES: i128 = 4096;

impl Mapper<'_> {
    /// A quantifier over a variable with constant bounds, written out.
    pub(super) fn quantified(&mut self, id: &str, bound: IrepId, body: IrepId) -> Mapping<ExprId> {
        let b = self.b;
        let variables = match b.ireps.id(bound) {
            "tuple" => b.operands(bound),
            _ => &[bound],
        };
        let &[variable] = variables else {
            return unsupported("a quantifier over several variables");
        };
        let name = b.ireps.get_id(variable, "identifier").to_owned();
        let ty = self.type_irep(variable)?;
        let ty = self.ty(ty)?;
        let signed = matches!(self.p.types.get(ty), Type::Int { signed: true, .. });
        let Some((low, high)) = self.bounds(id, &name, signed, body) else {
            return unsupported(format!(
                "the quantifier `{id}` over a variable without constant bounds"
            ));
        };
        if high - low > MOST_INSTANCES {
            return unsupported(format!(
                "the quantifier `{id}` over more than {MOST_INSTANCES} values"
            ));
        }
        let mut acc = self.p.bool(id == "forall");
        let before = self.bound.get(&name).copied();
        for value in low..high {
            // Quantifiers inside of each other multiply.
            self.instances += 1;
            if self.instances > 16 * MOST_INSTANCES {
                return unsupported(format!("the quantifier `{id}` inside of others"));
            }
            let value = self.p.int(ty, value);
            self.bound.insert(name.clone(), value);
            self.conditional += 1;
            let instance = self.truth(body);
            self.conditional -= 1;
            let instance = instance?;
            acc = match id {
                "forall" => self.p.and(acc, instance),
                _ => self.p.or(acc, instance),
            };
        }
        match before {
            Some(value) => self.bound.insert(name, value),
            None => self.bound.remove(&name),
        };
        Ok(acc)
    }

    /// Constant bounds of a variable: outside of them a `forall`'s body holds and an `exists`' does not.
    fn bounds(&mut self, id: &str, name: &str, signed: bool, body: IrepId) -> Option<(i128, i128)> {
        let b = self.b;
        let mut range = (None, None);
        let mut conjuncts = Vec::new();
        match (id, b.ireps.id(body)) {
            ("forall", "=>" | "implies") => conjuncts.push(*b.operands(body).first()?),
            ("forall", "or") => {
                // `!(range) || body`
                for &operand in b.operands(body) {
                    if b.ireps.id(operand) == "not" {
                        conjuncts.extend(b.operands(operand));
                    }
                }
            }
            ("exists", _) => conjuncts.push(body),
            _ => return None,
        }
        while let Some(conjunct) = conjuncts.pop() {
            let operands = b.operands(conjunct);
            match (b.ireps.id(conjunct), operands) {
                ("and", all) => conjuncts.extend(all),
                (op @ ("<" | "<=" | ">" | ">="), &[x, y]) => {
                    let is_variable =
                        |e| b.ireps.id(e) == "symbol" && b.ireps.get_id(e, "identifier") == name;
                    let (op, other) = match (is_variable(x), is_variable(y)) {
                        (true, false) => (op, y),
                        (false, true) => match op {
                            "<" => (">", x),
                            "<=" => (">=", x),
                            ">" => ("<", x),
                            _ => ("<=", x),
                        },
                        _ => continue,
                    };
                    let Ok(value) = self.value(other) else { continue };
                    let signed = matches!(self.p.type_of(value), Type::Int { signed: true, .. });
                    let ExprKind::Int(bits) = self.p.exprs.kind(value) else { continue };
                    let value = if signed { bits.to_i128() } else { bits.to_u64().map(i128::from) };
                    let Some(value) = value else { continue };
                    match op {
                        "<" => range.1 = range.1.or(Some(value)),
                        "<=" => range.1 = range.1.or(Some(value + 1)),
                        ">" => range.0 = range.0.or(Some(value + 1)),
                        _ => range.0 = range.0.or(Some(value)),
                    }
                }
                _ => {}
            }
        }
        let low = match range.0 {
            Some(low) => low,
            None if signed => return None,
            None => 0,
        };
        Some((low, range.1?.max(low)))
    }
}
