//! Every operator on every kind of type, against its value by `fold`.

use crate::{InputValue, Machine, Options, Outcome, Request};
use std::cell::RefCell;
use std::rc::Rc;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, UnaryOp};
use vergo_goto::fold::{self, Const, ConstType};
use vergo_goto::program::{
    Claim, Exit, Function, Program, StaticInit, Symbol, SymbolId, SymbolKind,
};
use vergo_goto::types::{Machine as Target, TypeId};
use vergo_num::{BitVec, Float, FloatFormat, RoundingMode};
use vergo_source::Span;
use vergo_testkit::Rng;

fn type_id(program: &mut Program, ty: ConstType) -> TypeId {
    match ty {
        ConstType::Bool => program.types.bool(),
        ConstType::Int(signed, width) => program.types.int(signed, width),
        ConstType::Float(format) => program.types.float(format),
    }
}

fn global(program: &mut Program, name: &str, ty: TypeId) -> ExprId {
    let init = StaticInit::Data(Vec::new());
    let id: SymbolId = program.add_symbol(Symbol {
        name: name.into(),
        display: name.into(),
        ty,
        kind: SymbolKind::Static { init, thread_local: false },
        span: Span::DUMMY,
        align: 16,
        writable: true,
    });
    program.symbol(id)
}

/// A program that reads operands, computes, and asserts that the result is the one that it reads last.
fn checker(
    operands: &[ConstType],
    result: ConstType,
    build: impl FnOnce(&mut Program, &[ExprId], TypeId) -> ExprId,
) -> Program {
    let mut program = Program::new(Target::LP64);
    let void = program.types.void();
    let ty = program.types.func(void, Vec::new());
    let main = program.add_function(Function::declaration("main", "main", ty));
    let mut code = FunctionBuilder::new();
    let mut places = Vec::new();
    for (i, &operand) in operands.iter().chain([&result]).enumerate() {
        let ty = type_id(&mut program, operand);
        // The first operand is in memory, the others in registers.
        let place = if i == 0 {
            global(&mut program, "a", ty)
        } else {
            let id = program.add_symbol(Symbol {
                name: format!("v{i}"),
                display: String::new(),
                ty,
                kind: SymbolKind::Local(main),
                span: Span::DUMMY,
                align: 16,
                writable: true,
            });
            code.decl(id);
            program.symbol(id)
        };
        let choice = program.nondet(ty);
        code.assign(place, choice);
        places.push(place);
    }
    let expected = places.pop().unwrap();
    let result_ty = type_id(&mut program, result);
    let value = build(&mut program, &places, result_ty);
    let r = global(&mut program, "r", result_ty);
    code.assign(r, value);
    // Floats are compared by their bits; which NaN it is, `fold` does not say.
    let same = match result {
        ConstType::Float(format) => {
            let bits = program.types.int(
                false,
                format.width().next_multiple_of(if format.width() == 80 { 128 } else { 8 }),
            );
            let (a, b) = (program.bits(bits, r), program.bits(bits, expected));
            let same = program.eq(a, b);
            let [a, b] = [r, expected].map(|value| program.unary(UnaryOp::IsNan, value));
            let both = program.and(a, b);
            program.or(same, both)
        }
        _ => program.eq(r, expected),
    };
    code.assert(same, Claim { property: "same".into(), description: String::new(), cwe: None });
    let int = program.types.int(true, 32);
    let zero = program.int(int, 0);
    code.end(Exit::Status(zero));
    code.finish(&mut program, main);
    program.entry = Some(main);
    vergo_goto::verify::assert_well_formed(&program, "checker");
    program
}

fn check(program: &Program, operands: &[Const], result: &Const, what: &str) {
    let to_input = |value: &Const| match value {
        Const::Bool(value) => InputValue::Bool(*value),
        Const::Int(_, bits) => InputValue::Int(bits.clone()),
        Const::Float(value) => InputValue::Float(value.clone()),
    };
    let values: Vec<InputValue> = operands.iter().chain([result]).map(to_input).collect();
    let next = Rc::new(RefCell::new(0));
    let inputs = move |_: &Request<'_>| {
        *next.borrow_mut() += 1;
        Ok(values[*next.borrow() - 1].clone())
    };
    let options = Options { inputs: Box::new(inputs), ..Options::default() };
    let outcome = Machine::new(program, options).run();
    assert_eq!(outcome, Outcome::Exited(0), "{what} of {operands:?} is {result:?}");
}

struct Random(Rng);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    fn value(&mut self, ty: ConstType) -> Const {
        match ty {
            ConstType::Bool => Const::Bool(self.bits() >> 40 & 1 == 1),
            ConstType::Int(signed, width) => Const::Int(
                signed,
                match self.bits() >> 40 & 7 {
                    0 => BitVec::zero(width),
                    1 => BitVec::ones(width),
                    2 => BitVec::min_signed(width),
                    3 => BitVec::max_signed(width),
                    4 | 5 => BitVec::from_i64(width, (self.bits() >> 50) as i64 % 40 - 10),
                    _ => BitVec::from_limbs(
                        width,
                        (0..width.div_ceil(64)).map(|_| self.bits()).collect(),
                    ),
                },
            ),
            ConstType::Float(format) => Const::Float(match self.bits() >> 40 & 7 {
                0 => Float::zero(format, self.bits() & 1 << 40 != 0),
                1 => Float::infinity(format, self.bits() & 1 << 40 != 0),
                2 => Float::nan(format),
                3 => Float::smallest(format, false),
                4 => Float::largest(format, true),
                5 => {
                    let limbs = (0..format.width().div_ceil(64)).map(|_| self.bits()).collect();
                    Float::from_bits(format, BitVec::from_limbs(format.width(), limbs))
                }
                _ => Float::from_signed(
                    format,
                    RoundingMode::NearestEven,
                    &BitVec::from_i64(64, (self.bits() >> 40) as i64 % 2000 - 1000),
                )
                .div(
                    RoundingMode::NearestEven,
                    &Float::power_of_two(format, RoundingMode::NearestEven, 3),
                ),
            }),
        }
    }
}

const INTS: &[u32] = &[1, 7, 8, 16, 31, 32, 33, 64, 65, 128, 200];
const FLOATS: &[FloatFormat] = &[
    FloatFormat::HALF,
    FloatFormat::SINGLE,
    FloatFormat::DOUBLE,
    FloatFormat::X87_EXTENDED,
    FloatFormat::QUAD,
];

fn types() -> Vec<ConstType> {
    let ints = INTS.iter().flat_map(|&w| [ConstType::Int(true, w), ConstType::Int(false, w)]);
    let floats = FLOATS.iter().map(|&f| ConstType::Float(f));
    ints.chain(floats).chain([ConstType::Bool]).collect()
}

const ROUNDS: usize = 12;

#[test]
fn binary_operators_are_those_of_fold() {
    use BinaryOp as B;
    let mut random = Random(Rng::new(77));
    let all = [
        B::Add,
        B::Sub,
        B::Mul,
        B::Div,
        B::Rem,
        B::IeeeRem,
        B::Min,
        B::Max,
        B::BitAnd,
        B::BitOr,
        B::BitXor,
        B::Shl,
        B::Shr,
        B::Eq,
        B::Ne,
        B::Lt,
        B::Le,
        B::And,
        B::Or,
        B::Implies,
        B::AddOverflows,
        B::SubOverflows,
        B::MulOverflows,
        B::ShlOverflows,
    ];
    for ty in types() {
        for op in all {
            let shift = matches!(op, B::Shl | B::Shr | B::ShlOverflows);
            let right_types = if shift && matches!(ty, ConstType::Int(..)) {
                vec![
                    ConstType::Int(true, 8),
                    ConstType::Int(false, 32),
                    ConstType::Int(true, 64),
                    ConstType::Int(false, 128),
                ]
            } else {
                vec![ty]
            };
            for right in right_types {
                let Some(sample) = fold::binary(op, &random.value(ty), &random.value(right)) else {
                    continue;
                };
                let result = match sample {
                    Const::Bool(_) => ConstType::Bool,
                    _ => ty,
                };
                let program = checker(&[ty, right], result, |p, x, ty| {
                    p.exprs.intern(ExprKind::Binary(op, x[0], x[1]), ty)
                });
                for _ in 0..ROUNDS {
                    let (a, b) = (random.value(ty), random.value(right));
                    let expected = fold::binary(op, &a, &b).unwrap();
                    check(&program, &[a, b], &expected, &format!("{op:?}"));
                }
            }
        }
    }
}

#[test]
fn unary_operators_are_those_of_fold() {
    use UnaryOp as U;
    let mut random = Random(Rng::new(78));
    let mut all = vec![
        U::Neg,
        U::BitNot,
        U::Not,
        U::Abs,
        U::Sqrt,
        U::IsNan,
        U::IsInf,
        U::IsNormal,
        U::IsSubnormal,
        U::SignBit,
        U::LeadingZeros,
        U::TrailingZeros,
        U::PopCount,
        U::ByteSwap,
    ];
    all.extend(RoundingMode::ALL.map(U::RoundToIntegral));
    for ty in types() {
        for &op in &all {
            let Some(sample) = fold::unary(op, &random.value(ty)) else { continue };
            let result = match sample {
                Const::Bool(_) => ConstType::Bool,
                _ => ty,
            };
            let program =
                checker(&[ty], result, |p, x, ty| p.exprs.intern(ExprKind::Unary(op, x[0]), ty));
            for _ in 0..ROUNDS {
                let a = random.value(ty);
                let expected = fold::unary(op, &a).unwrap();
                check(&program, &[a], &expected, &format!("{op:?}"));
            }
        }
    }
}

#[test]
fn conversions_are_those_of_fold() {
    let mut random = Random(Rng::new(79));
    for from in types() {
        for to in types() {
            let modes =
                if matches!((from, to), (ConstType::Int(..) | ConstType::Bool, ConstType::Int(..)))
                {
                    vec![RoundingMode::NearestEven]
                } else {
                    vec![
                        RoundingMode::NearestEven,
                        RoundingMode::TowardZero,
                        RoundingMode::TowardPositive,
                    ]
                };
            for mode in modes {
                let program =
                    checker(&[from], to, |p, x, ty| p.exprs.intern(ExprKind::Cast(mode, x[0]), ty));
                for _ in 0..8 {
                    let a = random.value(from);
                    let expected = fold::cast(mode, &a, to);
                    check(&program, &[a], &expected, &format!("cast {mode} to {to:?}"));
                }
            }
        }
    }
}

#[test]
fn fused_multiply_add_rounds_once() {
    let mut random = Random(Rng::new(80));
    for &format in FLOATS {
        let ty = ConstType::Float(format);
        let program = checker(&[ty, ty, ty], ty, |p, x, ty| {
            p.exprs.intern(ExprKind::Fma(x[0], x[1], x[2]), ty)
        });
        for _ in 0..ROUNDS {
            let (a, b, c) = (random.value(ty), random.value(ty), random.value(ty));
            let expected = fold::fma(&a, &b, &c).unwrap();
            check(&program, &[a, b, c], &expected, "fma");
        }
    }
}
