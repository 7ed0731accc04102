//! Bodies of functions: instructions in the other dialect.

use super::Transcoder;
use super::words::{FOR_TRACES, has_statement};
use crate::binary::{
    BodyEntry, Dialect, FunctionEntry, InstructionEntry, SymbolEntry, SymbolFields,
};
use crate::irep::IrepId;
use crate::view::{InstructionView, Kind, flag};

/// The comment that names the function that CBMC calls where ESBMC has a word.
const CALLED: &str = "#call";

/// An instruction's type and statement in the other dialect.
type Said = (Kind, IrepId);

impl Transcoder<'_> {
    pub(super) fn function(
        &mut self,
        old_name: &str,
        instructions: &[InstructionView],
    ) -> FunctionEntry {
        let name = self.new_name(old_name);
        old_name.clone_into(&mut self.function);
        let body = match self.to {
            Dialect::Esbmc => self.esbmc_body(instructions, &name),
            Dialect::Cbmc => self.cbmc_body(instructions),
        };
        FunctionEntry { name: name.into_bytes().into_boxed_slice(), body }
    }

    fn guard(&mut self, guard: Option<IrepId>) -> IrepId {
        match guard {
            Some(guard) => self.irep(guard, false),
            None => {
                let bool_type = self.out.leaf("bool");
                let value = self.out.leaf("true");
                self.out.irep("constant", &[], &[("type", bool_type), ("value", value)])
            }
        }
    }

    /// An instruction in the other dialect, by one or several; what has no words there is lost, and nothing is done instead.
    fn said(&mut self, instruction: &InstructionView) -> Vec<Said> {
        self.location = instruction.location;
        let nil = self.out.leaf("nil");
        let kind = instruction.kind;
        match (kind, self.to) {
            (Kind::StartThread | Kind::EndThread | Kind::IncompleteGoto, Dialect::Esbmc)
            | (Kind::ThrowDecl | Kind::LoopInvariant, Dialect::Cbmc)
            // Both have exceptions, each in its own way.
            | (Kind::Throw | Kind::Catch, _) => {
                self.lose(format!("the instruction {}", kind.name()));
                return vec![(Kind::Skip, nil)];
            }
            _ => {}
        }
        let statement = self.from.statement(instruction.code);
        let said = match self.to {
            Dialect::Esbmc => self.esbmc_statement(kind, statement, instruction.code),
            Dialect::Cbmc => self.cbmc_statement(kind, statement, instruction.code),
        };
        if let Some(said) = said {
            return said;
        }
        if has_statement(self.to, statement) {
            return vec![(kind, self.irep(instruction.code, false))];
        }
        if matches!(kind, Kind::Other) && !FOR_TRACES.contains(&statement) {
            self.lose(format!("the statement `{statement}`"));
        }
        // Other instructions say by their type what they do.
        vec![(if kind == Kind::Other { Kind::Skip } else { kind }, nil)]
    }

    /// A statement of ESBMC's.
    fn statement(&mut self, statement: &str, operands: &[IrepId], was: &str) -> IrepId {
        let statement = self.out.leaf(statement);
        let operands = self.out.irep("", operands, &[]);
        let mut named = vec![("statement", statement), ("operands", operands)];
        if !was.is_empty() {
            named.push((CALLED, self.out.leaf(was)));
        }
        self.out.irep("code", &[], &named)
    }

    fn esbmc_statement(&mut self, kind: Kind, statement: &str, code: IrepId) -> Option<Vec<Said>> {
        let from = self.from;
        let operands = from.operands(code).to_vec();
        match (kind, statement, &operands[..]) {
            (Kind::Other, "array_copy" | "array_replace", &[to, source]) => {
                let (to, source) = (self.whole_array(to)?, self.whole_array(source)?);
                // Comments do not matter.
                let of = |array| {
                    let ty = from.ireps.get(array, "type")?;
                    let (size, element) = (from.ireps.get(ty, "size")?, from.subtype(ty)?);
                    let scalar = [element, size].map(|irep| from.ireps.id(irep));
                    let texts = [(element, "width"), (element, "identifier"), (size, "value")];
                    Some((scalar, texts.map(|(irep, key)| from.ireps.get_id(irep, key))))
                };
                let known =
                    of(to).filter(|(_, [width, tag, _])| !(width.is_empty() && tag.is_empty()));
                if known.is_none() || known != of(source) {
                    return None;
                }
                let operands = [self.irep(to, false), self.irep(source, false)];
                Some(vec![(Kind::Assign, self.statement("assign", &operands, ""))])
            }
            (Kind::Other, "array_set", &[pointer, value]) => {
                let Some(to) = self.whole_array(pointer) else {
                    // Zeros are zeros in all types.
                    let text = from.ireps.get_id(value, "value");
                    let zero = from.ireps.id(value) == "constant"
                        && (text == "NULL" || text.bytes().all(|c| c == b'0'));
                    let pointer = self.irep(pointer, false);
                    let word = self.unsigned(64);
                    let size = self.operation("object_size", word, &[pointer]);
                    return zero.then(|| vec![self.zeroed(pointer, size)]);
                };
                let ty = from.ireps.get(to, "type")?;
                let (ty, value) = (self.irep(ty, false), self.irep(value, false));
                let all = self.operation("array_of", ty, &[value]);
                let to = self.irep(to, false);
                Some(vec![(Kind::Assign, self.statement("assign", &[to, all], ""))])
            }
            (Kind::Assign, "assign", &[dest, value]) => {
                let (size, zero) = self.allocated(value)?;
                let ty = from.ireps.get(value, "type")?;
                let memory = self.allocation_of("malloc", ty, size, ("#allocate", "1"));
                let dest = self.irep(dest, false);
                let assign = (Kind::Assign, self.statement("assign", &[dest, memory], ""));
                Some(match zero {
                    true => vec![assign, self.zeroed(dest, size)],
                    false => vec![assign],
                })
            }
            (Kind::Other, "printf", _) => {
                let code = self.irep(code, false);
                let name = self.out.leaf("printf");
                Some(vec![(Kind::Other, self.out.extended(code, &[("base_name", name)]))])
            }
            (Kind::Call, _, &[dest, callee, arguments]) if from.ireps.id(callee) == "symbol" => {
                let name = from.ireps.get_id(callee, "identifier").to_owned();
                let arguments = from.operands(arguments);
                match (&name[..], arguments) {
                    _ if self.has_body(&name) => None,
                    ("malloc" | "alloca" | "__builtin_alloca", &[size])
                        if from.ireps.id(dest) != "nil" =>
                    {
                        let kind = if name == "malloc" { "malloc" } else { "alloca" };
                        let ty = from.ireps.get(dest, "type")?;
                        let size = self.irep(size, false);
                        let memory = self.allocation_of(kind, ty, size, (CALLED, &name));
                        let dest = self.irep(dest, false);
                        Some(vec![(Kind::Assign, self.statement("assign", &[dest, memory], ""))])
                    }
                    ("free", &[pointer]) => {
                        let pointer = self.irep(pointer, false);
                        Some(vec![(Kind::Other, self.statement("free", &[pointer], &name))])
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The bytes that an expression allocates, and whether they are zero.
    fn allocated(&mut self, value: IrepId) -> Option<(IrepId, bool)> {
        let from = self.from;
        if from.ireps.id(value) != "side_effect" {
            return None;
        }
        match (from.ireps.get_id(value, "statement"), from.operands(value)) {
            ("allocate", &[size, zero]) => {
                let zero = from.ireps.get_id(zero, "value");
                Some((self.irep(size, false), matches!(zero, "true" | "1")))
            }
            // An array of Java's: so many elements, all zero.
            ("java_new_array_data", operands) => {
                let count = operands.last().copied().or_else(|| from.ireps.get(value, "size"))?;
                let element = from.subtype(from.ireps.get(value, "type")?)?;
                let bits = match from.ireps.id(element) {
                    "pointer" => 64,
                    _ => self.width(element)?,
                };
                let word = self.unsigned(64);
                let bytes = self.number(word, 64, u128::from(bits.div_ceil(8)));
                let count = self.irep(count, false);
                let count = self.operation("typecast", word, &[count]);
                Some((self.operation("*", word, &[count, bytes]), true))
            }
            _ => None,
        }
    }

    /// ESBMC's call that makes memory zero.
    fn zeroed(&mut self, pointer: IrepId, size: IrepId) -> Said {
        let name = "c:@F@__ESBMC_memset";
        let (void, width) = (self.out.leaf("empty"), self.out.leaf("64"));
        let any = self.out.irep("pointer", &[], &[("width", width), ("subtype", void)]);
        let (int, word) = (self.int(), self.unsigned(64));
        let parameters = [any, int, word].map(|ty| self.out.irep("argument", &[], &[("type", ty)]));
        let parameters = self.out.irep("", &parameters, &[]);
        let ty = self.out.irep("code", &[], &[("arguments", parameters), ("return_type", any)]);
        let leaf = self.out.leaf(name);
        if !self.by_name.contains_key("memset") && !self.made.iter().any(|(n, _)| n == name) {
            let (base, mode) = (self.out.leaf("__ESBMC_memset"), self.out.leaf("C"));
            let (one, nil, empty) = (self.out.leaf("1"), self.out.leaf("nil"), self.out.leaf(""));
            let named = [
                ("type", ty),
                ("name", leaf),
                ("base_name", base),
                ("mode", mode),
                ("module", empty),
                ("is_extern", one),
                ("location", nil),
                ("symvalue", nil),
            ];
            let symbol = SymbolEntry::Irep(self.out.irep("", &[], &named));
            self.made.push((name.to_owned(), symbol));
        }
        let function = self.out.irep("symbol", &[], &[("type", ty), ("identifier", leaf)]);
        let pointer = self.operation("typecast", any, &[pointer]);
        let arguments = [pointer, self.number(int, 32, 0), size];
        let arguments = self.out.irep("", &arguments, &[]);
        let arguments = self.out.irep("arguments", &[], &[("operands", arguments)]);
        let nil = self.out.leaf("nil");
        (Kind::Call, self.statement("function_call", &[nil, function, arguments], ""))
    }

    /// The array that a pointer to its first element stands for.
    fn whole_array(&self, pointer: IrepId) -> Option<IrepId> {
        let from = self.from;
        let mut irep = pointer;
        while from.ireps.id(irep) == "typecast" {
            irep = *from.operands(irep).first()?;
        }
        let is_array = |irep: IrepId| {
            from.ireps.get(irep, "type").is_some_and(|ty| from.ireps.id(ty) == "array")
        };
        let (&[place], "address_of") = (from.operands(irep), from.ireps.id(irep)) else {
            return None;
        };
        match (from.ireps.id(place), from.operands(place)) {
            ("index", &[array, index])
                if from.ireps.id(index) == "constant"
                    && from.ireps.get_id(index, "value").bytes().all(|c| c == b'0') =>
            {
                Some(array).filter(|&array| is_array(array))
            }
            _ => Some(place).filter(|&place| is_array(place)),
        }
    }

    fn cbmc_statement(&mut self, kind: Kind, statement: &str, code: IrepId) -> Option<Vec<Said>> {
        let from = self.from;
        let operands = from.operands(code).to_vec();
        match (kind, statement, &operands[..]) {
            (Kind::Assign, "assign", &[dest, memory]) if from.ireps.id(memory) == "sideeffect" => {
                let name = match from.ireps.get_id(memory, "statement") {
                    "malloc" => "malloc",
                    "alloca" => "__builtin_alloca",
                    _ => return None,
                };
                if !from.ireps.get_id(memory, "#allocate").is_empty() {
                    return None;
                }
                let &[size] = from.operands(memory) else { return None };
                let name = match from.ireps.get_id(memory, CALLED) {
                    "" => name.to_owned(),
                    called => called.to_owned(),
                };
                let (dest, size) = (self.irep(dest, false), self.irep(size, false));
                Some(vec![(Kind::Call, self.library_call(&name, dest, size))])
            }
            (Kind::Other, "free", &[pointer]) => {
                let (nil, pointer) = (self.out.leaf("nil"), self.irep(pointer, false));
                Some(vec![(Kind::Call, self.library_call("free", nil, pointer))])
            }
            _ => None,
        }
    }

    /// CBMC's call of a function of memory.
    fn library_call(&mut self, name: &str, dest: IrepId, argument: IrepId) -> IrepId {
        let ty = match self.by_name.get(name) {
            Some(&i) => self.irep(self.symbols[i].ty, false),
            None => self.library_symbol(name),
        };
        let identifier = self.out.leaf(name);
        let function = self.out.irep("symbol", &[], &[("type", ty), ("identifier", identifier)]);
        let arguments = self.out.irep("arguments", &[argument], &[]);
        let statement = self.out.leaf("function_call");
        self.out.irep("code", &[dest, function, arguments], &[("statement", statement)])
    }

    /// Declares a function of memory that the file does not; its type.
    fn library_symbol(&mut self, name: &str) -> IrepId {
        let (void, width) = (self.out.leaf("empty"), self.out.leaf("64"));
        let pointer = self.out.irep("pointer", &[void], &[("width", width)]);
        let word = self.out.irep("unsignedbv", &[], &[("width", width)]);
        let (result, parameter) = if name == "free" { (void, pointer) } else { (pointer, word) };
        let parameter = self.out.irep("parameter", &[], &[("type", parameter)]);
        let parameters = self.out.irep("", &[parameter], &[]);
        let ty = [("return_type", result), ("parameters", parameters)];
        let ty = self.out.irep("code", &[], &ty);
        if !self.made.iter().any(|(made, _)| made == name) {
            let nil = self.out.leaf("nil");
            let texts = [name, "", name, "C", name].map(|text| self.out.text(text));
            let flags = flag::LVALUE | flag::EXTERN;
            let fields = SymbolFields { ty, value: nil, location: nil, texts, unused: 0, flags };
            self.made.push((name.to_owned(), SymbolEntry::Fields(Box::new(fields))));
        }
        ty
    }

    fn esbmc_body(&mut self, instructions: &[InstructionView], name: &str) -> BodyEntry {
        let mut entries = Vec::new();
        let leaf = self.out.leaf(name);
        // A result that something is done behind is kept in a variable up to the end.
        let kept = match sets_result_early(instructions) {
            true => self.result_variable(name),
            false => None,
        };
        if let Some(variable) = kept {
            let code = self.statement("decl", &[variable], "");
            entries.push(self.esbmc_instruction(leaf, (Kind::Decl, code), None, None));
        }
        let mut all: Vec<Vec<Said>> = Vec::new();
        for instruction in instructions {
            let mut said = self.said(instruction);
            if let (Some(variable), Kind::Return) = (kept, instruction.kind)
                && let Some(&value) = self.from.operands(instruction.code).first()
            {
                let value = self.irep(value, false);
                said = vec![(Kind::Assign, self.statement("assign", &[variable, value], ""))];
            }
            if let (Some(variable), Kind::EndFunction) = (kept, instruction.kind) {
                said.insert(0, (Kind::Return, self.statement("return", &[variable], "")));
            }
            all.push(said);
        }
        // Where each instruction begins.
        let mut places = Vec::new();
        let mut next = entries.len();
        for said in &all {
            places.push(next);
            next += said.len();
        }
        for (instruction, said) in instructions.iter().zip(all) {
            let mut said = said.into_iter();
            let Some(first) = said.next() else { continue };
            let location = instruction.location;
            let entry = self.esbmc_instruction(leaf, first, instruction.guard, location);
            let mut more = Vec::new();
            if !instruction.labels.is_empty() {
                let labels: Vec<IrepId> = instruction
                    .labels
                    .iter()
                    .map(|&l| self.out.leaf(self.from.ireps.text(l)))
                    .collect();
                more.push(("labels", self.out.irep("", &labels, &[])));
            }
            if !instruction.targets.is_empty() {
                let targets: Vec<IrepId> = instruction
                    .targets
                    .iter()
                    .flatten()
                    .map(|&t| self.out.leaf(places[t].to_string()))
                    .collect();
                more.push(("targets", self.out.irep("", &targets, &[])));
            }
            entries.push(match more.is_empty() {
                true => entry,
                false => self.out.extended(entry, &more),
            });
            for following in said {
                entries.push(self.esbmc_instruction(leaf, following, None, location));
            }
        }
        BodyEntry::Irep(self.out.irep("", &entries, &[]))
    }

    fn esbmc_instruction(
        &mut self,
        function: IrepId,
        (kind, code): Said,
        guard: Option<IrepId>,
        location: Option<IrepId>,
    ) -> IrepId {
        let guard = self.guard(guard);
        let mut named = vec![("function", function), ("code", code), ("guard", guard)];
        if let Some(location) = location {
            named.push(("location", self.irep(location, false)));
        }
        named.push(("typeid", self.out.leaf((kind as u32).to_string())));
        self.out.irep("", &[], &named)
    }

    /// A new variable for the result of a function.
    fn result_variable(&mut self, function: &str) -> Option<IrepId> {
        let from = self.from;
        let &i = self.by_name.get(&self.function)?;
        let result = from.ireps.get(self.symbols[i].ty, "return_type")?;
        let ty = self.irep(result, false);
        let mut name = format!("{function}::$result");
        while self.by_name.contains_key(&name) {
            name.push('$');
        }
        let made = name.clone();
        let name = self.out.leaf(name);
        let (base, mode) = (self.out.leaf("$result"), self.out.leaf("C"));
        let (one, nil, empty) = (self.out.leaf("1"), self.out.leaf("nil"), self.out.leaf(""));
        let named = [
            ("type", ty),
            ("name", name),
            ("base_name", base),
            ("mode", mode),
            ("module", empty),
            ("lvalue", one),
            ("file_local", one),
            ("location", nil),
            ("symvalue", nil),
        ];
        let symbol = SymbolEntry::Irep(self.out.irep("", &[], &named));
        self.made.push((made, symbol));
        Some(self.out.irep("symbol", &[], &[("type", ty), ("identifier", name)]))
    }

    fn cbmc_body(&mut self, list: &[InstructionView]) -> BodyEntry {
        let mut is_target = vec![false; list.len()];
        list.iter().flat_map(|i| &i.targets).flatten().for_each(|&t| is_target[t] = true);
        let end = list.iter().rposition(|i| i.kind == Kind::EndFunction);
        let returns = list.iter().any(|i| i.kind == Kind::Return);
        if let (Some(end), true) = (end, returns) {
            is_target[end] = true;
        }
        let nil = self.out.leaf("nil");
        let mut entries = Vec::new();
        for (i, instruction) in list.iter().enumerate() {
            let Some((kind, code)) = self.said(instruction).into_iter().next() else { continue };
            let location = match instruction.location {
                Some(location) => self.irep(location, false),
                None => nil,
            };
            let guard = self.guard(instruction.guard);
            let labels = instruction.labels.iter();
            let labels = labels.map(|&l| self.out.text(self.from.ireps.text(l))).collect();
            entries.push(InstructionEntry {
                code,
                location,
                kind: kind as u32,
                guard,
                number: if is_target[i] { i as u32 + 1 } else { u32::MAX },
                targets: instruction.targets.iter().flatten().map(|&t| t as u32 + 1).collect(),
                labels,
            });
            // ESBMC's `return` leaves the function; CBMC's sets the result and goes on.
            if let (Kind::Return, Some(end)) = (instruction.kind, end) {
                let guard = self.guard(None);
                entries.push(InstructionEntry {
                    code: nil,
                    location,
                    kind: Kind::Goto as u32,
                    guard,
                    number: u32::MAX,
                    targets: [end as u32 + 1].into(),
                    labels: [].into(),
                });
            }
        }
        BodyEntry::Instructions(entries)
    }
}

/// Returns whether a body sets its result and then does something besides leaving.
fn sets_result_early(instructions: &[InstructionView]) -> bool {
    let leaves = |from: usize| {
        let (mut at, mut steps) = (from + 1, 0);
        while let Some(next) = instructions.get(at) {
            steps += 1;
            match (next.kind, &next.targets[..]) {
                (Kind::EndFunction, _) => return true,
                (Kind::Skip | Kind::Location | Kind::Dead, _) => at += 1,
                (Kind::Goto, &[Some(target)]) if next.guard.is_none() => at = target,
                _ => return false,
            }
            // It goes round in circles and never leaves.
            if steps > instructions.len() {
                return false;
            }
        }
        true
    };
    let mut results = instructions.iter().enumerate().filter(|(_, i)| i.kind == Kind::Return);
    results.any(|(i, _)| !leaves(i))
}
