//! The tight loop: operations that need no more than registers and memory.
//!
//! The loop keeps its few variables in the host's registers. For that it is a function of its own, and whatever is long is
//! called rather than inlined.

use super::Slot;
use super::execute::{norm_s, norm_u};
use crate::code::{Op, Scalar};
use crate::memory::{Fault, Memory, index};
use crate::values;

/// The data that the operations of an activation work on.
pub(super) struct Activation<'m> {
    pub(super) ops: &'m [Op],
    pub(super) regs: &'m mut [u64],
    pub(super) slots: &'m [Slot],
    pub(super) memory: &'m mut Memory,
}

/// The reason why the loop pauses.
pub(super) enum Pause {
    /// No fuel is left.
    Fuel,
    /// The operation before the counter is a fault.
    Fault(Fault),
    /// The operation before the counter is not one of these.
    Other,
}

/// Returns whether an exact result is a signed number of `64 - sh` bits.
#[inline(always)]
fn fits(result: Option<i64>, sh: u8) -> bool {
    result.is_some_and(|value| norm_s(value as u64, sh) == value as u64)
}

impl Activation<'_> {
    /// Executes operations from a counter on: where the counter is then, and what is left of the fuel.
    #[inline(never)]
    #[expect(clippy::too_many_lines, reason = "one arm per operation")]
    pub(super) fn execute(&mut self, mut pc: usize, mut left: u64) -> (usize, u64, Pause) {
        let ops = self.ops;
        let regs = &mut *self.regs;
        let mask = self.memory.mask;
        macro_rules! r {
            ($i:expr) => {
                regs[$i as usize]
            };
        }
        macro_rules! s {
            ($i:expr) => {
                r!($i) as i64
            };
        }
        macro_rules! f64 {
            ($i:expr) => {
                f64::from_bits(r!($i))
            };
        }
        macro_rules! f32 {
            ($i:expr) => {
                f32::from_bits(r!($i) as u32)
            };
        }
        macro_rules! set_f64 {
            ($d:expr, $a:expr, $b:expr, $v:expr) => {{
                let value: f64 = $v;
                r!($d) = values::double_bits(value, r!($a), r!($b));
            }};
        }
        macro_rules! set_f32 {
            ($d:expr, $a:expr, $b:expr, $v:expr) => {{
                let value: f32 = $v;
                r!($d) = values::single_bits(value, r!($a), r!($b));
            }};
        }
        macro_rules! jump_if {
            ($c:expr, $t:expr) => {
                if $c {
                    pc = $t as usize;
                }
            };
        }
        macro_rules! loaded {
            ($s:expr, $d:expr, $e:expr) => {
                match $e {
                    Ok((low, high)) => {
                        r!($d) = low;
                        if $s == Scalar::Pointer {
                            r!($d + 1) = high;
                        }
                    }
                    Err(fault) => return (pc, left, Pause::Fault(fault)),
                }
            };
        }
        macro_rules! stored {
            ($e:expr) => {
                if let Err(fault) = $e {
                    return (pc, left, Pause::Fault(fault));
                }
            };
        }
        // What is written: a word, and of pointers a second one.
        macro_rules! pair {
            ($s:expr, $a:expr) => {
                (r!($a), if $s == Scalar::Pointer { r!($a + 1) } else { 0 })
            };
        }
        while left > 0 {
            left -= 1;
            let op = ops[pc];
            pc += 1;
            match op {
                Op::Mov { d, a } => r!(d) = r!(a),
                Op::Mov2 { d, a } => {
                    let (low, high) = (r!(a), r!(a + 1));
                    r!(d) = low;
                    r!(d + 1) = high;
                }
                Op::Const { d, v } => r!(d) = v,
                Op::Jump { t: target } => pc = target as usize,
                Op::JumpIf { a, t: target } => jump_if!(r!(a) != 0, target),
                Op::JumpIfNot { a, t: target } => jump_if!(r!(a) == 0, target),
                Op::JumpEq { a, b, t: target } => jump_if!(r!(a) == r!(b), target),
                Op::JumpNe { a, b, t: target } => jump_if!(r!(a) != r!(b), target),
                Op::JumpLtS { a, b, t: target } => jump_if!(s!(a) < s!(b), target),
                Op::JumpLtU { a, b, t: target } => jump_if!(r!(a) < r!(b), target),
                Op::JumpLeS { a, b, t: target } => jump_if!(s!(a) <= s!(b), target),
                Op::JumpLeU { a, b, t: target } => jump_if!(r!(a) <= r!(b), target),
                Op::JumpAddFits { sh, a, b, t: target } => {
                    jump_if!(fits(s!(a).checked_add(s!(b)), sh), target);
                }
                Op::JumpSubFits { sh, a, b, t: target } => {
                    jump_if!(fits(s!(a).checked_sub(s!(b)), sh), target);
                }
                Op::JumpMulFits { sh, a, b, t: target } => {
                    jump_if!(fits(s!(a).checked_mul(s!(b)), sh), target);
                }
                Op::AddS { sh, d, a, b } => r!(d) = norm_s(r!(a).wrapping_add(r!(b)), sh),
                Op::AddU { sh, d, a, b } => r!(d) = norm_u(r!(a).wrapping_add(r!(b)), sh),
                Op::SubS { sh, d, a, b } => r!(d) = norm_s(r!(a).wrapping_sub(r!(b)), sh),
                Op::SubU { sh, d, a, b } => r!(d) = norm_u(r!(a).wrapping_sub(r!(b)), sh),
                Op::MulS { sh, d, a, b } => r!(d) = norm_s(r!(a).wrapping_mul(r!(b)), sh),
                Op::MulU { sh, d, a, b } => r!(d) = norm_u(r!(a).wrapping_mul(r!(b)), sh),
                Op::DivS { sh, d, a, b } => {
                    let (x, y) = (s!(a), s!(b));
                    let quotient = match y {
                        0 if x < 0 => 1,
                        0 => -1,
                        y => x.wrapping_div(y),
                    };
                    r!(d) = norm_s(quotient as u64, sh);
                }
                Op::DivU { sh, d, a, b } => {
                    r!(d) = r!(a).checked_div(r!(b)).unwrap_or_else(|| norm_u(u64::MAX, sh));
                }
                Op::RemS { sh, d, a, b } => {
                    let (x, y) = (s!(a), s!(b));
                    r!(d) = if y == 0 { x as u64 } else { norm_s(x.wrapping_rem(y) as u64, sh) };
                }
                Op::RemU { d, a, b } => r!(d) = r!(a).checked_rem(r!(b)).unwrap_or(r!(a)),
                Op::And { d, a, b } => r!(d) = r!(a) & r!(b),
                Op::Or { d, a, b } => r!(d) = r!(a) | r!(b),
                Op::Xor { d, a, b } => r!(d) = r!(a) ^ r!(b),
                Op::ShlS { sh, d, a, b } => {
                    let n = r!(b);
                    r!(d) = if n >= 64 { 0 } else { norm_s(r!(a) << n, sh) };
                }
                Op::ShlU { sh, d, a, b } => {
                    let n = r!(b);
                    r!(d) = if n >= 64 { 0 } else { norm_u(r!(a) << n, sh) };
                }
                Op::ShrS { d, a, b } => r!(d) = (s!(a) >> r!(b).min(63)) as u64,
                Op::ShrU { d, a, b } => {
                    let n = r!(b);
                    r!(d) = if n >= 64 { 0 } else { r!(a) >> n };
                }
                Op::NormS { sh, d, a } => r!(d) = norm_s(r!(a), sh),
                Op::NormU { sh, d, a } => r!(d) = norm_u(r!(a), sh),
                Op::NegS { sh, d, a } => r!(d) = norm_s(r!(a).wrapping_neg(), sh),
                Op::NegU { sh, d, a } => r!(d) = norm_u(r!(a).wrapping_neg(), sh),
                Op::NotS { d, a } => r!(d) = !r!(a),
                Op::NotU { sh, d, a } => r!(d) = norm_u(!r!(a), sh),
                Op::NotB { d, a } => r!(d) = r!(a) ^ 1,
                Op::IsSet { d, a } => r!(d) = u64::from(r!(a) != 0),
                Op::Eq { d, a, b } => r!(d) = u64::from(r!(a) == r!(b)),
                Op::Ne { d, a, b } => r!(d) = u64::from(r!(a) != r!(b)),
                Op::LtS { d, a, b } => r!(d) = u64::from(s!(a) < s!(b)),
                Op::LtU { d, a, b } => r!(d) = u64::from(r!(a) < r!(b)),
                Op::LeS { d, a, b } => r!(d) = u64::from(s!(a) <= s!(b)),
                Op::LeU { d, a, b } => r!(d) = u64::from(r!(a) <= r!(b)),
                Op::AddOverS { sh, d, a, b } => {
                    r!(d) = u64::from(!fits(s!(a).checked_add(s!(b)), sh));
                }
                Op::AddOverU { sh, d, a, b } => {
                    r!(d) = u64::from(r!(a).checked_add(r!(b)).is_none_or(|v| norm_u(v, sh) != v));
                }
                Op::SubOverS { sh, d, a, b } => {
                    r!(d) = u64::from(!fits(s!(a).checked_sub(s!(b)), sh));
                }
                Op::SubOverU { d, a, b } => r!(d) = u64::from(r!(a) < r!(b)),
                Op::MulOverS { sh, d, a, b } => {
                    r!(d) = u64::from(!fits(s!(a).checked_mul(s!(b)), sh));
                }
                Op::MulOverU { sh, d, a, b } => {
                    r!(d) = u64::from(r!(a).checked_mul(r!(b)).is_none_or(|v| norm_u(v, sh) != v));
                }
                Op::DAdd { d, a, b } => set_f64!(d, a, b, f64!(a) + f64!(b)),
                Op::DSub { d, a, b } => set_f64!(d, a, b, f64!(a) - f64!(b)),
                Op::DMul { d, a, b } => set_f64!(d, a, b, f64!(a) * f64!(b)),
                Op::DDiv { d, a, b } => set_f64!(d, a, b, f64!(a) / f64!(b)),
                Op::DNeg { d, a } => r!(d) = r!(a) ^ 1 << 63,
                Op::DEq { d, a, b } => r!(d) = u64::from(f64!(a) == f64!(b)),
                Op::DNe { d, a, b } => r!(d) = u64::from(f64!(a) != f64!(b)),
                Op::DLt { d, a, b } => r!(d) = u64::from(f64!(a) < f64!(b)),
                Op::DLe { d, a, b } => r!(d) = u64::from(f64!(a) <= f64!(b)),
                Op::FAdd { d, a, b } => set_f32!(d, a, b, f32!(a) + f32!(b)),
                Op::FSub { d, a, b } => set_f32!(d, a, b, f32!(a) - f32!(b)),
                Op::FMul { d, a, b } => set_f32!(d, a, b, f32!(a) * f32!(b)),
                Op::FDiv { d, a, b } => set_f32!(d, a, b, f32!(a) / f32!(b)),
                Op::FNeg { d, a } => r!(d) = r!(a) ^ 1 << 31,
                Op::FEq { d, a, b } => r!(d) = u64::from(f32!(a) == f32!(b)),
                Op::FNe { d, a, b } => r!(d) = u64::from(f32!(a) != f32!(b)),
                Op::FLt { d, a, b } => r!(d) = u64::from(f32!(a) < f32!(b)),
                Op::FLe { d, a, b } => r!(d) = u64::from(f32!(a) <= f32!(b)),
                Op::SToD { d, a } => r!(d) = (s!(a) as f64).to_bits(),
                Op::UToD { d, a } => r!(d) = (r!(a) as f64).to_bits(),
                Op::SToF { d, a } => r!(d) = (s!(a) as f32).to_bits().into(),
                Op::UToF { d, a } => r!(d) = (r!(a) as f32).to_bits().into(),
                Op::DToF { d, a } => r!(d) = values::to_single(r!(a)),
                Op::FToD { d, a } => r!(d) = values::to_double(r!(a)),
                Op::DToS { sh, d, a } => r!(d) = values::to_signed(f64!(a), sh),
                Op::DToU { sh, d, a } => r!(d) = values::to_unsigned(f64!(a), sh),
                Op::FToS { sh, d, a } => r!(d) = values::to_signed(f32!(a).into(), sh),
                Op::FToU { sh, d, a } => r!(d) = values::to_unsigned(f32!(a).into(), sh),
                Op::PtrAdd { sh, d, a, b } => {
                    let (address, handle) = (r!(a), r!(a + 1));
                    let by = if sh < 64 { r!(b) << sh } else { 0 };
                    r!(d) = address.wrapping_add(by) & mask;
                    r!(d + 1) = handle;
                }
                Op::PtrSub { d, a, b } => {
                    let sh = mask.leading_zeros() as u8;
                    r!(d) = norm_s(r!(a).wrapping_sub(r!(b)), sh);
                }
                Op::Attach { d, a } => {
                    let address = r!(a) & mask;
                    r!(d) = address;
                    r!(d + 1) = self.memory.attach(address);
                }
                Op::AddrLocal { d, slot, off } => {
                    let handle = self.slots[slot as usize].handle;
                    let base = self.memory.objects[index(handle)].base;
                    r!(d) = base.wrapping_add(off.into()) & mask;
                    r!(d + 1) = handle;
                }
                Op::LoadPtr { s, d, p, off } => {
                    let address = r!(p).wrapping_add(off as i64 as u64) & mask;
                    loaded!(s, d, values::load(self.memory, s, address, r!(p + 1)));
                }
                Op::StorePtr { s, a, p, off } => {
                    let address = r!(p).wrapping_add(off as i64 as u64) & mask;
                    stored!(values::store(self.memory, s, address, r!(p + 1), pair!(s, a)));
                }
                Op::LoadLocal { s, d, slot, off } => {
                    let handle = self.slots[slot as usize].handle;
                    loaded!(s, d, values::load_in(self.memory, s, handle, off));
                }
                Op::StoreLocal { s, a, slot, off } => {
                    let handle = self.slots[slot as usize].handle;
                    stored!(values::store_in(self.memory, s, handle, off, pair!(s, a)));
                }
                Op::LoadStatic { s, d, object, off } => {
                    let handle = self.memory.objects[object as usize].handle();
                    loaded!(s, d, values::load_in(self.memory, s, handle, off));
                }
                Op::StoreStatic { s, a, object, off } => {
                    let handle = self.memory.objects[object as usize].handle();
                    stored!(values::store_in(self.memory, s, handle, off, pair!(s, a)));
                }
                Op::InitLocal { n, d, slot, off } => {
                    let handle = self.slots[slot as usize].handle;
                    r!(d) = self.memory.is_initialized_in(handle, off.into(), n.into()).into();
                }
                Op::Ask { op, d, p, n } => r!(d) = self.memory.ask(op, r!(p), r!(p + 1), n.into()),
                Op::Dead { slot } => self.memory.kill_handle(self.slots[slot as usize].handle),
                Op::Decl { .. }
                | Op::Refuted
                | Op::Excluded
                | Op::TraceBranch { .. }
                | Op::Call { .. }
                | Op::Ret { .. }
                | Op::RetBig { .. }
                | Op::Slow { .. } => return (pc, left, Pause::Other),
            }
        }
        (pc, left, Pause::Fuel)
    }
}
