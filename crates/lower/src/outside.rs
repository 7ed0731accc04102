//! Pointers from outside, and the variables that they may point to.
//!
//! Other files can also point to the variables that they can name: a pointer that comes from there (in a variable that is
//! defined nowhere, as the result of a function that gives any value, or as a number) may hold the address of every variable
//! with external linkage. The address of another variable it holds only if the program has given it away. So a program begins by
//! giving away the addresses of the former, which every analysis understands. Each access through such a pointer is then a
//! choice among all of them; where that would be too many, they are not given away, which is an assumption that reports show.

use crate::codes;
use crate::function::Fx;
use crate::link::Cx;
use crate::{Options, OutsidePointers, Pointers};
use cranelift_entity::EntityRef;
use vergo_cfront::hir::{Linkage, Storage};
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{ExprId, ExprKind, MemoryOp};
use vergo_goto::program::{Program, StaticInit, Symbol, SymbolId, SymbolKind};
use vergo_goto::types::{Type, TypeId};
use vergo_source::{Diagnostic, Span};

/// With more pairs than this of an access through a pointer and a variable that other files can name, a program does not give
/// the addresses of these away.
const MANY: usize = 2000;

/// Returns the remark on a program that gets pointers from outside, if these are assumed to point to none of so many
/// variables that can be named there.
pub fn remark(program: &Program, n_variables: usize) -> Option<Diagnostic> {
    let message = format!(
        "the program gets pointers from outside, and {n_variables} of its variables can be named there"
    );
    (n_variables > 0 && has_outside_pointers(program)).then(|| {
        Diagnostic::remark(codes::OUTSIDE_POINTERS, Span::DUMMY, message)
            .assuming("outside-pointers", "such pointers point to none of them")
    })
}

impl Cx<'_> {
    /// Lets pointers from outside point to the variables that other files can name.
    pub(crate) fn expose_variables(&mut self) {
        let variables = self.exported();
        if self.takes_pointers() {
            return give_away(&mut self.p, &variables);
        }
        let wanted = self.options.outside_pointers;
        if wanted == OutsidePointers::Ignored {
            return;
        }
        let Some(remark) = remark(&self.p, variables.len()) else { return };
        let n_choices = variables.len().saturating_mul(n_accesses(&self.p));
        if wanted == OutsidePointers::Followed && n_choices <= MANY {
            give_away(&mut self.p, &variables);
        } else {
            self.report(remark);
        }
    }

    /// The variables of the program with external linkage.
    fn exported(&self) -> Vec<SymbolId> {
        let state = &self.units[0];
        let mut found = Vec::new();
        for (var, variable) in state.unit.vars.iter() {
            if let Storage::Static { linkage: Linkage::External, thread_local: false, .. } =
                variable.storage
                && let Some(symbol) = state.vars[var]
                && !found.contains(&symbol)
            {
                found.push(symbol);
            }
        }
        found
    }

    /// Returns whether the program begins with a function that gets any pointers.
    fn takes_pointers(&self) -> bool {
        let Options { entry, pointers, .. } = self.options;
        if entry == "main" || *pointers != Pointers::Any {
            return false;
        }
        let unit = &self.units[0].unit;
        let mut functions = unit.functions.values();
        let function =
            functions.find(|f| f.body.is_some() && unit.names.name(f.name) == entry.as_str());
        let is_number = |ty| unit.types.is_arithmetic(ty);
        function.is_some_and(|f| !f.params.iter().all(|&param| is_number(unit.vars[param].ty)))
    }
}

impl Fx<'_, '_> {
    /// A question of the program about the object of a pointer: of an address from outside nobody can say what is there. It
    /// may be none of the program's objects, as the answer says, or memory that the program does not make.
    pub(crate) fn ask_about(&mut self, pointer: ExprId) {
        let byte = self.cx.p.types.int(false, 8);
        let answered = self.b.new_label();
        let has = self.cx.p.memory(MemoryOp::HasObject, [pointer]);
        let not_null = self.truth(pointer);
        let null = self.cx.p.not(not_null);
        let known = self.cx.p.or(has, null);
        self.b.goto_if(known, answered);
        let elsewhere = self.nondet(byte);
        let elsewhere = self.truth(elsewhere);
        let nowhere = self.cx.p.not(elsewhere);
        self.b.goto_if(nowhere, answered);
        self.b.unsupported("a question about memory that a pointer from outside points to");
        self.b.label(answered);
    }
}

/// Returns the number of different accesses through pointers in a program.
fn n_accesses(program: &Program) -> usize {
    let exprs = (0..program.exprs.len()).map(ExprId::new);
    exprs.filter(|&expr| matches!(program.exprs.kind(expr), ExprKind::Deref(_))).count()
}

/// Returns whether pointers can come from outside of a program.
fn has_outside_pointers(program: &Program) -> bool {
    let undefined = program.symbols.values().any(|symbol| {
        matches!(symbol.kind, SymbolKind::Static { init: StaticInit::Nondet, .. })
            && program.types.has_pointers(symbol.ty)
    });
    let own = program.functions.values().filter(|function| !function.library);
    let mut instrs = own.filter_map(|function| function.body.as_ref()).flatten();
    undefined
        || instrs.any(|instr| {
            let mut found = false;
            instr.kind.for_each_expr(|expr, _| {
                program.for_each_subexpr(expr, |part| found |= is_from_outside(program, part));
            });
            found
        })
}

/// Returns whether an expression is an arbitrary pointer, a number that becomes one, or a pointer made of the bytes of
/// another object.
fn is_from_outside(program: &Program, expr: ExprId) -> bool {
    let is_pointer = |ty: TypeId| matches!(program.types.get(ty), Type::Ptr(_));
    let ty = program.exprs.ty(expr);
    match *program.exprs.kind(expr) {
        ExprKind::Nondet(_) => program.types.has_pointers(ty),
        ExprKind::Cast(_, number) => {
            is_pointer(ty)
                && matches!(program.type_of(number), Type::Int { .. })
                && !matches!(program.exprs.kind(number), ExprKind::Int(_))
        }
        ExprKind::Member(of, _) => match program.type_of(of) {
            Type::Struct(of) => {
                let of = &program.types.structs[*of];
                is_pointer(ty) && of.union && !of.fields.iter().all(|field| is_pointer(field.ty))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Converts the addresses of variables to numbers before anything else happens.
fn give_away(program: &mut Program, variables: &[SymbolId]) {
    let Some(entry) = program.entry else { return };
    let Some(body) = program.functions[entry].body.take() else { return };
    let size = program.size_type();
    let word = program.add_symbol(Symbol {
        name: "$outside".to_owned(),
        display: String::new(),
        ty: size,
        kind: SymbolKind::Local(entry),
        span: Span::DUMMY,
        align: program.types.align_of(size, &program.machine),
        writable: true,
    });
    let place = program.symbol(word);
    let n_labels = program.functions[entry].n_labels;
    let mut out = FunctionBuilder::continuing(n_labels, body.len() + variables.len() + 1);
    out.decl(word);
    for &variable in variables {
        let of = program.symbol(variable);
        let address = program.address_of(of);
        let address = program.cast(size, address);
        out.assign(place, address);
    }
    body.into_iter().for_each(|instr| out.push_instr(instr));
    out.finish(program, entry);
}
