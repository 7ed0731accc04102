//! Uninterpreted functions: `__CPROVER_uninterpreted_f(...)` has any value, and the same one for the same arguments.

use crate::function::Fx;
use crate::link::Cx;
use vergo_cfront::hir::{Expr, FuncId};
use vergo_goto::expr::ExprId;
use vergo_goto::program::{InstrKind, Intrinsic};
use vergo_goto::types::{Type, TypeId};

impl Cx<'_> {
    /// The number of an uninterpreted function; smaller ones are the library's.
    fn uninterpreted_number(&mut self, name: &str) -> i128 {
        let next = self.uninterpreted.len() as i128 + 1000;
        *self.uninterpreted.entry(name.to_owned()).or_insert(next)
    }
}

impl Fx<'_, '_> {
    /// A value that depends on the arguments alone: chosen for the first two, then for that and the next, and so on.
    pub(crate) fn uninterpreted(
        &mut self,
        node: Expr,
        func: FuncId,
        args: &[ExprId],
    ) -> Option<ExprId> {
        let unit = self.unit.clone();
        let name = unit.names.name(unit.functions[func].name);
        let number = self.cx.uninterpreted_number(name);
        let word = self.cx.p.types.int(true, 64);
        let mut words = Vec::new();
        for &arg in args {
            let Some(value) = self.as_word(arg, word) else {
                self.b.unsupported(format!("`{name}` of an argument that is not a number"));
                return None;
            };
            words.push(value);
        }
        let zero = self.cx.p.int(word, 0);
        let mut result = words.first().copied().unwrap_or(zero);
        let rest: Vec<ExprId> = words.get(1..).unwrap_or(&[]).to_vec();
        let rest = if rest.is_empty() { vec![zero] } else { rest };
        for (i, &next) in rest.iter().enumerate() {
            let symbol = self.temp(word);
            let dest = self.cx.p.symbol(symbol);
            let number = self.cx.p.int(word, (number << 8) + i as i128);
            let args = [number, result, next].into();
            self.emit(InstrKind::Intrinsic { op: Intrinsic::Choose, dest: Some(dest), args });
            result = dest;
        }
        let ty = self.ty(node.ty);
        match *self.cx.p.types.get(ty) {
            Type::Int { width, .. } if width <= 64 => {
                let is_bool =
                    matches!(unit.types.kind(node.ty), vergo_cfront::types::TypeKind::Bool);
                if is_bool {
                    return Some(self.truth(result));
                }
                Some(self.cx.p.cast(ty, result))
            }
            Type::Ptr(_) | Type::Bool => Some(self.cx.p.cast(ty, result)),
            Type::Void => None,
            _ => {
                self.b.unsupported(format!("`{name}` with a result that is not an integer"));
                None
            }
        }
    }

    /// A scalar as a word of 64 bits.
    fn as_word(&mut self, value: ExprId, word: TypeId) -> Option<ExprId> {
        match *self.cx.p.type_of(value) {
            Type::Int { width, .. } if width <= 64 => Some(self.cx.p.cast(word, value)),
            Type::Bool => Some(self.cx.p.cast(word, value)),
            Type::Ptr(_) => {
                let size = self.cx.p.size_type();
                let address = self.cx.p.cast(size, value);
                Some(self.cx.p.cast(word, address))
            }
            Type::Float(format) if format.width() <= 64 => {
                let bits = self.cx.p.types.int(false, format.width());
                let bits = self.cx.p.bits(bits, value);
                Some(self.cx.p.cast(word, bits))
            }
            _ => None,
        }
    }
}
