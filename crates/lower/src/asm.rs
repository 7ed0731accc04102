//! Inline assembly.
//!
//! An empty template does nothing: its outputs that are tied to inputs get those, those in memory keep their value, the
//! others get any value. Another one is taken to give its outputs any values and to change nothing else, which is said in a
//! diagnostic and assumed. One that jumps, or that clobbers memory and has a way to memory that is no output (an address in a register, the name of a
//! variable), is not handled: reaching it makes the verdict unknown. Operands are accesses, also where nothing happens to
//! them.

use crate::codes;
use crate::function::Fx;
use vergo_cfront::hir::AsmId;
use vergo_goto::expr::ExprId;
use vergo_goto::program::Intrinsic;
use vergo_goto::types::Type;
use vergo_source::Diagnostic;

impl Fx<'_, '_> {
    /// An assembly statement.
    pub(crate) fn asm(&mut self, id: AsmId) {
        let unit = self.unit.clone();
        let asm = &unit.asms[id];
        let empty = asm.template.trim().is_empty();
        let mut inputs: Vec<(String, ExprId)> = Vec::new();
        for input in &asm.inputs {
            let value = if self.is_lvalue(input.expr) {
                let place = self.place(input.expr);
                self.operand(Intrinsic::Copies, place);
                place
            } else {
                self.value(input.expr)
            };
            let value = self.freeze(value);
            inputs.push((input.constraint.clone(), value));
        }
        let outputs: Vec<(String, ExprId)> = asm
            .outputs
            .iter()
            .map(|output| {
                let place = self.place(output.expr);
                let place = self.freeze_place(place);
                if output.constraint.contains('+') {
                    self.operand(Intrinsic::Copies, place);
                }
                self.operand(Intrinsic::Writes, place);
                (output.constraint.clone(), place)
            })
            .collect();
        if !empty {
            let clobbers = asm.clobbers.iter().any(|clobber| clobber == "memory");
            let mut operands = inputs.iter().chain(&outputs);
            let reaches = self.names_memory(&asm.template)
                || operands.any(|operand| self.gives_address(operand, clobbers));
            if reaches && clobbers || !asm.labels.is_empty() {
                let message = "the effect of this assembly statement is not known";
                self.cx.report(Diagnostic::warning(codes::ASM_UNKNOWN, asm.span, message));
                self.b.unsupported("inline assembly that can change memory");
                return;
            }
            let message = "the outputs of this assembly statement are taken to be any values";
            // That nothing else changes is the author's promise to the compiler at most, and a statement without operands
            // does not even promise it.
            self.cx.report(if reaches {
                Diagnostic::warning(codes::ASM_HAVOC, asm.span, message).assuming_if_allowed(
                    "assembly",
                    "its outputs get any values, and nothing else changes",
                )
            } else {
                Diagnostic::warning(codes::ASM_OUTPUTS, asm.span, message)
                    .assuming("assembly-outputs", "its outputs get any values")
            });
        }
        for (i, (constraint, place)) in outputs.iter().enumerate() {
            if empty {
                if constraint.contains('+') || is_memory(constraint) {
                    continue;
                }
                let number = i.to_string();
                let name = asm.outputs[i].name.map(|name| format!("[{}]", unit.names.name(name)));
                let tied = inputs.iter().find(|(constraint, _)| {
                    let constraint = constraint.trim_start_matches('%');
                    constraint == number || Some(constraint) == name.as_deref()
                });
                if let Some((_, value)) = tied {
                    let value = *value;
                    self.assign(*place, value);
                    continue;
                }
            }
            let ty = self.cx.p.exprs.ty(*place);
            let value = self.nondet(ty);
            self.assign(*place, value);
        }
    }

    /// Checks whether instructions have a way to this program's memory besides their operands: an address in a register, as
    /// in `(%0)` or where string instructions and system calls take theirs from, or the name of something in the program.
    /// Code elsewhere that they call is as a function without a body.
    fn names_memory(&self, template: &str) -> bool {
        const OTHERWISE: &[&str] =
            &["syscall", "sysenter", "int", "int3", "rep", "repe", "repne", "stos", "movs", "lods"];
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let on_stack = template.replace("(%%esp)", "").replace("(%%rsp)", "");
        let by_word = |word: &str| {
            // What string instructions are called ends in the size.
            let stem = word.strip_suffix(['b', 'w', 'l', 'q']).unwrap_or(word);
            OTHERWISE.contains(&word) || OTHERWISE.contains(&stem) || self.cx.is_global(word)
        };
        on_stack.contains("(%") || template.split(|c| !is_word(c)).any(by_word)
    }

    /// Checks whether an operand gives instructions an address: it is in a register of string instructions, or, if they say
    /// that they change memory, a pointer in any register.
    fn gives_address(&self, (constraint, value): &(String, ExprId), clobbers: bool) -> bool {
        let is_pointer = matches!(self.cx.p.type_of(*value), Type::Ptr(_));
        constraint.contains(['S', 'D'])
            || clobbers && is_pointer && !constraint.contains(['i', 'n', 'm'])
    }

    /// Says that an operand is accessed, whatever the template does with it. (A bit-field has no address; it is assigned.)
    fn operand(&mut self, op: Intrinsic, place: ExprId) {
        if self.is_bit_field(place) || !self.cx.p.is_place(place) {
            return;
        }
        let ty = self.cx.p.exprs.ty(place);
        if let Some(size) = self.cx.p.size_of(ty) {
            let address = self.cx.p.address_of(place);
            let size = self.cx.p.size(size);
            self.access_block(op, address, size);
        }
    }
}

/// Returns whether a constraint lets an operand be in memory only.
fn is_memory(constraint: &str) -> bool {
    let letters = constraint.trim_start_matches(['=', '&', '%']);
    !letters.is_empty() && letters.chars().all(|c| matches!(c, 'm' | 'o' | 'V' | '<' | '>'))
}
