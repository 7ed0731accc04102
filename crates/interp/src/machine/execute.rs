//! The loop that executes operations.

use super::{Machine, Stop, Thread};
use crate::code::{Op, Scalar};
use crate::values;

/// Extends the low bits of a word by their sign.
#[inline(always)]
pub(crate) fn norm_s(value: u64, sh: u8) -> u64 {
    ((value << sh) as i64 >> sh) as u64
}

/// Clears the high bits of a word.
#[inline(always)]
pub(crate) fn norm_u(value: u64, sh: u8) -> u64 {
    value << sh >> sh
}

impl Machine<'_> {
    /// Runs a thread until its fuel is used up or something stops it. Turns end between instructions.
    #[expect(clippy::too_many_lines, reason = "one arm per operation")]
    pub(super) fn execute(&mut self, t: &mut Thread, fuel: u64) -> (u64, Stop) {
        let mut left = fuel;
        let Some(frame) = t.frames.last() else {
            return (0, Stop::Bad("a thread without a call".into()));
        };
        let mut code = frame.code.clone();
        let mut pc = frame.pc as usize;
        let mut fp = frame.fp;
        let mut slot_base = frame.slot_base;
        let mask = self.memory.mask;
        macro_rules! r {
            ($i:expr) => {
                t.regs[fp + $i as usize]
            };
        }
        macro_rules! stop {
            ($stop:expr) => {{
                if let Some(frame) = t.frames.last_mut() {
                    frame.pc = pc as u32;
                }
                return (fuel - left, $stop);
            }};
        }
        macro_rules! try_access {
            ($e:expr) => {
                match $e {
                    Ok(value) => value,
                    Err(fault) => stop!(Stop::from(fault)),
                }
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
            ($d:expr, $v:expr) => {{
                let value: f64 = $v;
                r!($d) = values::double_bits(value);
            }};
        }
        macro_rules! set_f32 {
            ($d:expr, $v:expr) => {{
                let value: f32 = $v;
                r!($d) = values::single_bits(value);
            }};
        }
        macro_rules! jump_if {
            ($c:expr, $t:expr) => {
                if $c {
                    pc = $t as usize;
                }
            };
        }
        loop {
            if left == 0 {
                // Instructions are not interrupted; the next operation is the first of one, or the turn is longer.
                let starts = pc == 0 || code.instr_of.get(pc) != code.instr_of.get(pc - 1);
                if starts || fuel >= self.steps_left {
                    stop!(Stop::Turn);
                }
                left += 1;
                self.steps_left = self.steps_left.saturating_sub(1);
            }
            left -= 1;
            let op = code.ops[pc];
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
                    r!(d) = u64::from(
                        s!(a).checked_add(s!(b)).is_none_or(|v| norm_s(v as u64, sh) != v as u64),
                    );
                }
                Op::AddOverU { sh, d, a, b } => {
                    r!(d) = u64::from(r!(a).checked_add(r!(b)).is_none_or(|v| norm_u(v, sh) != v));
                }
                Op::SubOverS { sh, d, a, b } => {
                    r!(d) = u64::from(
                        s!(a).checked_sub(s!(b)).is_none_or(|v| norm_s(v as u64, sh) != v as u64),
                    );
                }
                Op::SubOverU { d, a, b } => r!(d) = u64::from(r!(a) < r!(b)),
                Op::MulOverS { sh, d, a, b } => {
                    r!(d) = u64::from(
                        s!(a).checked_mul(s!(b)).is_none_or(|v| norm_s(v as u64, sh) != v as u64),
                    );
                }
                Op::MulOverU { sh, d, a, b } => {
                    r!(d) = u64::from(r!(a).checked_mul(r!(b)).is_none_or(|v| norm_u(v, sh) != v));
                }
                Op::DAdd { d, a, b } => set_f64!(d, f64!(a) + f64!(b)),
                Op::DSub { d, a, b } => set_f64!(d, f64!(a) - f64!(b)),
                Op::DMul { d, a, b } => set_f64!(d, f64!(a) * f64!(b)),
                Op::DDiv { d, a, b } => set_f64!(d, f64!(a) / f64!(b)),
                Op::DNeg { d, a } => set_f64!(d, -f64!(a)),
                Op::DEq { d, a, b } => r!(d) = u64::from(f64!(a) == f64!(b)),
                Op::DNe { d, a, b } => r!(d) = u64::from(f64!(a) != f64!(b)),
                Op::DLt { d, a, b } => r!(d) = u64::from(f64!(a) < f64!(b)),
                Op::DLe { d, a, b } => r!(d) = u64::from(f64!(a) <= f64!(b)),
                Op::FAdd { d, a, b } => set_f32!(d, f32!(a) + f32!(b)),
                Op::FSub { d, a, b } => set_f32!(d, f32!(a) - f32!(b)),
                Op::FMul { d, a, b } => set_f32!(d, f32!(a) * f32!(b)),
                Op::FDiv { d, a, b } => set_f32!(d, f32!(a) / f32!(b)),
                Op::FNeg { d, a } => set_f32!(d, -f32!(a)),
                Op::FEq { d, a, b } => r!(d) = u64::from(f32!(a) == f32!(b)),
                Op::FNe { d, a, b } => r!(d) = u64::from(f32!(a) != f32!(b)),
                Op::FLt { d, a, b } => r!(d) = u64::from(f32!(a) < f32!(b)),
                Op::FLe { d, a, b } => r!(d) = u64::from(f32!(a) <= f32!(b)),
                Op::SToD { d, a } => r!(d) = (s!(a) as f64).to_bits(),
                Op::UToD { d, a } => r!(d) = (r!(a) as f64).to_bits(),
                Op::SToF { d, a } => r!(d) = (s!(a) as f32).to_bits().into(),
                Op::UToF { d, a } => r!(d) = (r!(a) as f32).to_bits().into(),
                Op::DToF { d, a } => set_f32!(d, f64!(a) as f32),
                Op::FToD { d, a } => set_f64!(d, f64::from(f32!(a))),
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
                    let handle = t.slots[slot_base + slot as usize].handle;
                    let base = self.memory.objects[crate::memory::index(handle)].base;
                    r!(d) = base.wrapping_add(off.into()) & mask;
                    r!(d + 1) = handle;
                }
                Op::LoadPtr { s, d, p, off } => {
                    let address = r!(p).wrapping_add(off as i64 as u64) & mask;
                    let handle = r!(p + 1);
                    let (low, high) = try_access!(values::load(&self.memory, s, address, handle));
                    r!(d) = low;
                    if s == Scalar::Pointer {
                        r!(d + 1) = high;
                    }
                }
                Op::StorePtr { s, a, p, off } => {
                    let address = r!(p).wrapping_add(off as i64 as u64) & mask;
                    let handle = r!(p + 1);
                    let high = if s == Scalar::Pointer { r!(a + 1) } else { 0 };
                    let low = r!(a);
                    try_access!(values::store(&mut self.memory, s, address, handle, low, high));
                }
                Op::LoadLocal { s, d, slot, off } => {
                    let handle = t.slots[slot_base + slot as usize].handle;
                    let (low, high) = try_access!(values::load_in(&self.memory, s, handle, off));
                    r!(d) = low;
                    if s == Scalar::Pointer {
                        r!(d + 1) = high;
                    }
                }
                Op::StoreLocal { s, a, slot, off } => {
                    let handle = t.slots[slot_base + slot as usize].handle;
                    let high = if s == Scalar::Pointer { r!(a + 1) } else { 0 };
                    let low = r!(a);
                    try_access!(values::store_in(&mut self.memory, s, handle, off, low, high));
                }
                Op::LoadStatic { s, d, object, off } => {
                    let handle = self.memory.objects[object as usize].handle();
                    let (low, high) = try_access!(values::load_in(&self.memory, s, handle, off));
                    r!(d) = low;
                    if s == Scalar::Pointer {
                        r!(d + 1) = high;
                    }
                }
                Op::StoreStatic { s, a, object, off } => {
                    let handle = self.memory.objects[object as usize].handle();
                    let high = if s == Scalar::Pointer { r!(a + 1) } else { 0 };
                    let low = r!(a);
                    try_access!(values::store_in(&mut self.memory, s, handle, off, low, high));
                }
                Op::InitLocal { n, d, slot, off } => {
                    let handle = t.slots[slot_base + slot as usize].handle;
                    r!(d) = self.memory.is_initialized_in(handle, off.into(), n.into()).into();
                }
                Op::Ask { op, d, p, n } => r!(d) = self.memory.ask(op, r!(p), r!(p + 1), n.into()),
                Op::Decl { slot } => {
                    if let Err(stop) = self.declare(t, slot) {
                        stop!(stop);
                    }
                }
                Op::Dead { slot } => {
                    self.memory.kill_handle(t.slots[slot_base + slot as usize].handle)
                }
                Op::Refuted => stop!(Stop::Refuted),
                Op::Excluded => stop!(Stop::Excluded),
                Op::TraceBranch { a } => {
                    let taken = r!(a) != 0;
                    if let Some(frame) = t.frames.last_mut() {
                        frame.pc = pc as u32;
                    }
                    self.trace(t, crate::trace::What::Branched(taken));
                }
                Op::Call { call } => {
                    if let Some(frame) = t.frames.last_mut() {
                        frame.pc = pc as u32;
                    }
                    if let Err(stop) = self.call(t, &code, call, fp) {
                        stop!(stop);
                    }
                    if let Some(frame) = t.frames.last() {
                        code = frame.code.clone();
                        pc = frame.pc as usize;
                        fp = frame.fp;
                        slot_base = frame.slot_base;
                    }
                }
                Op::Ret { .. } | Op::RetBig { .. } => {
                    if let Some(frame) = t.frames.last_mut() {
                        frame.pc = pc as u32;
                    }
                    if self.environment.trace {
                        self.trace(t, crate::trace::What::Returned);
                    }
                    if let Err(stop) = self.give_back(t, op, fp) {
                        stop!(stop);
                    }
                    match t.frames.last() {
                        Some(frame) => {
                            code = frame.code.clone();
                            pc = frame.pc as usize;
                            fp = frame.fp;
                            slot_base = frame.slot_base;
                        }
                        None => return (fuel - left, Stop::Turn),
                    }
                }
                Op::Slow { slow } => {
                    if let Some(frame) = t.frames.last_mut() {
                        frame.pc = pc as u32;
                    }
                    match self.slow(t, &code.slow[slow as usize], fp) {
                        Ok(true) => {}
                        Ok(false) => return (fuel - left, Stop::Turn),
                        Err(stop) => return (fuel - left, stop),
                    }
                }
            }
        }
    }
}
