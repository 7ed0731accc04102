//! Terms from S-expressions.
//!
//! A machine with two stacks instead of recursion: tasks still to do, and results of those done. A
//! `let` evaluates its bindings, binds them, evaluates its body and unbinds, as four kinds of tasks,
//! so nesting of any kind costs memory but no stack.

use super::function;
use super::operators::{Head, Item, apply, coerce};
use super::reader::{Meaning, Symbols};
use super::sexpr::{ExprId, Form, Kind};
use super::{SmtError, SmtErrorKind};
use crate::op::TermId;
use crate::sort::Sort;
use crate::store::TermStore;
use vergo_num::{BitVec, Natural, RoundingMode};

enum Task {
    /// Push the result of an expression.
    Eval(ExprId),
    /// Replace the results of a list's arguments by that of the list.
    Apply(ExprId),
    /// Bind the names of a `let` to as many results.
    Bind(ExprId),
    /// Undo the bindings of a `let`.
    Unbind(ExprId),
    /// Give the last result the name that an annotation says.
    Name(ExprId),
}

/// The term that an expression denotes. Binds named terms in `symbols`.
pub(super) fn elaborate(
    store: &mut TermStore,
    symbols: &mut Symbols,
    form: &Form<'_>,
    root: ExprId,
) -> Result<TermId, SmtError> {
    let mut machine =
        Machine { store, symbols, form, tasks: vec![Task::Eval(root)], results: vec![] };
    let outcome = machine.run();
    if outcome.is_err() {
        machine.unbind_pending();
    }
    outcome?;
    match machine.results.pop() {
        Some(Item::Term(term)) => Ok(term),
        _ => Err(form.error(root, SmtErrorKind::Sort, "real numbers occur only within `to_fp`")),
    }
}

struct Machine<'a, 't> {
    store: &'a mut TermStore,
    symbols: &'a mut Symbols,
    form: &'a Form<'t>,
    tasks: Vec<Task>,
    results: Vec<Item>,
}

impl<'t> Machine<'_, 't> {
    fn run(&mut self) -> Result<(), SmtError> {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Eval(id) if self.form.is_list(id) => self.eval_list(id)?,
                Task::Eval(id) => {
                    let item = self.atom(id)?;
                    self.results.push(item);
                }
                Task::Apply(id) => {
                    let n_args = self.form.list(id).len() - 1;
                    let args = self.results.split_off(self.results.len() - n_args);
                    let item = self.apply(id, args)?;
                    self.results.push(item);
                }
                Task::Bind(id) => self.bind(id)?,
                Task::Unbind(id) => self.unbind(id),
                Task::Name(id) => self.name(id)?,
            }
        }
        Ok(())
    }

    fn eval_list(&mut self, id: ExprId) -> Result<(), SmtError> {
        let form = self.form;
        let list = form.list(id);
        let Some((&head, args)) = list.split_first() else {
            return Err(form.syntax(id, "expected a term"));
        };
        if form.is_word(head, "let") {
            let &[bindings, body] = args else {
                return Err(form.syntax(id, "`let` takes bindings and a body"));
            };
            if !form.is_list(bindings) || form.list(bindings).is_empty() {
                return Err(form.syntax(bindings, "expected bindings"));
            }
            self.tasks.push(Task::Unbind(bindings));
            self.tasks.push(Task::Eval(body));
            self.tasks.push(Task::Bind(bindings));
            for &binding in form.list(bindings).iter().rev() {
                match form.list(binding) {
                    &[name, value] if form.symbol(name).is_some() => {
                        self.tasks.push(Task::Eval(value));
                    }
                    _ => return Err(form.syntax(binding, "expected a symbol and a term")),
                }
            }
            return Ok(());
        }
        if form.is_word(head, "!") {
            let Some(&term) = args.first() else {
                return Err(form.syntax(id, "expected a term"));
            };
            self.tasks.push(Task::Name(id));
            self.tasks.push(Task::Eval(term));
            return Ok(());
        }
        if form.is_word(head, "_") {
            let item = self.indexed_constant(id, args)?;
            self.results.push(item);
            return Ok(());
        }
        for word in ["forall", "exists", "match", "lambda", "par"] {
            if form.is_word(head, word) {
                let message = format!("`{word}` is not supported");
                return Err(form.error(id, SmtErrorKind::Unsupported, message));
            }
        }
        if args.is_empty() {
            return Err(form.syntax(id, "an application has at least one argument"));
        }
        self.tasks.push(Task::Apply(id));
        self.tasks.extend(args.iter().rev().map(|&arg| Task::Eval(arg)));
        Ok(())
    }

    fn atom(&mut self, id: ExprId) -> Result<Item, SmtError> {
        let form = self.form;
        let term = match form.kind(id) {
            Kind::Numeral => return self.real(id, form.atom(id), 0),
            Kind::Decimal => {
                let text = form.atom(id);
                let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
                return self.real(id, &format!("{whole}{fraction}"), fraction.len() as u64);
            }
            Kind::Hex => {
                let digits = form.atom(id);
                let width = digits.len() as u32 * 4;
                self.literal(id, BitVec::parse_hex(width, digits))?
            }
            Kind::Binary => {
                let digits = form.atom(id);
                self.literal(id, BitVec::parse_binary(digits.len() as u32, digits))?
            }
            Kind::Symbol | Kind::Quoted => {
                let name = form.atom(id);
                match self.symbols.lookup(name) {
                    Some(Meaning::Term(term)) => *term,
                    Some(Meaning::Function { .. } | Meaning::Declared { .. }) => {
                        let message = format!("function `{name}` needs arguments");
                        return Err(form.error(id, SmtErrorKind::Sort, message));
                    }
                    None => match self.theory_constant(name) {
                        Some(term) => term,
                        None => {
                            let message = format!("unknown symbol `{name}`");
                            return Err(form.error(id, SmtErrorKind::Symbol, message));
                        }
                    },
                }
            }
            Kind::Keyword | Kind::Text | Kind::List => {
                return Err(form.syntax(id, "expected a term"));
            }
        };
        Ok(Item::Term(term))
    }

    fn literal(&mut self, id: ExprId, value: Option<BitVec>) -> Result<TermId, SmtError> {
        match value {
            Some(value) => Ok(self.store.bv_const(value)),
            None => Err(self.form.syntax(id, "malformed literal")),
        }
    }

    /// The number `digits / 10^n_fraction`.
    fn real(&self, id: ExprId, digits: &str, n_fraction: u64) -> Result<Item, SmtError> {
        let Some(numerator) = Natural::parse(digits, 10) else {
            return Err(self.form.syntax(id, "malformed number"));
        };
        let denominator = Natural::power(10, n_fraction);
        Ok(Item::Real { negative: false, numerator, denominator })
    }

    fn theory_constant(&mut self, name: &str) -> Option<TermId> {
        let mode = match name {
            "true" => return Some(self.store.true_term()),
            "false" => return Some(self.store.false_term()),
            "RNE" | "roundNearestTiesToEven" => RoundingMode::NearestEven,
            "RNA" | "roundNearestTiesToAway" => RoundingMode::NearestAway,
            "RTP" | "roundTowardPositive" => RoundingMode::TowardPositive,
            "RTN" | "roundTowardNegative" => RoundingMode::TowardNegative,
            "RTZ" | "roundTowardZero" => RoundingMode::TowardZero,
            _ => return None,
        };
        Some(self.store.rm_const(mode))
    }

    /// `(_ bv10 32)`, `(_ +oo 8 24)` and the like.
    fn indexed_constant(&mut self, id: ExprId, args: &[ExprId]) -> Result<Item, SmtError> {
        let head = self.indexed_head(id, args)?;
        self.apply_theory(id, &head, vec![])
    }

    fn indexed_head(&self, id: ExprId, args: &[ExprId]) -> Result<Head<'t>, SmtError> {
        let form = self.form;
        let Some((name, indices)) =
            args.split_first().and_then(|(&name, rest)| Some((form.symbol(name)?, rest)))
        else {
            return Err(form.syntax(id, "expected an indexed symbol"));
        };
        let indices = indices.iter().map(|&i| form.numeral(i)).collect::<Result<Vec<_>, _>>()?;
        if indices.is_empty() {
            return Err(form.syntax(id, "expected an index"));
        }
        Ok(Head { name, indices, sort: None })
    }

    fn apply(&mut self, id: ExprId, args: Vec<Item>) -> Result<Item, SmtError> {
        let form = self.form;
        let head_id = form.list(id)[0];
        if let Some(name) = form.symbol(head_id) {
            return match self.symbols.lookup(name).cloned() {
                Some(Meaning::Function { parameters, body }) => {
                    let sorts: Vec<Sort> = parameters.iter().map(|&p| self.store.sort(p)).collect();
                    let args = self.arguments(id, name, &sorts, &args)?;
                    let map = parameters.into_iter().zip(args).collect();
                    Ok(Item::Term(self.store.substitute(body, &map)))
                }
                Some(Meaning::Declared { parameters, function }) => {
                    let args = self.arguments(id, name, &parameters, &args)?;
                    Ok(Item::Term(function::call(self.store, function, &args)))
                }
                Some(Meaning::Term(_)) => {
                    let message = format!("`{name}` is not a function");
                    Err(form.error(id, SmtErrorKind::Sort, message))
                }
                None => {
                    let head = Head { name, indices: vec![], sort: None };
                    self.apply_theory(id, &head, args)
                }
            };
        }
        let list = form.list(head_id);
        match list.split_first() {
            Some((&first, rest)) if form.is_word(first, "_") => {
                let head = self.indexed_head(head_id, rest)?;
                self.apply_theory(id, &head, args)
            }
            Some((&first, &[name, sort])) if form.is_word(first, "as") => {
                let sort = self.symbols.sort(self.store, form, sort)?;
                let Some(name) = form.symbol(name) else {
                    return Err(form.syntax(name, "expected a symbol"));
                };
                let head = Head { name, indices: vec![], sort: Some(sort) };
                self.apply_theory(id, &head, args)
            }
            _ => Err(form.syntax(head_id, "expected a function")),
        }
    }

    /// Applies a function of a theory, and puts the position to its complaint.
    fn apply_theory(
        &mut self,
        id: ExprId,
        head: &Head<'_>,
        args: Vec<Item>,
    ) -> Result<Item, SmtError> {
        apply(self.store, head, args).map_err(|(kind, message)| self.form.error(id, kind, message))
    }

    /// The arguments of a function, as many and of the sorts that it takes.
    fn arguments(
        &mut self,
        id: ExprId,
        name: &str,
        sorts: &[Sort],
        args: &[Item],
    ) -> Result<Vec<TermId>, SmtError> {
        let form = self.form;
        let sort_error = |message: String| form.error(id, SmtErrorKind::Sort, message);
        if sorts.len() != args.len() {
            return Err(sort_error(format!("`{name}` takes {} arguments", sorts.len())));
        }
        let mut terms = Vec::new();
        for (i, (&sort, arg)) in sorts.iter().zip(args).enumerate() {
            let term = match arg {
                Item::Term(term) => coerce(self.store, *term, sort),
                Item::Real { .. } => None,
            };
            let other = || sort_error(format!("argument {} has another sort", i + 1));
            terms.push(term.ok_or_else(other)?);
        }
        Ok(terms)
    }

    fn bind(&mut self, bindings: ExprId) -> Result<(), SmtError> {
        let form = self.form;
        let list = form.list(bindings);
        let values = self.results.split_off(self.results.len() - list.len());
        let mut terms = Vec::new();
        for (&binding, value) in list.iter().zip(values) {
            match value {
                Item::Term(term) => terms.push(term),
                Item::Real { .. } => {
                    return Err(form.error(
                        binding,
                        SmtErrorKind::Unsupported,
                        "real numbers have no names",
                    ));
                }
            }
        }
        for (&binding, term) in list.iter().zip(terms) {
            if let Some(name) = form.symbol(form.list(binding)[0]) {
                self.symbols.bind(name, term);
            }
        }
        // From here on the pending `Unbind` has something to undo; see `unbind_pending`.
        Ok(())
    }

    fn unbind(&mut self, bindings: ExprId) {
        for &binding in self.form.list(bindings) {
            if let Some(name) = self.form.symbol(self.form.list(binding)[0]) {
                self.symbols.unbind(name);
            }
        }
    }

    /// After an error: undoes the bindings of the `let`s whose bodies were under way. Those whose
    /// bindings were still being evaluated have their `Bind` still waiting above their `Unbind`.
    fn unbind_pending(&mut self) {
        let mut waiting = Vec::new();
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Bind(id) => waiting.push(id),
                Task::Unbind(id) => {
                    if waiting.last() == Some(&id) {
                        waiting.pop();
                    } else {
                        self.unbind(id);
                    }
                }
                _ => {}
            }
        }
    }

    fn name(&mut self, id: ExprId) -> Result<(), SmtError> {
        let form = self.form;
        let attributes = &form.list(id)[2..];
        for pair in attributes.windows(2) {
            if form.kind(pair[0]) != Kind::Keyword || form.atom(pair[0]) != "named" {
                continue;
            }
            let (Some(name), Some(Item::Term(term))) = (form.symbol(pair[1]), self.results.last())
            else {
                return Err(form.syntax(pair[1], "expected a name"));
            };
            if !self.symbols.declare(name, Meaning::Term(*term)) {
                let message = format!("`{name}` is declared already");
                return Err(form.error(pair[1], SmtErrorKind::Symbol, message));
            }
        }
        Ok(())
    }
}
