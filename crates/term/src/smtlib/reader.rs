//! Commands from text, and the symbols in scope.

use super::command::{Command, Located};
use super::elaborate::elaborate;
use super::function;
use super::operators::coerce;
use super::sexpr::{ExprId, Form, Kind, Lexer};
use super::{MAX_WIDTH, SmtError, SmtErrorKind};
use crate::op::TermId;
use crate::sort::Sort;
use crate::store::TermStore;
use rustc_hash::FxHashMap;
use vergo_num::FloatFormat;

/// The greatest nesting of sorts.
const MAX_SORT_DEPTH: u32 = 200;

/// Reads a script command by command. Declarations obey `push`, `pop` and `reset` as they are read.
pub struct Reader<'t> {
    lexer: Lexer<'t>,
    symbols: Symbols,
}

/// The meaning of symbols: variables, defined functions, defined sorts, and named terms.
#[derive(Default)]
pub struct Symbols {
    terms: FxHashMap<String, Vec<Meaning>>,
    sorts: FxHashMap<String, SortMacro>,
    /// The names declared at each level of `push`, oldest first; the bottom level is the first.
    levels: Vec<Vec<Declared>>,
    /// True if declarations survive `pop` and `reset-assertions` (`:global-declarations`).
    is_global: bool,
}

/// The meaning of a symbol in a term.
#[derive(Clone)]
pub(super) enum Meaning {
    Term(TermId),
    Function { parameters: Vec<TermId>, body: TermId },
    Declared { parameters: Vec<Sort>, function: TermId },
}

enum Declared {
    Term(String),
    Sort(String),
}

struct SortMacro {
    parameters: Vec<String>,
    /// The text of the sort, read again at each use.
    body: String,
}

/// Reads a whole script, up to the first error.
pub fn read_script(store: &mut TermStore, text: &str) -> Result<Vec<Located>, SmtError> {
    let mut reader = Reader::new(text);
    let mut commands = Vec::new();
    while let Some(command) = reader.next_command(store) {
        commands.push(command?);
    }
    Ok(commands)
}

/// Reads one term whose symbols mean what `symbols` says.
pub fn parse_term(
    store: &mut TermStore,
    text: &str,
    symbols: &mut Symbols,
) -> Result<TermId, SmtError> {
    let mut lexer = Lexer::new(text);
    let position = super::Position { line: 1, column: 1 };
    let syntax = |message: &str| SmtError {
        position,
        kind: SmtErrorKind::Syntax,
        message: message.to_owned(),
    };
    let form = lexer.next_form().unwrap_or_else(|| Err(syntax("expected a term")))?;
    let term = elaborate(store, symbols, &form, form.root())?;
    match lexer.next_form() {
        None => Ok(term),
        Some(Err(error)) => Err(error),
        Some(Ok(rest)) => Err(rest.syntax(rest.root(), "expected nothing after the term")),
    }
}

impl Symbols {
    /// No symbols but those of the theories.
    pub fn new() -> Symbols {
        Symbols::default()
    }

    /// Makes a name stand for a term, in place of what it stood for.
    pub fn define(&mut self, name: &str, term: TermId) {
        self.terms.insert(name.to_owned(), vec![Meaning::Term(term)]);
    }

    pub(super) fn lookup(&self, name: &str) -> Option<&Meaning> {
        self.terms.get(name)?.last()
    }

    /// Binds a name until [`unbind`](Symbols::unbind).
    pub(super) fn bind(&mut self, name: &str, term: TermId) {
        self.terms.entry(name.to_owned()).or_default().push(Meaning::Term(term));
    }

    pub(super) fn unbind(&mut self, name: &str) {
        if let Some(meanings) = self.terms.get_mut(name) {
            meanings.pop();
            if meanings.is_empty() {
                self.terms.remove(name);
            }
        }
    }

    /// Adds a global meaning at the current level; false if the name has one.
    pub(super) fn declare(&mut self, name: &str, meaning: Meaning) -> bool {
        if self.terms.contains_key(name) {
            return false;
        }
        self.terms.insert(name.to_owned(), vec![meaning]);
        self.note(Declared::Term(name.to_owned()));
        true
    }

    fn note(&mut self, declared: Declared) {
        if self.levels.is_empty() {
            self.levels.push(Vec::new());
        }
        let level = if self.is_global { self.levels.first_mut() } else { self.levels.last_mut() };
        if let Some(level) = level {
            level.push(declared);
        }
    }

    fn push(&mut self) {
        if self.levels.is_empty() {
            self.levels.push(Vec::new());
        }
        self.levels.push(Vec::new());
    }

    /// Leaves a level; false if there is none but the bottom one.
    fn pop(&mut self) -> bool {
        if self.levels.len() < 2 {
            return false;
        }
        for declared in self.levels.pop().unwrap_or_default() {
            match declared {
                Declared::Term(name) => {
                    self.terms.remove(&name);
                }
                Declared::Sort(name) => {
                    self.sorts.remove(&name);
                }
            }
        }
        true
    }

    /// The sort that an expression names.
    pub(super) fn sort(
        &self,
        store: &mut TermStore,
        form: &Form<'_>,
        id: ExprId,
    ) -> Result<Sort, SmtError> {
        self.sort_in(store, form, id, &FxHashMap::default(), 0)
    }

    fn sort_in(
        &self,
        store: &mut TermStore,
        form: &Form<'_>,
        id: ExprId,
        parameters: &FxHashMap<&str, Sort>,
        depth: u32,
    ) -> Result<Sort, SmtError> {
        let unsupported = |message: &str| form.error(id, SmtErrorKind::Unsupported, message);
        if depth > MAX_SORT_DEPTH {
            return Err(unsupported("sort is nested too deeply"));
        }
        if let Some(name) = form.symbol(id) {
            if let Some(&sort) = parameters.get(name) {
                return Ok(sort);
            }
            return match name {
                "Bool" => Ok(Sort::Bool),
                "RoundingMode" => Ok(Sort::RoundingMode),
                "Float16" => Ok(Sort::Float(FloatFormat::HALF)),
                "Float32" => Ok(Sort::Float(FloatFormat::SINGLE)),
                "Float64" => Ok(Sort::Float(FloatFormat::DOUBLE)),
                "Float128" => Ok(Sort::Float(FloatFormat::QUAD)),
                "Int" | "Real" | "String" | "RegLan" => {
                    Err(unsupported(&format!("sort `{name}` is not supported")))
                }
                _ => self.expand_sort(store, form, id, name, &[], depth),
            };
        }
        let list = form.list(id);
        let Some((&head, rest)) = list.split_first() else {
            return Err(form.syntax(id, "expected a sort"));
        };
        if form.is_word(head, "_") {
            return match (
                rest.first().and_then(|&name| form.symbol(name)),
                &rest[1.min(rest.len())..],
            ) {
                (Some("BitVec"), &[width]) => match form.numeral(width)? {
                    0 => Err(form.syntax(width, "a word has at least one bit")),
                    width if width > MAX_WIDTH => Err(unsupported("word is too wide")),
                    width => Ok(Sort::BitVec(width)),
                },
                (Some("FloatingPoint"), &[exponent, significand]) => {
                    FloatFormat::try_ieee(form.numeral(exponent)?, form.numeral(significand)?)
                        .map(Sort::Float)
                        .ok_or_else(|| unsupported("floating-point format is not supported"))
                }
                _ => Err(form.error(id, SmtErrorKind::Symbol, "unknown sort")),
            };
        }
        let Some(name) = form.symbol(head) else {
            return Err(form.syntax(head, "expected the name of a sort"));
        };
        let mut arguments = Vec::new();
        for &argument in rest {
            arguments.push(self.sort_in(store, form, argument, parameters, depth + 1)?);
        }
        match (name, &arguments[..]) {
            ("Array", &[Sort::Array(_), _]) => {
                Err(unsupported("arrays indexed by arrays are not supported"))
            }
            ("Array", &[index, element]) => Ok(store.array_sort(index, element)),
            _ => self.expand_sort(store, form, id, name, &arguments, depth),
        }
    }

    fn expand_sort(
        &self,
        store: &mut TermStore,
        form: &Form<'_>,
        id: ExprId,
        name: &str,
        arguments: &[Sort],
        depth: u32,
    ) -> Result<Sort, SmtError> {
        let Some(macro_) = self.sorts.get(name) else {
            return Err(form.error(id, SmtErrorKind::Symbol, format!("unknown sort `{name}`")));
        };
        if macro_.parameters.len() != arguments.len() {
            let message = format!("sort `{name}` takes {} arguments", macro_.parameters.len());
            return Err(form.error(id, SmtErrorKind::Sort, message));
        }
        let names = macro_.parameters.iter().map(String::as_str);
        let parameters: FxHashMap<&str, Sort> = names.zip(arguments.iter().copied()).collect();
        let at_use = |error| SmtError { position: form.position(id), ..error };
        match Lexer::new(&macro_.body).next_form() {
            Some(Ok(body)) => {
                self.sort_in(store, &body, body.root(), &parameters, depth + 1).map_err(at_use)
            }
            Some(Err(error)) => Err(at_use(error)),
            None => Err(form.syntax(id, "expected a sort")),
        }
    }
}

impl<'t> Reader<'t> {
    /// A reader at the beginning of a text.
    pub fn new(text: &'t str) -> Reader<'t> {
        Reader { lexer: Lexer::new(text), symbols: Symbols::new() }
    }

    /// The symbols that the commands read so far have declared.
    pub fn symbols(&mut self) -> &mut Symbols {
        &mut self.symbols
    }

    /// The next command, `None` at the end. After an error in a command the next one can be read;
    /// after an error in the structure of parentheses there is no next one.
    pub fn next_command(&mut self, store: &mut TermStore) -> Option<Result<Located, SmtError>> {
        let form = match self.lexer.next_form()? {
            Ok(form) => form,
            Err(error) => return Some(Err(error)),
        };
        let position = form.position(form.root());
        Some(self.command(store, &form).map(|command| Located { position, command }))
    }

    fn command(&mut self, store: &mut TermStore, form: &Form) -> Result<Command, SmtError> {
        let root = form.root();
        let Some((&head, args)) = form.list(root).split_first() else {
            return Err(form.syntax(root, "expected a command"));
        };
        if form.kind(head) != Kind::Symbol {
            return Err(form.syntax(head, "expected the name of a command"));
        }
        let name = form.atom(head);
        let arity = |n: usize| {
            if args.len() == n {
                Ok(())
            } else {
                let plural = if n == 1 { "" } else { "s" };
                Err(form.syntax(root, format!("`{name}` takes {n} argument{plural}")))
            }
        };
        let keyword = |id: ExprId| match form.kind(id) {
            Kind::Keyword => Ok(form.atom(id).to_owned()),
            _ => Err(form.syntax(id, "expected a keyword")),
        };
        let symbol = |id: ExprId| {
            form.symbol(id).map(str::to_owned).ok_or_else(|| form.syntax(id, "expected a symbol"))
        };
        let list = |id: ExprId| {
            if form.is_list(id) {
                Ok(form.list(id))
            } else {
                Err(form.syntax(id, "expected a list"))
            }
        };
        let simple = |command: Command| arity(0).map(|()| command);
        match name {
            "set-logic" => {
                arity(1)?;
                Ok(Command::SetLogic(symbol(args[0])?))
            }
            "set-option" | "set-info" => {
                if args.is_empty() || args.len() > 2 {
                    return Err(form.syntax(root, format!("`{name}` takes a keyword and a value")));
                }
                let keyword = keyword(args[0])?;
                let value = args.get(1).map_or(String::new(), |&value| attribute(form, value));
                if name == "set-option" && keyword == "global-declarations" {
                    self.symbols.is_global = value == "true";
                }
                Ok(if name == "set-option" {
                    Command::SetOption { keyword, value }
                } else {
                    Command::SetInfo { keyword, value }
                })
            }
            "declare-const" => {
                arity(2)?;
                self.declare(store, form, args[0], args[1])
            }
            "declare-fun" => {
                arity(3)?;
                if list(args[1])?.is_empty() {
                    return self.declare(store, form, args[0], args[2]);
                }
                self.declare_function(store, form, args[0], list(args[1])?, args[2])
            }
            "define-fun" | "define-const" => {
                let has_parameters = name == "define-fun";
                arity(if has_parameters { 4 } else { 3 })?;
                let parameters = if has_parameters { list(args[1])? } else { &[] };
                let (sort, body) = (args[args.len() - 2], args[args.len() - 1]);
                self.define_fun(store, form, args[0], parameters, sort, body)
            }
            "define-sort" => {
                arity(3)?;
                let name = symbol(args[0])?;
                let parameters =
                    list(args[1])?.iter().map(|&p| symbol(p)).collect::<Result<Vec<_>, _>>()?;
                let is_taken = self.symbols.sorts.contains_key(&name)
                    || ["Bool", "Array", "RoundingMode", "BitVec"].contains(&name.as_str());
                if is_taken {
                    return Err(redeclared(form, args[0], &name));
                }
                let body = form.source(args[2]).to_owned();
                let macro_ = SortMacro { parameters, body };
                if macro_.parameters.is_empty() {
                    // A sort without parameters is checked where it is defined.
                    self.symbols.sort(store, form, args[2])?;
                }
                self.symbols.sorts.insert(name.clone(), macro_);
                self.symbols.note(Declared::Sort(name.clone()));
                Ok(Command::DefineSort(name))
            }
            "assert" => {
                arity(1)?;
                let term = elaborate(store, &mut self.symbols, form, args[0])?;
                let term = expect_bool(store, form, args[0], term)?;
                Ok(Command::Assert { term, name: outer_name(form, args[0]) })
            }
            "check-sat" => simple(Command::CheckSat),
            "check-sat-assuming" => {
                arity(1)?;
                let mut literals = self.terms(store, form, list(args[0])?)?;
                for (&id, (_, term)) in list(args[0])?.iter().zip(&mut literals) {
                    *term = expect_bool(store, form, id, *term)?;
                }
                Ok(Command::CheckSatAssuming(literals))
            }
            "push" | "pop" => {
                let n = match args {
                    [] => 1,
                    &[n] => form.numeral(n)?,
                    _ => return Err(form.syntax(root, format!("`{name}` takes one argument"))),
                };
                if n > 1 << 16 {
                    return Err(form.error(root, SmtErrorKind::Unsupported, "too many levels"));
                }
                if name == "push" {
                    (0..n).for_each(|_| self.symbols.push());
                    return Ok(Command::Push(n));
                }
                if n as usize >= self.symbols.levels.len().max(1) {
                    return Err(form.error(root, SmtErrorKind::Symbol, "there is no level to pop"));
                }
                (0..n).for_each(|_| {
                    self.symbols.pop();
                });
                Ok(Command::Pop(n))
            }
            "reset" => {
                arity(0)?;
                self.symbols = Symbols::new();
                Ok(Command::Reset)
            }
            "reset-assertions" => {
                arity(0)?;
                if self.symbols.is_global {
                    self.symbols.levels.truncate(1);
                } else {
                    self.symbols = Symbols::new();
                }
                Ok(Command::ResetAssertions)
            }
            "get-model" => simple(Command::GetModel),
            "get-assertions" => simple(Command::GetAssertions),
            "get-assignment" => simple(Command::GetAssignment),
            "get-proof" => simple(Command::GetProof),
            "get-unsat-core" => simple(Command::GetUnsatCore),
            "get-unsat-assumptions" => simple(Command::GetUnsatAssumptions),
            "exit" => simple(Command::Exit),
            "get-value" => {
                arity(1)?;
                Ok(Command::GetValue(self.terms(store, form, list(args[0])?)?))
            }
            "get-interpolants" => Ok(Command::GetInterpolants(partition(form, root, args)?)),
            "get-interpolant" => {
                // Two forms are in use: a partition of named assertions, or a name and a goal.
                if let &[name, goal] = args
                    && let Some(text) = form.symbol(name)
                    && self.symbols.lookup(text).is_none()
                {
                    let term = elaborate(store, &mut self.symbols, form, goal)?;
                    let term = expect_bool(store, form, goal, term)?;
                    return Ok(Command::GetInterpolant { name: text.to_owned(), goal: term });
                }
                Ok(Command::GetInterpolants(partition(form, root, args)?))
            }
            "get-info" => {
                arity(1)?;
                Ok(Command::GetInfo(keyword(args[0])?))
            }
            "get-option" => {
                arity(1)?;
                Ok(Command::GetOption(keyword(args[0])?))
            }
            "echo" => {
                arity(1)?;
                match form.kind(args[0]) {
                    Kind::Text => Ok(Command::Echo(form.string(args[0]))),
                    _ => Err(form.syntax(args[0], "expected a string")),
                }
            }
            "declare-sort"
            | "declare-datatype"
            | "declare-datatypes"
            | "define-fun-rec"
            | "define-funs-rec"
            | "declare-sort-parameter"
            | "define-funs" => {
                let message = format!("command `{name}` is not supported");
                Err(form.error(root, SmtErrorKind::Unsupported, message))
            }
            _ => Err(form.syntax(head, format!("unknown command `{name}`"))),
        }
    }

    fn terms(
        &mut self,
        store: &mut TermStore,
        form: &Form<'_>,
        ids: &[ExprId],
    ) -> Result<Vec<(String, TermId)>, SmtError> {
        let mut terms = Vec::new();
        for &id in ids {
            let term = elaborate(store, &mut self.symbols, form, id)?;
            terms.push((form.source(id).to_owned(), term));
        }
        Ok(terms)
    }

    fn declare(
        &mut self,
        store: &mut TermStore,
        form: &Form<'_>,
        name_id: ExprId,
        sort: ExprId,
    ) -> Result<Command, SmtError> {
        let Some(name) = form.symbol(name_id) else {
            return Err(form.syntax(name_id, "expected a symbol"));
        };
        let sort = self.symbols.sort(store, form, sort)?;
        let term = store.var(name, sort);
        if !self.symbols.declare(name, Meaning::Term(term)) {
            return Err(redeclared(form, name_id, name));
        }
        Ok(Command::Declare { name: name.to_owned(), parameters: Vec::new(), sort, term })
    }

    fn declare_function(
        &mut self,
        store: &mut TermStore,
        form: &Form<'_>,
        name_id: ExprId,
        parameter_ids: &[ExprId],
        sort: ExprId,
    ) -> Result<Command, SmtError> {
        let Some(name) = form.symbol(name_id) else {
            return Err(form.syntax(name_id, "expected a symbol"));
        };
        let mut parameters = Vec::new();
        for &id in parameter_ids {
            let parameter = self.symbols.sort(store, form, id)?;
            if matches!(parameter, Sort::Array(_)) {
                let message = "functions of arrays are not supported";
                return Err(form.error(id, SmtErrorKind::Unsupported, message));
            }
            parameters.push(parameter);
        }
        let sort = self.symbols.sort(store, form, sort)?;
        let Some(term) = function::declare(store, name, &parameters, sort) else {
            let message = "the arguments of this function are too wide";
            return Err(form.error(name_id, SmtErrorKind::Unsupported, message));
        };
        let meaning = Meaning::Declared { parameters: parameters.clone(), function: term };
        if !self.symbols.declare(name, meaning) {
            return Err(redeclared(form, name_id, name));
        }
        Ok(Command::Declare { name: name.to_owned(), parameters, sort, term })
    }

    fn define_fun(
        &mut self,
        store: &mut TermStore,
        form: &Form<'_>,
        name_id: ExprId,
        parameter_ids: &[ExprId],
        sort: ExprId,
        body_id: ExprId,
    ) -> Result<Command, SmtError> {
        let Some(name) = form.symbol(name_id) else {
            return Err(form.syntax(name_id, "expected a symbol"));
        };
        let sort = self.symbols.sort(store, form, sort)?;
        let mut parameters = Vec::new();
        for &id in parameter_ids {
            let &[parameter, sort] = form.list(id) else {
                return Err(form.syntax(id, "expected a parameter and its sort"));
            };
            let Some(parameter) = form.symbol(parameter) else {
                return Err(form.syntax(parameter, "expected a symbol"));
            };
            let sort = self.symbols.sort(store, form, sort)?;
            let term = store.fresh_var(&format!("{name}.{parameter}"), sort);
            parameters.push((parameter.to_owned(), term));
        }
        for (parameter, term) in &parameters {
            self.symbols.bind(parameter, *term);
        }
        let body = elaborate(store, &mut self.symbols, form, body_id);
        for (parameter, _) in &parameters {
            self.symbols.unbind(parameter);
        }
        let Some(body) = coerce(store, body?, sort) else {
            return Err(form.error(body_id, SmtErrorKind::Sort, "body is not of the stated sort"));
        };
        let meaning = if parameters.is_empty() {
            Meaning::Term(body)
        } else {
            Meaning::Function { parameters: parameters.iter().map(|p| p.1).collect(), body }
        };
        if !self.symbols.declare(name, meaning) {
            return Err(redeclared(form, name_id, name));
        }
        Ok(Command::DefineFun { name: name.to_owned(), parameters, sort, body })
    }
}

/// The value of an option or attribute: the text of a string or symbol, else what is written.
fn attribute(form: &Form<'_>, id: ExprId) -> String {
    match form.kind(id) {
        Kind::Text => form.string(id),
        Kind::Quoted => form.atom(id).to_owned(),
        _ => form.source(id).to_owned(),
    }
}

fn redeclared(form: &Form<'_>, id: ExprId, name: &str) -> SmtError {
    form.error(id, SmtErrorKind::Symbol, format!("`{name}` is declared already"))
}

fn expect_bool(
    store: &mut TermStore,
    form: &Form<'_>,
    id: ExprId,
    term: TermId,
) -> Result<TermId, SmtError> {
    coerce(store, term, Sort::Bool)
        .ok_or_else(|| form.error(id, SmtErrorKind::Sort, "expected a truth value"))
}

/// The name that the outermost annotation of a term gives it.
fn outer_name(form: &Form<'_>, id: ExprId) -> Option<String> {
    let list = form.list(id);
    if !list.first().is_some_and(|&head| form.is_word(head, "!")) {
        return None;
    }
    let is_named = |id: ExprId| form.kind(id) == Kind::Keyword && form.atom(id) == "named";
    list.windows(2)
        .find_map(|pair| is_named(pair[0]).then(|| form.symbol(pair[1]).map(str::to_owned))?)
}

/// The names in each part of a partition: `name`, `(and names)` or `(names)`.
fn partition(form: &Form<'_>, root: ExprId, args: &[ExprId]) -> Result<Vec<Vec<String>>, SmtError> {
    if args.is_empty() {
        return Err(form.syntax(root, "expected the names of assertions"));
    }
    let name = |id: ExprId| {
        form.symbol(id).map(str::to_owned).ok_or_else(|| form.syntax(id, "expected a name"))
    };
    args.iter()
        .map(|&part| match form.list(part) {
            [] => Ok(vec![name(part)?]),
            [head, names @ ..] if form.is_word(*head, "and") => {
                names.iter().map(|&id| name(id)).collect()
            }
            names => names.iter().map(|&id| name(id)).collect(),
        })
        .collect()
}
