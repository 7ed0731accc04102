//! Goto binaries as CBMC's compiler leaves them, made by hand: what C leaves undefined in them is claimed as in C files.

use std::time::Duration;

use vergo_driver::{Answer, CheckRequest, Input, Job, Specification, check};
use vergo_gbf::binary::{BodyEntry, FunctionEntry, InstructionEntry, SymbolEntry, SymbolFields};
use vergo_gbf::irep::{IrepBuilder, IrepId};
use vergo_gbf::{Binary, Dialect, write};

/// Numbers of instructions.
const ASSUME: u32 = 2;
const ASSERT: u32 = 3;
const END_FUNCTION: u32 = 9;
const ASSIGN: u32 = 13;
const DECL: u32 = 14;
const CALL: u32 = 16;

/// A file that is being made.
struct File {
    b: IrepBuilder,
    symbols: Vec<SymbolEntry>,
    functions: Vec<FunctionEntry>,
    body: Vec<InstructionEntry>,
}

impl File {
    fn new() -> File {
        let b = IrepBuilder::new(Dialect::Cbmc);
        File { b, symbols: Vec::new(), functions: Vec::new(), body: Vec::new() }
    }

    fn int(&mut self, width: &str) -> IrepId {
        let width = self.b.leaf(width);
        self.b.irep("signedbv", &[], &[("width", width)])
    }

    fn double(&mut self) -> IrepId {
        let (width, fraction) = (self.b.leaf("64"), self.b.leaf("52"));
        self.b.irep("floatbv", &[], &[("width", width), ("f", fraction)])
    }

    fn pointer(&mut self, to: IrepId) -> IrepId {
        let width = self.b.leaf("64");
        self.b.irep("pointer", &[to], &[("width", width)])
    }

    fn array(&mut self, element: IrepId, size: IrepId) -> IrepId {
        self.b.irep("array", &[element], &[("size", size)])
    }

    /// An operation of a type.
    fn op(&mut self, id: &str, operands: &[IrepId], ty: IrepId) -> IrepId {
        self.b.irep(id, operands, &[("type", ty)])
    }

    fn truth(&mut self, id: &str, operands: &[IrepId]) -> IrepId {
        let bool_type = self.b.leaf("bool");
        self.op(id, operands, bool_type)
    }

    fn constant(&mut self, hexadecimal: &str, ty: IrepId) -> IrepId {
        let value = self.b.leaf(hexadecimal);
        self.b.irep("constant", &[], &[("type", ty), ("value", value)])
    }

    fn name(&mut self, name: &str, ty: IrepId) -> IrepId {
        let name = self.b.leaf(name);
        self.b.irep("symbol", &[], &[("type", ty), ("identifier", name)])
    }

    fn any(&mut self, ty: IrepId) -> IrepId {
        let statement = self.b.leaf("nondet");
        self.b.irep("side_effect", &[], &[("type", ty), ("statement", statement)])
    }

    fn symbol(&mut self, name: &str, ty: IrepId, flags: u32, value: &str) {
        let (nil, value) = (self.b.leaf("nil"), self.b.leaf(value));
        let base = name.rsplit("::").next().unwrap_or(name);
        let texts = [name, "", base, "C", ""].map(|text| self.b.text(text));
        let fields = SymbolFields { ty, value, location: nil, texts, unused: 0, flags };
        self.symbols.push(SymbolEntry::Fields(Box::new(fields)));
    }

    fn instruction(&mut self, kind: u32, code: IrepId, guard: Option<IrepId>) {
        let bool_type = self.b.leaf("bool");
        let guard = guard.unwrap_or_else(|| self.constant("true", bool_type));
        let (file, line) = (self.b.leaf("made.c"), self.b.leaf("1"));
        let location = self.b.irep("", &[], &[("file", file), ("line", line)]);
        let (targets, labels) = ([].into(), [].into());
        let number = u32::MAX;
        self.body.push(InstructionEntry { code, location, kind, guard, number, targets, labels });
    }

    fn statement(&mut self, kind: u32, statement: &str, operands: &[IrepId]) {
        let statement = self.b.leaf(statement);
        let code = self.b.irep("code", operands, &[("statement", statement)]);
        self.instruction(kind, code, None);
    }

    fn condition(&mut self, kind: u32, condition: IrepId) {
        let nil = self.b.leaf("nil");
        self.instruction(kind, nil, Some(condition));
    }

    /// A new variable of the function under work.
    fn local(&mut self, name: &str, ty: IrepId) -> IrepId {
        self.symbol(name, ty, 44, "nil");
        let variable = self.name(name, ty);
        self.statement(DECL, "decl", &[variable]);
        variable
    }

    fn assign(&mut self, place: IrepId, value: IrepId) {
        self.statement(ASSIGN, "assign", &[place, value]);
    }

    /// A call without a result.
    fn call(&mut self, function: &str, ty: IrepId, arguments: &[IrepId]) {
        let (nil, function) = (self.b.leaf("nil"), self.name(function, ty));
        let arguments = self.b.irep("arguments", arguments, &[]);
        self.statement(CALL, "function_call", &[nil, function, arguments]);
    }

    /// Gives what has been written to a function.
    fn function(&mut self, name: &str, ty: IrepId) {
        let nil = self.b.leaf("nil");
        self.instruction(END_FUNCTION, nil, None);
        self.symbol(name, ty, 32, "compiled");
        let body = BodyEntry::Instructions(std::mem::take(&mut self.body));
        self.functions.push(FunctionEntry { name: name.as_bytes().into(), body });
    }

    fn function_type(&mut self, parameters: &[IrepId], variadic: bool) -> IrepId {
        let (void, one) = (self.b.leaf("empty"), self.b.leaf("1"));
        let ellipsis = [("ellipsis", one)];
        let more = if variadic { &ellipsis[..] } else { &[] };
        let list = self.b.irep("", parameters, more);
        self.b.irep("code", &[], &[("return_type", void), ("parameters", list)])
    }

    /// The verdict about a file whose last function is `main`.
    fn verdict(mut self) -> String {
        let ty = self.function_type(&[], false);
        self.function("main", ty);
        let binary = Binary {
            dialect: Dialect::Cbmc,
            version: 6,
            ireps: self.b.finish(),
            symbols: self.symbols,
            functions: self.functions,
            trailing: [].into(),
        };
        let input = Input::Text { name: "made.gb".to_owned(), text: write(&binary) };
        let request = CheckRequest {
            specification: Specification::standard_for(std::slice::from_ref(&input)),
            timeout: Some(Duration::from_secs(30)),
            ..CheckRequest::default()
        };
        let mut job = Job::default();
        match check(&mut job, &[input], &request, &|_| {}) {
            Ok(report) => match report.answer {
                Answer::True => "true".to_owned(),
                Answer::False(property) => format!("false({property})"),
                Answer::Unknown(reason) => format!("{reason}: {:?}", job.diagnostics),
            },
            Err(_) => format!("{:?}", job.diagnostics),
        }
    }
}

/// A function that takes its variable argument as a number of a type, called with an `int`.
fn takes(kind: &str) -> String {
    let mut f = File::new();
    let int = f.int("32");
    let taken = if kind == "int" { int } else { f.double() };
    let void = f.b.leaf("empty");
    let argument = f.pointer(void);
    let list = f.pointer(argument);
    f.symbol("take::n", int, 812, "nil");
    let identifier = f.b.leaf("take::n");
    let parameter = f.b.irep("parameter", &[], &[("type", int), ("#identifier", identifier)]);
    let ap = f.local("take::1::ap", list);
    let statement = f.b.leaf("va_start");
    let start = f.b.irep("side_effect", &[], &[("type", list), ("statement", statement)]);
    f.assign(ap, start);
    let x = f.local("take::1::x", taken);
    let first = f.op("dereference", &[ap], argument);
    let want = f.pointer(taken);
    let first = f.op("typecast", &[first], want);
    let first = f.op("dereference", &[first], taken);
    f.assign(x, first);
    let long = f.int("64");
    let one = f.constant("1", long);
    let next = f.b.irep("+", &[ap, one], &[("type", list), ("#va_arg_type", taken)]);
    f.assign(ap, next);
    if kind == "int" {
        let five = f.constant("5", int);
        let same = f.truth("=", &[x, five]);
        f.condition(ASSERT, same);
    }
    let ty = f.function_type(&[parameter], true);
    f.function("take", ty);
    let (one, five) = (f.constant("1", int), f.constant("5", int));
    f.call("take", ty, &[one, five]);
    f.verdict()
}

#[test]
fn variable_arguments_have_types() {
    assert_eq!(takes("int"), "true");
    let as_double = takes("double");
    assert!(
        matches!(&as_double[..], "false(memory.bounds)" | "false(call.argument)"),
        "{as_double}"
    );
}

/// A float that is converted, of which it is assumed or not that it is small; the conversion stands behind a condition that
/// does not matter, or that makes it fit.
fn converts(assumed: bool, behind: bool) -> String {
    let mut f = File::new();
    let (int, double) = (f.int("32"), f.double());
    let d = f.local("main::1::d", double);
    let any = f.any(double);
    f.assign(d, any);
    // 100.0 and -100.0
    let (most, least) =
        (f.constant("4059000000000000", double), f.constant("C059000000000000", double));
    let small = [f.truth("<", &[d, most]), f.truth(">", &[d, least])];
    let small = f.truth("and", &small);
    if assumed {
        f.condition(ASSUME, small);
    }
    let i = f.op("typecast", &[d], int);
    let limit = f.constant("3E8", int);
    let below = f.truth("<", &[i, limit]);
    let outside = f.truth("not", &[small]);
    let holds = if behind { f.truth("or", &[outside, below]) } else { f.truth("=", &[i, i]) };
    f.condition(ASSERT, holds);
    f.verdict()
}

#[test]
fn conversions_of_floats_are_claimed() {
    assert_eq!(converts(true, false), "true");
    assert_eq!(converts(false, false), "false(arith.float-conversion)");
    assert_eq!(converts(false, true), "true");
}

/// A variable that holds any length from one to eight.
fn any_length(f: &mut File, long: IrepId) -> IrepId {
    let n = f.local("main::1::n", long);
    let any = f.any(long);
    f.assign(n, any);
    let (one, nine) = (f.constant("1", long), f.constant("9", long));
    let bounds = [f.truth("<=", &[one, n]), f.truth("<", &[n, nine])];
    let bounds = f.truth("and", &bounds);
    f.condition(ASSUME, bounds);
    n
}

/// An array of rows whose lengths are known only at run time, in the last row of which an element is written and read.
fn rows(row: &str) -> String {
    let mut f = File::new();
    let (int, long) = (f.int("32"), f.int("64"));
    let n = any_length(&mut f, long);
    let inner = f.array(int, n);
    let three = f.constant("3", long);
    let outer = f.array(inner, three);
    let a = f.local("main::1::a", outer);
    let (row, zero) = (f.constant(row, long), f.constant("0", long));
    let at = f.op("index", &[a, row], inner);
    let element = f.op("index", &[at, zero], int);
    let seven = f.constant("7", int);
    f.assign(element, seven);
    // The first element of another row is another one.
    let first = f.op("index", &[a, zero], inner);
    let first = f.op("index", &[first, zero], int);
    let eight = f.constant("8", int);
    f.assign(first, eight);
    let same = f.truth("=", &[element, seven]);
    f.condition(ASSERT, same);
    f.verdict()
}

#[test]
fn rows_of_variable_length_are_apart() {
    assert_eq!(rows("2"), "true");
    assert_eq!(rows("3"), "false(memory.bounds)");
}

/// A structure with a member whose length is known only at run time, and one behind it.
fn member(index: &str) -> String {
    let mut f = File::new();
    let (int, long) = (f.int("32"), f.int("64"));
    let n = any_length(&mut f, long);
    let inner = f.array(int, n);
    let component = |f: &mut File, name: &str, ty| {
        let name = f.b.leaf(name);
        f.b.irep("", &[], &[("name", name), ("type", ty)])
    };
    let components = [component(&mut f, "cells", inner), component(&mut f, "last", int)];
    let components = f.b.irep("", &components, &[]);
    let tag = f.b.leaf("S");
    let structure = f.b.irep("struct", &[], &[("tag", tag), ("components", components)]);
    f.symbol("tag-S", structure, 1 << 15, "nil");
    let identifier = f.b.leaf("tag-S");
    let ty = f.b.irep("struct_tag", &[], &[("identifier", identifier)]);
    let s = f.local("main::1::s", ty);
    let part = |f: &mut File, name: &str, ty| {
        let name = f.b.leaf(name);
        f.b.irep("member", &[s], &[("type", ty), ("component_name", name)])
    };
    let (cells, last) = (part(&mut f, "cells", inner), part(&mut f, "last", int));
    let (seven, eight) = (f.constant("7", int), f.constant("8", int));
    f.assign(last, seven);
    let one = f.constant("1", long);
    let index = if index == "n" { n } else { f.op("-", &[n, one], long) };
    let cell = f.op("index", &[cells, index], int);
    f.assign(cell, eight);
    let same = f.truth("=", &[last, seven]);
    f.condition(ASSERT, same);
    f.verdict()
}

#[test]
fn members_behind_one_of_variable_length_are_apart() {
    assert_eq!(member("n - 1"), "true");
    // Behind the array comes the next member, inside of the object.
    assert_eq!(member("n"), "false(user.assert)");
}
