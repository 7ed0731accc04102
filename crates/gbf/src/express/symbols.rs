//! The symbol table: names, the machine, variables, functions, and how the program starts.

use super::instructions::Code;
use super::{Expressed, Expresser, first_values};
use crate::binary::{BodyEntry, FunctionEntry, SymbolEntry, SymbolFields};
use crate::irep::IrepId;
use crate::view::{Kind, flag};
use rustc_hash::FxHashSet;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{FunctionId, SymbolId, SymbolKind};
use vergo_goto::types::{Type, TypeId};
use vergo_source::Span;

/// The most arguments that a program is started with.
const MOST_ARGUMENTS: u64 = 65535;

/// The names of a symbol.
pub(super) struct Names<'a> {
    pub(super) name: &'a str,
    pub(super) base: &'a str,
    pub(super) flags: u32,
}

impl Expresser<'_> {
    /// Gives every variable a name that is unique among variables and functions. Those that the user did not write are
    /// named as CBMC names its own.
    pub(super) fn name_variables(&mut self) {
        let p = self.p;
        let mut taken: FxHashSet<String> = p.functions.values().map(|f| f.name.clone()).collect();
        for (id, symbol) in &p.symbols {
            let function = match symbol.kind {
                SymbolKind::Local(f) | SymbolKind::Param(f) => {
                    self.variables.entry(f).or_default().push(id);
                    Some(&p.functions[f].name)
                }
                SymbolKind::Static { .. } => None,
            };
            let last = symbol.name.rsplit("::").next().unwrap_or_default();
            let plain = match function {
                Some(function) if symbol.display.is_empty() => {
                    format!("{function}::$tmp::{}", last.trim_start_matches('$'))
                }
                Some(function) if !symbol.name.contains("::") => {
                    format!("{function}::{}", symbol.name)
                }
                _ => symbol.name.clone(),
            };
            let mut name = plain.clone();
            let mut n = 1;
            while !taken.insert(name.clone()) {
                name = format!("{plain}${n}");
                n += 1;
            }
            self.names.insert(id, name);
        }
    }

    pub(super) fn symbol(
        &mut self,
        names: &Names<'_>,
        ty: IrepId,
        value: IrepId,
        location: IrepId,
    ) {
        let module = self.module.clone();
        let texts = [names.name, &module, names.base, "C", names.name];
        let texts = texts.map(|text| self.b.text(text));
        let flags = names.flags;
        let fields = SymbolFields { ty, value, location, texts, unused: 0, flags };
        self.symbols.push(SymbolEntry::Fields(Box::new(fields)));
    }

    /// The symbols that say what machine the program is for.
    pub(super) fn architecture(&mut self) {
        let machine = self.p.machine;
        let word = i64::from(machine.pointer_width);
        let (integer, int) = (self.b.leaf("integer"), self.int_type(true, 32));
        let nil = self.b.leaf("nil");
        for (name, value) in [
            ("int_width", 32),
            ("word_size", 32),
            ("long_int_width", word),
            ("bool_width", 8),
            ("char_width", 8),
            ("short_int_width", 16),
            ("long_long_int_width", 64),
            ("pointer_width", word),
            ("single_width", 32),
            ("double_width", 64),
            ("long_double_width", if word == 64 { 128 } else { 96 }),
            ("wchar_t_width", 32),
            ("char_is_unsigned", 0),
            ("wchar_t_is_unsigned", 0),
            ("alignment", 1),
            ("memory_operand_size", 4),
            ("endianness", 1),
            ("NULL_is_zero", 1),
        ] {
            let value = self.constant(int, &format!("{value:X}"));
            let value = self.typed("typecast", &[value], integer);
            let name = format!("__CPROVER_architecture_{name}");
            let flags = flag::LVALUE | flag::STATIC;
            self.symbol(&Names { name: &name, base: &name, flags }, integer, value, nil);
        }
        let arch = if word == 64 { "x86_64" } else { "i386" };
        for (name, text) in [("arch", arch), ("os", "linux")] {
            let name = format!("__CPROVER_architecture_{name}");
            let flags = flag::LVALUE | flag::STATIC;
            let char_type = self.int_type(true, 8);
            let pointer = self.pointer_to(char_type);
            let array = self.array_type(char_type, text.len() as u64 + 1);
            let value = self.b.leaf(text);
            let named = [("type", array), ("value", value)];
            let string = self.b.irep("string_constant", &[], &named);
            let zero = self.offset(0);
            let first = self.typed("index", &[string, zero], char_type);
            let value = self.typed("address_of", &[first], pointer);
            self.symbol(&Names { name: &name, base: &name, flags }, pointer, value, nil);
        }
    }

    /// A variable of CBMC's library, and its place.
    pub(super) fn book(&mut self, name: &str, ty: IrepId, value: IrepId) -> IrepId {
        let nil = self.b.leaf("nil");
        let flags = flag::LVALUE | flag::STATIC;
        self.symbol(&Names { name, base: name, flags }, ty, value, nil);
        self.named(name, ty)
    }

    /// The place of a variable by its name.
    pub(super) fn named(&mut self, name: &str, ty: IrepId) -> IrepId {
        let name = self.b.leaf(name);
        self.b.irep("symbol", &[], &[("type", ty), ("identifier", name)])
    }

    /// The type of a variable: `const` for one that may not be written, with its alignment if that is another than its
    /// type's.
    pub(super) fn variable_type(&mut self, symbol: SymbolId) -> Expressed<IrepId> {
        let info = &self.p.symbols[symbol];
        let ty = self.ty(info.ty)?;
        let natural = self.p.types.align_of(info.ty, &self.p.machine);
        let aligned = info.align > natural;
        if info.writable && !aligned {
            return Ok(ty);
        }
        let mut more = Vec::new();
        if !info.writable {
            more.push(("#constant", self.b.leaf("1")));
        }
        if aligned {
            let int = self.int_type(true, 32);
            more.push(("#alignment", self.constant(int, &format!("{:X}", info.align))));
        }
        Ok(self.b.extended(ty, &more))
    }

    /// The symbol of a local variable or parameter.
    pub(super) fn local_symbol(&mut self, symbol: SymbolId, function: &str) -> Expressed<()> {
        let info = &self.p.symbols[symbol];
        let ty = self.variable_type(symbol)?;
        let name = self.names[&symbol].clone();
        let local = flag::LVALUE | flag::THREAD_LOCAL | flag::FILE_LOCAL;
        let flags = match info.kind {
            SymbolKind::Param(_) => local | flag::STATE | flag::PARAMETER,
            _ => local,
        };
        let base = match info.display.is_empty() {
            true => name.rsplit("::").next().unwrap_or_default(),
            false => &info.display,
        };
        let nil = self.b.leaf("nil");
        let location = self.location(info.span, function);
        self.symbol(&Names { name: &name, base, flags }, ty, nil, location);
        Ok(())
    }

    /// The symbol of a static variable.
    pub(super) fn static_symbol(
        &mut self,
        symbol: SymbolId,
        value: IrepId,
        is_extern: bool,
    ) -> Expressed<()> {
        let info = &self.p.symbols[symbol];
        let thread_local = matches!(info.kind, SymbolKind::Static { thread_local: true, .. });
        let ty = self.variable_type(symbol)?;
        let name = self.names[&symbol].clone();
        let mut flags = flag::LVALUE | flag::STATIC;
        flags |= if is_extern { flag::EXTERN } else { 0 };
        flags |= if thread_local { flag::THREAD_LOCAL } else { 0 };
        let base = if info.display.is_empty() { &name } else { &info.display };
        let location = self.location(info.span, "");
        self.symbol(&Names { name: &name, base, flags }, ty, value, location);
        Ok(())
    }

    pub(super) fn static_place(&mut self, symbol: SymbolId) -> Expressed<IrepId> {
        let ty = self.variable_type(symbol)?;
        let name = self.names[&symbol].clone();
        Ok(self.named(&name, ty))
    }

    /// The static variables that the program uses, with those that their first values point to.
    pub(super) fn used_statics(&self, written: &[FunctionId]) -> Vec<SymbolId> {
        let p = self.p;
        let mut seen: FxHashSet<ExprId> = FxHashSet::default();
        let mut used: FxHashSet<SymbolId> = FxHashSet::default();
        let mut work: Vec<SymbolId> = Vec::new();
        let mut look = |expr: ExprId, work: &mut Vec<SymbolId>| {
            p.for_each_subexpr(expr, |e| {
                if seen.insert(e)
                    && let &ExprKind::Symbol(symbol) = p.exprs.kind(e)
                    && matches!(p.symbols[symbol].kind, SymbolKind::Static { .. })
                    && used.insert(symbol)
                {
                    work.push(symbol);
                }
            });
        };
        for &function in written {
            for instr in p.functions[function].body.iter().flatten() {
                instr.kind.for_each_expr(|e, _| look(e, &mut work));
            }
        }
        let mut list = Vec::new();
        while let Some(symbol) = work.pop() {
            list.push(symbol);
            for value in first_values(p, symbol) {
                look(value, &mut work);
            }
        }
        list.retain(|&symbol| !self.is_string(symbol));
        list.sort();
        list
    }

    /// The type of a function in the file.
    fn function_type(&mut self, id: FunctionId) -> Expressed<IrepId> {
        let p = self.p;
        let function = &p.functions[id];
        let Type::Func(ret, types) = p.types.get(function.ty) else {
            return Err("a function of another type".to_owned());
        };
        let variadic = self.is_variadic(id);
        let types = if variadic { &types[..types.len() - 1] } else { &types[..] };
        let names: Vec<String> = (0..types.len())
            .map(|i| function.params.get(i).map_or(String::new(), |s| self.names[s].clone()))
            .collect();
        let params: Vec<(TypeId, &str)> =
            types.iter().zip(&names).map(|(&ty, name)| (ty, &name[..])).collect();
        if variadic && params.is_empty() {
            return Err("variable arguments without a parameter before them".to_owned());
        }
        self.code_type(*ret, &params, variadic)
    }

    /// The name of a function as an expression.
    pub(super) fn function_symbol(&mut self, id: FunctionId) -> Expressed<IrepId> {
        let ty = self.function_type(id)?;
        let name = self.p.functions[id].name.clone();
        Ok(self.named(&name, ty))
    }

    /// The symbol of a function.
    pub(super) fn declare(&mut self, id: FunctionId) -> Expressed<()> {
        let function = &self.p.functions[id];
        let ty = self.function_type(id)?;
        let declared = self.is_declared(id);
        let value = self.b.leaf(if declared { "nil" } else { "compiled" });
        let flags = flag::LVALUE | if declared { flag::EXTERN } else { 0 };
        let location = self.location(function.span, "");
        let names = Names { name: &function.name, base: &function.display, flags };
        self.symbol(&names, ty, value, location);
        Ok(())
    }

    /// A function that every C library has, declared if the program does not: its name as an expression.
    pub(super) fn library_function(
        &mut self,
        name: &'static str,
        ret: IrepId,
        params: &[IrepId],
    ) -> Expressed<IrepId> {
        if let Some(id) = self.p.function_named(name) {
            return match self.is_declared(id) {
                true => self.function_symbol(id),
                false => Err(format!("what `{name}` does, in a program with its own `{name}`")),
            };
        }
        let empty = self.b.leaf("");
        let mut list = Vec::new();
        for &ty in params {
            let named = [("type", ty), ("#identifier", empty), ("#base_name", empty)];
            list.push(self.b.irep("parameter", &[], &named));
        }
        let list = self.b.irep("", &list, &[]);
        let ty = self.b.irep("code", &[], &[("return_type", ret), ("parameters", list)]);
        if self.externs.insert(name) {
            let nil = self.b.leaf("nil");
            let flags = flag::LVALUE | flag::EXTERN;
            self.symbol(&Names { name, base: name, flags }, ty, nil, nil);
        }
        Ok(self.named(name, ty))
    }

    /// Puts a function of ours without parameters and result into the file.
    pub(super) fn own_function(&mut self, code: Code) {
        let nil = self.b.leaf("nil");
        let ty = self.procedure();
        let value = self.b.leaf("compiled");
        let flags = flag::LVALUE;
        let name = code.name.clone();
        self.symbol(&Names { name: &name, base: &name, flags }, ty, value, nil);
        self.functions.push(FunctionEntry {
            name: name.into_bytes().into(),
            body: BodyEntry::Instructions(code.instructions),
        });
    }

    fn procedure(&mut self) -> IrepId {
        let (ret, params) = (self.b.leaf("empty"), self.b.leaf(""));
        self.b.irep("code", &[], &[("return_type", ret), ("parameters", params)])
    }

    /// The function that everything begins with: first values, then `function` with any arguments. Those of `main` are a
    /// count and a vector that ends with the null pointer.
    pub(super) fn start(&mut self, function: FunctionId) {
        let mut code = Code::new("__CPROVER__start");
        let result = self.start_code(function, &mut code);
        if let Err(what) = result {
            self.fail(what, self.p.functions[function].span);
        }
        self.end_function(&mut code, Span::DUMMY);
        self.own_function(code);
    }

    fn start_code(&mut self, function: FunctionId, code: &mut Code) -> Expressed<()> {
        let p = self.p;
        self.hide(code);
        let nil = self.b.leaf("nil");
        let procedure = self.procedure();
        let initialize = self.named("__CPROVER_initialize", procedure);
        self.call_instruction(code, nil, nil, initialize, &[]);
        let Type::Func(ret, params) = p.types.get(p.functions[function].ty).clone() else {
            return Err("a start that is not a function".to_owned());
        };
        let mut args = Vec::new();
        for (i, &ty) in params.iter().enumerate() {
            let ty = self.ty(ty)?;
            let any = self.nondet(ty);
            let place = self.book(&format!("argument'{i}"), ty, nil);
            self.assignment(code, nil, place, any);
            args.push(place);
        }
        let is_main = p.functions[function].name == "main" && params.len() >= 2;
        if let (true, &[argc, argv, ..]) = (is_main, &params[..]) {
            self.any_arguments(code, [args[0], args[1]], [argc, argv])?;
        }
        let dest = match p.types.get(ret) {
            Type::Void => nil,
            _ => {
                let ty = self.ty(ret)?;
                self.book("return'", ty, nil)
            }
        };
        let callee = self.function_symbol(function)?;
        let location = self.location(p.functions[function].span, "");
        self.call_instruction(code, location, dest, callee, &args);
        Ok(())
    }

    fn any_arguments(
        &mut self,
        code: &mut Code,
        places: [IrepId; 2],
        types: [TypeId; 2],
    ) -> Expressed<()> {
        let [argc, argv] = places;
        let Some(element) = self.p.pointee(types[1]) else { return Ok(()) };
        let (count, pointer) = (self.ty(types[0])?, self.ty(types[1])?);
        let nil = self.b.leaf("nil");
        let bool_type = self.b.leaf("bool");
        let (one, most) =
            (self.constant(count, "1"), self.constant(count, &format!("{MOST_ARGUMENTS:X}")));
        let bounds = [("<=", one, argc), ("<=", argc, most)];
        for (id, x, y) in bounds {
            let condition = self.typed(id, &[x, y], bool_type);
            self.push(code, Kind::Assume, nil, nil, Some(condition));
        }
        let element = self.ty(element)?;
        let array = self.array_type(element, MOST_ARGUMENTS + 1);
        let vector = self.book("argv'", array, nil);
        let any = self.nondet(array);
        self.assignment(code, nil, vector, any);
        let last = self.typed("index", &[vector, argc], element);
        let null = self.constant(element, "NULL");
        self.assignment(code, nil, last, null);
        let zero = self.offset(0);
        let first = self.typed("index", &[vector, zero], element);
        let address = self.typed("address_of", &[first], pointer);
        self.assignment(code, nil, argv, address);
        Ok(())
    }
}
