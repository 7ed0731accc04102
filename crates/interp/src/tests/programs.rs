//! Whole programs: random ones in different modes, memory, calls, limits, faults.

use super::{parse, run, run_with, status, violated};
use crate::{Limit, Limits, Machine, Options, Outcome, SeedInputs, What};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;
use vergo_goto::sample;

/// Registers or memory, jumps or not, watched or not: all the same.
#[test]
fn random_programs_behave_the_same_in_every_mode() {
    let mut exits = 0;
    for seed in 0..150 {
        let program = sample::program(seed);
        let run = |change: &dyn Fn(&mut Options<'_>), max_ops: Option<usize>| {
            let buffers = crate::Buffers::default();
            let mut options = Options {
                inputs: Box::new(SeedInputs::new(seed)),
                world: Box::new(buffers.clone()),
                ..Options::default()
            };
            change(&mut options);
            let mut machine = Machine::new(&program, options);
            if let Some(max_ops) = max_ops {
                machine.environment.max_ops = max_ops;
            }
            (machine.run(), buffers.output())
        };
        let expected = run(&|_| {}, None);
        match &expected.0 {
            Outcome::Exited(_) => exits += 1,
            Outcome::Violation(v) if !v.fault => {}
            other => panic!("seed {seed}: {other:?}\n{}", vergo_goto::text::print(&program)),
        }
        assert_eq!(
            run(&|o| o.check_uninitialized = true, None),
            expected,
            "seed {seed}, all in memory"
        );
        assert_eq!(run(&|_| {}, Some(0)), expected, "seed {seed}, without jumps");
        assert_eq!(
            run(&|o| o.trace = Some(Box::new(|_: &crate::Event<'_>| {})), None),
            expected,
            "seed {seed}, watched"
        );
        let text = vergo_goto::text::print(&program);
        let again = vergo_goto::text::parse(&text).unwrap();
        let buffers = crate::Buffers::default();
        let options = Options {
            inputs: Box::new(SeedInputs::new(seed)),
            world: Box::new(buffers.clone()),
            ..Options::default()
        };
        assert_eq!(
            (Machine::new(&again, options).run(), buffers.output()),
            expected,
            "seed {seed}, parsed again"
        );
    }
    assert!(exits > 50, "{exits} of the programs exit");
}

#[test]
fn recursion_works_and_is_bounded() {
    let text = "entry main;
        function sum: fn(i64) -> i64 labels 1 {
            param n: i64 align 8; local r: i64 align 8;
            if n == 0i64 goto L0;
            r := call sum(n - 1i64);
            return r + n;
          L0: return 0i64;
        }
        function main: fn() -> void { local s: i64 align 8; s := call sum(DEPTHi64); end (i32)(s % 251i64); }";
    assert_eq!(run(&text.replace("DEPTH", "1000")), Outcome::Exited((500_500 % 251) as u8));
    let n: u64 = 150_000;
    assert_eq!(
        run(&text.replace("DEPTH", "150000")),
        Outcome::Exited((n * (n + 1) / 2 % 251) as u8)
    );
    let outcome = run(&text.replace("DEPTH", "300000"));
    assert!(
        matches!(outcome, Outcome::LimitReached { limit: Limit::CallDepth, .. }),
        "{outcome:?}"
    );
}

#[test]
fn limits_end_an_execution() {
    let endless = parse("entry main; function main: fn() -> void labels 1 { L0: goto L0; }");
    let (outcome, _) = run_with(&endless, "", |o| o.limits.steps = 10_000);
    assert!(matches!(outcome, Outcome::LimitReached { limit: Limit::Steps, .. }));
    let (outcome, _) = run_with(&endless, "", |o| o.limits.time = Some(Duration::from_millis(20)));
    assert!(matches!(outcome, Outcome::LimitReached { limit: Limit::Time, .. }));
    let eater = parse(
        "entry main; function main: fn() -> void labels 1 { local p: u8* align 8;
         L0: p := alloc(1000000u64) align 16 heap; goto L0; }",
    );
    let (outcome, _) = run_with(&eater, "", |o| o.limits.memory = 10 << 20);
    assert!(matches!(outcome, Outcome::LimitReached { limit: Limit::Memory, .. }), "{outcome:?}");
    let deep = parse(
        "entry main; function main: fn() -> void { call f(); end 0i32; }
         function f: fn() -> void { local a: u8[100000] align 16; decl a; a[0u32] := 1u8; call f(); return; }",
    );
    let (outcome, _) =
        run_with(&deep, "", |o| o.limits = Limits { stack: 1 << 20, ..Limits::default() });
    assert!(matches!(outcome, Outcome::LimitReached { limit: Limit::Stack, .. }), "{outcome:?}");
}

#[test]
fn huge_objects_are_backed_where_they_are_used() {
    let outcome = status(
        "local p: u8* align 8;",
        "p := alloc(1000000000000u64) align 16 heap;
         *(p + 999999999999i64) := 7u8; *(p + 5i32) := 8u8;
         end (i32)*(p + 999999999999i64) + (i32)*(p + 5i32) + (i32)*(p + 123456789i32);",
    );
    assert_eq!(outcome, Outcome::Exited(15));
    assert_eq!(
        status(
            "local p: u8* align 8;",
            "p := alloc(18446744073709551615u64) align 16 heap; end p == #null<u8*> ? 1i32 : 0i32;"
        ),
        Outcome::Exited(1)
    );
}

#[test]
fn huge_values_meet_the_limit() {
    let text = "entry main; static a: u8[400000000000] align 1; static b: u8[400000000000] align 1;
        function main: fn() -> void { local n: i64 align 8; CODE end 0i32; }";
    for code in [
        "a := b;",
        "a := #zero<u8[400000000000]>;",
        "a := #fill<u8[400000000000]>(1u8);",
        "n := intrinsic write(1i32, &a, 400000000000u64);",
    ] {
        let outcome = run(&text.replace("CODE", code));
        assert!(
            matches!(outcome, Outcome::LimitReached { limit: Limit::Memory, .. }),
            "{code}: {outcome:?}"
        );
    }
    assert_eq!(
        run(&text.replace("CODE", "a[399999999999u64] := 3u8; end (i32)a[399999999999u64];")),
        Outcome::Exited(3)
    );
}

#[test]
fn faults_are_violations() {
    let p = "local p: i32* align 8; local q: i32* align 8; local x: i32 align 4; local y: i32[4] align 16;";
    let cases = [
        ("p := #null<i32*>; x := *p; end x;", "memory.null"),
        ("p := #addr<i32*>(123456); *p := 1i32; end x;", "memory.bounds"),
        ("p := alloc(8u64) align 16 heap; x := *(p + 2i32); end x;", "memory.bounds"),
        ("p := alloc(8u64) align 16 heap; x := *(p + -1i32); end x;", "memory.bounds"),
        ("p := alloc(8u64) align 16 heap; free heap p; x := *p; end x;", "memory.lifetime"),
        ("p := alloc(8u64) align 16 heap; free heap p; free heap p; end x;", "memory.double-free"),
        ("p := alloc(8u64) align 16 heap; free heap p + 1i32; end x;", "memory.invalid-free"),
        ("decl x; p := &x; free heap p; end x;", "memory.invalid-free"),
        ("decl x; p := &x; dead x; x := *p; end x;", "memory.lifetime"),
        ("decl y; x := y[x + 4i32]; end x;", "memory.bounds"),
        ("p := alloc(8u64) align 16 stack; free stack p; x := *p; end x;", "memory.lifetime"),
    ];
    for (code, property) in cases {
        let code =
            if code.starts_with("decl") { code.to_owned() } else { format!("decl x; {code}") };
        let outcome = status(p, &code);
        assert_eq!(violated(&outcome), property, "{code}");
        assert!(matches!(&outcome, Outcome::Violation(v) if v.fault));
    }
    // What an operator does not need is no fault.
    assert_eq!(
        status(
            p,
            "decl x; p := #null<i32*>; x := p != #null<i32*> && *p == 1i32 ? *p : 3i32; end x;"
        ),
        Outcome::Exited(3)
    );
    let read_only = "entry main; static const s: i8[2] align 1 = { @0: bytes \"a\\00\"; };
        function main: fn() -> void { s[0u32] := 1i8; end 0i32; }";
    assert_eq!(violated(&run(read_only)), "memory.read-only");
}

#[test]
fn uninitialized_scalars_are_faults_on_request() {
    let program = parse(
        "entry main; function main: fn() -> void { local x: i32 align 4; local y: i32 align 4; decl x; y := x + 1i32; end y; }",
    );
    assert_eq!(run_with(&program, "", |_| {}).0, Outcome::Exited(1));
    let (outcome, _) = run_with(&program, "", |o| o.check_uninitialized = true);
    assert_eq!(violated(&outcome), "memory.uninitialized");
}

/// A variable knows it in registers and, if its address is taken, in memory.
#[test]
fn variables_know_whether_they_are_initialized() {
    for address in ["", "p := &x;"] {
        let outcome = status(
            "local x: i32 align 4; local y: i32 align 4; local p: i32* align 8; local i: i32 align 4;",
            &format!(
                "decl p; decl i; i := 0i32;
               L0:
                 decl x; {address}
                 assert !#is_initialized(&x, 4u64) \"t\" \"\";
                 y := i;
                 x := y;
                 assert #is_initialized(&x, 4u64) \"t\" \"\";
                 dead x;
                 i := i + 1i32;
                 if i < 3i32 goto L0;
                 end i;"
            ),
        );
        assert_eq!(outcome, Outcome::Exited(3), "{address}");
    }
}

#[test]
fn pointers_stay_attached_through_bytes() {
    // Through an integer, byte by byte, and in a structure.
    let text = "entry main;
        struct s size 16 align 8 { a: i32 @0; p: i32* @8; }
        function main: fn() -> void labels 2 {
            local x: i32 align 4; local p: i32* align 8; local q: i32* align 8; local n: u64 align 8;
            local i: u64 align 8; local a: struct s align 8; local b: struct s align 8;
            decl x; decl p; decl q; decl a; decl b;
            x := 5i32;
            p := &x;
            n := (u64)p;
            *(i32*)n := *(i32*)n + 1i32;
            i := 0u64;
          L0:
            if i >= 8u64 goto L1;
            *((u8*)&q + i) := *((u8*)&p + i);
            i := i + 1u64;
            goto L0;
          L1:
            *q := *q + 10i32;
            a.a := 1i32;
            a.p := q;
            b := a;
            *b.p := *b.p + 20i32;
            end x + (#same_object(p, b.p) ? 100i32 : 0i32);
        }";
    assert_eq!(run(text), Outcome::Exited(136));
}

#[test]
fn bit_fields_keep_their_neighbours() {
    let text = "entry main;
        struct b size 8 align 4 { a: u3 @0:0; b: i9 @0:3; c: u20 @1:4; d: i5 @4:0; }
        function main: fn() -> void {
            local x: struct b align 4; local y: struct b align 4;
            decl x; decl y;
            x := #zero<struct b>;
            x.a := 5u3; x.b := -200i9; x.c := 1000000u20; x.d := -3i5;
            y := #make<struct b>{x.a, x.b, x.c, x.d};
            x.a := (u3)7i32;
            assert y.a == 5u3 && y.b == -200i9 && y.c == 1000000u20 && y.d == -3i5 \"t\" \"\";
            assert x.a == 7u3 && x.b == -200i9 && x.c == 1000000u20 && x.d == -3i5 \"t\" \"\";
            end (i32)#bits<u64>(y);
        }";
    let bytes =
        5u64 | ((-200i64 as u64 & 511) << 3) | (1_000_000 << 12) | ((-3i64 as u64 & 31) << 32);
    assert_eq!(run(text), Outcome::Exited(bytes as u8));
}

#[test]
fn functions_are_called_through_pointers_of_their_type() {
    let text = "entry main;
        function twice: fn(i32) -> i32 { param n: i32 align 4; return n * 2i32; }
        function main: fn() -> void { local f: [fn(TYPE) -> i32]* align 8; local r: i32 align 4;
            f := ([fn(TYPE) -> i32]*)@twice; r := call *(f)(21TYPE); end r; }";
    assert_eq!(run(&text.replace("TYPE", "i32")), Outcome::Exited(42));
    assert_eq!(violated(&run(&text.replace("TYPE", "i64"))), "call.type");
    // Integers of the same width stand for each other.
    assert_eq!(
        run(&text.replace("TYPE", "u32").replace("21u32", "4294967286u32")),
        Outcome::Exited(236)
    );
}

#[test]
fn claims_carry_their_position() {
    let text = "entry main;
        function f: fn(i32) -> void { param n: i32 align 4; assert n != 3i32 \"user.assert\" \"not three\" cwe 617 @5..9; return; }
        function main: fn() -> void { call f(2i32); call f(3i32) @20..30; end 0i32; }";
    let Outcome::Violation(violation) = run(text) else { panic!() };
    assert_eq!(violation.claim.description, "not three");
    assert_eq!(violation.position.span, vergo_source::Span::new(5, 9));
    let stack: Vec<(&str, u32)> =
        violation.position.stack.iter().map(|a| (a.function.as_str(), a.span.lo)).collect();
    assert_eq!(stack, [("f", 5), ("main", 20)]);
}

#[test]
fn heap_questions_see_what_is_reachable() {
    let text = "entry main;
        struct node size 8 align 8 { next: struct node* @0; }
        static head: struct node* align 8;
        function main: fn() -> void { local p: struct node* align 8;
            decl p;
            assert #heap_empty() && #heap_reachable() \"t\" \"\";
            p := alloc(8u64) align 16 heap;
            head := alloc(8u64) align 16 heap;
            head->next := p;
            dead p;
            assert !#heap_empty() && #heap_reachable() \"t\" \"\";
            head->next := #null<struct node*>;
            assert !#heap_reachable() \"t\" \"\";
            free heap head;
            end 0i32; }";
    assert_eq!(run(text), Outcome::Exited(0));
}

#[test]
fn steps_can_be_watched() {
    let program = parse(
        "entry main; function f: fn(i32) -> i32 { param n: i32 align 4; return n + 1i32; }
         function main: fn() -> void labels 1 { local x: i32 align 4; decl x; x := call f(4i32); if x == 5i32 goto L0; x := 0i32; L0: end x; }",
    );
    let events = Rc::new(RefCell::new(Vec::new()));
    let sink = events.clone();
    let (outcome, _) = run_with(&program, "", |o| {
        o.trace = Some(Box::new(move |event: &crate::Event<'_>| {
            sink.borrow_mut().push(match &event.what {
                What::Assigned { value, .. } => format!("= {value}"),
                What::Branched(taken) => format!("branch {taken}"),
                What::Called { args, .. } => format!("call {}", args.join(",")),
                What::Returned => "return".to_owned(),
                What::Freed(pointer) => format!("free {pointer}"),
            });
        }));
    });
    assert_eq!(outcome, Outcome::Exited(5));
    assert_eq!(*events.borrow(), ["call 4", "return", "= 5", "branch true"]);
}

#[test]
fn inputs_come_in_order() {
    let program = parse(
        "sites 2; entry main; function main: fn() -> void { local x: i32 align 4; local y: u8 align 1;
         decl x; decl y; x := #nondet<i32>(0); y := #nondet<u8>(1); end x + (i32)y; }",
    );
    assert_eq!(run_with(&program, "i32 -3\nu8 10\n", |_| {}).0, Outcome::Exited(7));
    let (outcome, _) = run_with(&program, "u8 1\n", |_| {});
    assert!(matches!(outcome, Outcome::NoInput { .. }));
}

#[test]
fn statics_have_their_first_values() {
    let text = "entry main;
        struct s size 16 align 8 { a: i32 @0; p: i32* @8; }
        static x: i32[3] align 4 = { @0: 1i32; @8: 3i32; };
        static y: struct s align 8 = { @0: bytes \"\\07\"; @8: &x[1u32] + 1i32; };
        static f: [fn() -> i32]* align 8 = { @0: @g; };
        static z: f64 align 8 = { @0: 1.5f64; };
        function g: fn() -> i32 { return 40i32; }
        function main: fn() -> void { local r: i32 align 4; r := call *(f)();
            end r + *y.p + y.a + x[1u32] + (i32)(z * 2.0f64); }";
    assert_eq!(run(text), Outcome::Exited(53));
}

#[test]
fn addresses_of_a_small_address_space_are_used_again() {
    // Forty times half a gigabyte, while one object in between stays.
    let text = "machine 32 x87 12 wide 4; entry main;
        function main: fn() -> void labels 2 {
            local i: i32 align 4; local p: u8* align 4; local q: u8* align 4;
            i := 0i32;
            p := alloc(100u32) align 16 heap;
            *p := 7u8;
         L0: q := alloc(536870912u32) align 16 heap;
            *(q + 536870911i32) := 1u8;
            free heap q;
            i := i + 1i32;
            if i < 40i32 goto L0;
            end (i32)*p; }";
    assert_eq!(run(text), Outcome::Exited(7));
}
