//! Goto binaries as CBMC's compiler leaves them, made by hand: what they mean, and that what C leaves undefined in them is claimed
//! as in C files. What ESBMC's dialect has words for means the same there.

use std::time::Duration;

use vergo_driver::{Answer, CheckRequest, Input, Job, Specification, check};
use vergo_gbf::binary::{BodyEntry, FunctionEntry, InstructionEntry, SymbolEntry, SymbolFields};
use vergo_gbf::irep::{IrepBuilder, IrepId};
use vergo_gbf::transcode::transcode;
use vergo_gbf::{Binary, Dialect, write};

/// Numbers of instructions.
const GOTO: u32 = 1;
const ASSUME: u32 = 2;
const ASSERT: u32 = 3;
const END_FUNCTION: u32 = 9;
const RETURN: u32 = 12;
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

    /// A jump over the next instructions, of which there are so many.
    fn jump_over(&mut self, n: usize, condition: Option<IrepId>) {
        let nil = self.b.leaf("nil");
        self.instruction(GOTO, nil, condition);
        let at = self.body.len();
        self.body[at - 1].targets = [(at + n) as u32].into();
    }

    /// Numbers the instructions that are jumped to.
    fn number_targets(&mut self) {
        let targets: Vec<u32> = self.body.iter().flat_map(|i| i.targets.to_vec()).collect();
        for target in targets {
            self.body[target as usize].number = target;
        }
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
        self.number_targets();
        self.symbol(name, ty, 32, "compiled");
        let body = BodyEntry::Instructions(std::mem::take(&mut self.body));
        self.functions.push(FunctionEntry { name: name.as_bytes().into(), body });
    }

    fn function_type(&mut self, parameters: &[IrepId], variadic: bool) -> IrepId {
        let void = self.b.leaf("empty");
        self.function_type_to(void, parameters, variadic)
    }

    fn function_type_to(
        &mut self,
        result: IrepId,
        parameters: &[IrepId],
        variadic: bool,
    ) -> IrepId {
        let one = self.b.leaf("1");
        let ellipsis = [("ellipsis", one)];
        let more = if variadic { &ellipsis[..] } else { &[] };
        let list = self.b.irep("", parameters, more);
        self.b.irep("code", &[], &[("return_type", result), ("parameters", list)])
    }

    /// The verdict about a file whose last function is `main`. It is the same in ESBMC's dialect, if that has words for the file.
    fn verdict(self) -> String {
        let binary = self.binary();
        let verdict = verdict(&binary);
        if let Ok((other, losses)) = transcode(&binary, Dialect::Esbmc, false) {
            assert!(losses.is_empty());
            assert_eq!(self::verdict(&other), verdict);
            let (back, _) = transcode(&other, Dialect::Cbmc, false).unwrap();
            assert_eq!(self::verdict(&back), verdict);
        }
        verdict
    }

    fn binary(mut self) -> Binary {
        let ty = self.function_type(&[], false);
        self.function("main", ty);
        Binary {
            dialect: Dialect::Cbmc,
            version: 6,
            ireps: self.b.finish(),
            symbols: self.symbols,
            functions: self.functions,
            trailing: [].into(),
        }
    }
}

fn verdict(binary: &Binary) -> String {
    let input = Input::Text { name: "made.gb".to_owned(), text: write(binary) };
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
            Answer::Unknown(reason) => format!("unknown: {reason}"),
        },
        Err(_) => format!("{:?}", job.diagnostics),
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

/// Two static variables, the second of which gets the first one's value before or after that has one.
fn first_values(copied_first: bool) -> String {
    let mut f = File::new();
    let int = f.int("32");
    let (x, y) = (f.name("x", int), f.name("y", int));
    f.symbol("x", int, 48, "nil");
    f.symbol("y", int, 48, "nil");
    let five = f.constant("5", int);
    match copied_first {
        true => {
            f.assign(y, x);
            f.assign(x, five);
        }
        false => {
            f.assign(x, five);
            f.assign(y, x);
        }
    }
    let ty = f.function_type(&[], false);
    f.function("__CPROVER_initialize", ty);
    let same = f.truth("=", &[y, five]);
    f.condition(ASSERT, same);
    f.verdict()
}

#[test]
fn first_values_are_given_in_order() {
    assert_eq!(first_values(false), "true");
    assert_eq!(first_values(true), "false(user.assert)");
}

/// A static variable whose second first value is jumped over, or not.
fn skipped_value(skipped: bool) -> String {
    let mut f = File::new();
    let int = f.int("32");
    let x = f.name("x", int);
    f.symbol("x", int, 48, "nil");
    let (one, five) = (f.constant("1", int), f.constant("5", int));
    f.assign(x, one);
    if skipped {
        f.jump_over(1, None);
    }
    f.assign(x, five);
    let ty = f.function_type(&[], false);
    f.function("__CPROVER_initialize", ty);
    let same = f.truth("=", &[x, one]);
    f.condition(ASSERT, same);
    f.verdict()
}

#[test]
fn first_values_may_be_jumped_over() {
    assert_eq!(skipped_value(true), "true");
    assert_eq!(skipped_value(false), "false(user.assert)");
}

/// A claim about a float that may be NaN, or a zero of either sign.
fn of_float(claim: impl Fn(&mut File, IrepId, IrepId) -> IrepId) -> String {
    let mut f = File::new();
    let double = f.double();
    let (x, y) = (f.local("main::1::x", double), f.local("main::1::y", double));
    for place in [x, y] {
        let any = f.any(double);
        f.assign(place, any);
    }
    let holds = claim(&mut f, x, y);
    f.condition(ASSERT, holds);
    f.verdict()
}

#[test]
fn floats_are_equal_as_numbers_or_in_their_bits() {
    // In its bits, everything is itself; as a number, NaN is not.
    assert_eq!(of_float(|f, x, _| f.truth("=", &[x, x])), "true");
    assert_eq!(of_float(|f, x, _| f.truth("ieee_float_equal", &[x, x])), "false(user.assert)");
    let nan_differs = |f: &mut File, x, _| {
        let (nan, differs) = (f.truth("isnan", &[x]), f.truth("ieee_float_notequal", &[x, x]));
        f.truth("=", &[nan, differs])
    };
    assert_eq!(of_float(nan_differs), "true");
    // The zeros are one number, and two patterns.
    let alike = |f: &mut File, x, y| {
        let (numbers, bits) = (f.truth("ieee_float_equal", &[x, y]), f.truth("=", &[x, y]));
        f.truth("=>", &[numbers, bits])
    };
    assert_eq!(of_float(alike), "false(user.assert)");
    let signs = |f: &mut File, x, y| {
        let (bits, signs) = (f.truth("=", &[x, y]), [f.truth("sign", &[x]), f.truth("sign", &[y])]);
        let (nan, signs) = (f.truth("isnan", &[x]), f.truth("=", &signs));
        let either = f.truth("or", &[nan, signs]);
        f.truth("=>", &[bits, either])
    };
    assert_eq!(of_float(signs), "true");
}

/// A sum that is rounded in a way that a constant says.
fn rounded(mode: &str) -> String {
    of_float(|f, x, _| {
        let (int, double) = (f.int("32"), f.double());
        let (mode, zero) = (f.constant(mode, int), f.constant("0", double));
        let sum = f.op("floatbv_plus", &[x, zero, mode], double);
        let (nan, same) = (f.truth("isnan", &[x]), f.truth("ieee_float_equal", &[sum, x]));
        f.truth("or", &[nan, same])
    })
}

#[test]
fn other_rounding_modes_are_not_taken_for_the_usual_one() {
    assert_eq!(rounded("0"), "true");
    let up = rounded("2");
    assert!(up.contains("arithmetic that does not round to nearest"), "{up}");
}

/// A function that sets its result and then changes a variable.
fn early_result(wanted: &str) -> String {
    let mut f = File::new();
    let int = f.int("32");
    let (g, one) = (f.name("g", int), f.constant("1", int));
    let seven = f.constant("7", int);
    f.symbol("g", int, 48, "nil");
    f.statement(RETURN, "return", &[one]);
    f.assign(g, seven);
    let ty = f.function_type_to(int, &[], false);
    f.function("sets", ty);
    let r = f.local("main::1::r", int);
    let callee = f.name("sets", ty);
    let arguments = f.b.irep("arguments", &[], &[]);
    f.statement(CALL, "function_call", &[r, callee, arguments]);
    let wanted = f.constant(wanted, int);
    let both = [f.truth("=", &[g, wanted]), f.truth("=", &[r, one])];
    let both = f.truth("and", &both);
    f.condition(ASSERT, both);
    f.verdict()
}

#[test]
fn a_result_may_be_set_before_the_end() {
    assert_eq!(early_result("7"), "true");
    assert_eq!(early_result("0"), "false(user.assert)");
}

/// A function that gives away memory of its stack or of the heap.
fn memory_of(function: &str) -> String {
    let mut f = File::new();
    let (int, void) = (f.int("32"), f.b.leaf("empty"));
    let (to_int, to_void) = (f.pointer(int), f.pointer(void));
    let width = f.b.leaf("64");
    let word = f.b.irep("unsignedbv", &[], &[("width", width)]);
    let parameter = f.b.irep("parameter", &[], &[("type", word)]);
    let allocates = f.function_type_to(to_void, &[parameter], false);
    f.symbol(function, allocates, 34, "nil");
    let p = f.local("gives::1::p", to_void);
    let (callee, four) = (f.name(function, allocates), f.constant("4", word));
    let arguments = f.b.irep("arguments", &[four], &[]);
    f.statement(CALL, "function_call", &[p, callee, arguments]);
    f.statement(RETURN, "return", &[p]);
    let ty = f.function_type_to(to_void, &[], false);
    f.function("gives", ty);
    let q = f.local("main::1::q", to_void);
    let callee = f.name("gives", ty);
    let arguments = f.b.irep("arguments", &[], &[]);
    f.statement(CALL, "function_call", &[q, callee, arguments]);
    let place = f.op("typecast", &[q], to_int);
    let place = f.op("dereference", &[place], int);
    let seven = f.constant("7", int);
    f.assign(place, seven);
    let same = f.truth("=", &[place, seven]);
    f.condition(ASSERT, same);
    f.verdict()
}

#[test]
fn memory_of_the_stack_dies_with_its_function() {
    assert_eq!(memory_of("malloc"), "true");
    assert_eq!(memory_of("__builtin_alloca"), "false(memory.lifetime)");
}

/// Operations that ESBMC says in other words have the same value there.
#[test]
fn bits_are_counted_and_moved_alike() {
    let holds = |claim: &dyn Fn(&mut File, IrepId, IrepId) -> IrepId, kind: &str| {
        let mut f = File::new();
        let width = f.b.leaf("16");
        let ty = f.b.irep(kind, &[], &[("width", width)]);
        let x = f.local("main::1::x", ty);
        let any = f.any(ty);
        f.assign(x, any);
        let claim = claim(&mut f, x, ty);
        f.condition(ASSERT, claim);
        f.verdict()
    };
    let rotated = |op: &'static str, back: &'static str| {
        move |f: &mut File, x, ty| {
            let three = f.constant("3", ty);
            let turned = f.op(op, &[x, three], ty);
            let again = f.op(back, &[turned, three], ty);
            f.truth("=", &[again, x])
        }
    };
    let reversed = |f: &mut File, x, ty| {
        let once = f.op("bitreverse", &[x], ty);
        let twice = f.op("bitreverse", &[once], ty);
        f.truth("=", &[twice, x])
    };
    // The first zeros of a value are the last ones of its mirror image.
    let mirrored = |f: &mut File, x, ty| {
        let int = f.int("32");
        let mirror = f.op("bitreverse", &[x], ty);
        let (first, last) =
            (f.op("count_leading_zeros", &[x], int), f.op("count_trailing_zeros", &[mirror], int));
        f.truth("=", &[first, last])
    };
    let found = |f: &mut File, x, ty| {
        let int = f.int("32");
        let (zero, one) = (f.constant("0", ty), f.constant("1", int));
        let (found, zeros) =
            (f.op("find_first_set", &[x], int), f.op("count_trailing_zeros", &[x], int));
        let next = f.op("+", &[zeros, one], int);
        let (none, same) = (f.truth("=", &[x, zero]), f.truth("=", &[found, next]));
        f.truth("or", &[none, same])
    };
    for kind in ["signedbv", "unsignedbv"] {
        assert_eq!(holds(&rotated("rol", "ror"), kind), "true");
        assert_eq!(holds(&rotated("rol", "rol"), kind), "false(user.assert)");
        assert_eq!(holds(&reversed, kind), "true");
        assert_eq!(holds(&mirrored, kind), "true");
        assert_eq!(holds(&found, kind), "true");
    }
}

/// A construct for which ESBMC has no words stops a strict translation with its name and place, and is listed by a
/// lenient one.
#[test]
fn words_that_a_tool_lacks_are_named() {
    let with = |id: &'static str| {
        let mut f = File::new();
        let (int, bool_type) = (f.int("32"), f.b.leaf("bool"));
        let x = f.local("main::1::x", int);
        let to_int = f.pointer(int);
        let pointer = f.op("address_of", &[x], to_int);
        let claim = f.op(id, &[pointer], bool_type);
        f.condition(ASSERT, claim);
        f.binary()
    };
    for id in ["live_object", "is_dynamic_object", "frobnicated"] {
        let binary = with(id);
        let loss = transcode(&binary, Dialect::Esbmc, false).unwrap_err();
        assert_eq!(loss.to_string(), format!("the expression `{id}` in `main` at made.c:1"));
        let (other, losses) = transcode(&binary, Dialect::Esbmc, true).unwrap();
        assert_eq!(losses, [loss]);
        // Any truth value stands in its place.
        assert_eq!(verdict(&other), "false(user.assert)");
    }
    assert!(transcode(&with("is_invalid_pointer"), Dialect::Esbmc, false).is_ok());
}

/// An instruction of some type, which can be reached or not.
fn instruction_of_type(number: u32, reached: bool) -> String {
    let mut f = File::new();
    if !reached {
        f.jump_over(1, None);
    }
    let nil = f.b.leaf("nil");
    f.instruction(number, nil, None);
    f.verdict()
}

#[test]
fn exceptions_and_unknown_instructions_are_named() {
    let names = [
        (17, "the instruction THROW"),
        (18, "the instruction CATCH"),
        (19, "the instruction INCOMPLETE_GOTO"),
        (77, "`main` has an instruction of the unknown type 77"),
    ];
    for (number, name) in names {
        let said = instruction_of_type(number, true);
        assert!(said.starts_with("unknown: ") && said.contains(name), "{said}");
    }
    // What is not reached does not matter.
    assert_eq!(instruction_of_type(17, false), "true");
}

#[test]
fn other_machines_are_refused() {
    let of = |pointers: &str, endianness: &str| {
        let mut f = File::new();
        let int = f.int("32");
        for (name, value) in [("pointer_width", pointers), ("endianness", endianness)] {
            let value = f.constant(value, int);
            f.symbol(&format!("__CPROVER_architecture_{name}"), int, 48, "nil");
            if let Some(SymbolEntry::Fields(fields)) = f.symbols.last_mut() {
                fields.value = value;
            }
        }
        verdict(&f.binary())
    };
    assert_eq!(of("40", "1"), "true");
    assert!(of("40", "2").contains("the program is for a big-endian machine"));
    assert!(of("10", "1").contains("the program is for a machine with 16-bit pointers"));
}
