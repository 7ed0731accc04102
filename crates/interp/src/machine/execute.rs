//! The loop that executes operations: what is more than registers and memory.

use super::words::{Activation, Pause};
use super::{Machine, Step, Stop, Thread};
use crate::code::Op;
use crate::trace::What;

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
    pub(super) fn execute(&mut self, t: &mut Thread, fuel: u64) -> (u64, Stop) {
        let mut left = fuel;
        loop {
            let Some(frame) = t.frames.last_mut() else {
                return (fuel - left, Stop::Bad("a thread without a call".into()));
            };
            let code = &*frame.code;
            let fp = frame.fp;
            let mut activation = Activation {
                ops: &code.ops,
                regs: &mut t.regs[fp..fp + code.n_regs as usize],
                slots: &t.slots[frame.slot_base..],
                memory: &mut self.memory,
            };
            let (pc, still, pause) = activation.execute(frame.pc as usize, left);
            (frame.pc, left) = (pc as u32, still);
            match pause {
                Pause::Fault(fault) => return (fuel - left, Stop::from(fault)),
                Pause::Fuel => {
                    // Instructions are not interrupted; the next operation is the first of one, or the turn is longer.
                    let starts = pc == 0 || code.instr_of.get(pc) != code.instr_of.get(pc - 1);
                    if starts || fuel >= self.steps_left {
                        return (fuel, Stop::Turn);
                    }
                    left += 1;
                    self.steps_left -= 1;
                }
                Pause::Other => {
                    let op = code.ops[pc - 1];
                    match self.execute_other(t, op, fp) {
                        Ok(true) => {}
                        Ok(false) => return (fuel - left, Stop::Turn),
                        Err(stop) => return (fuel - left, stop),
                    }
                }
            }
        }
    }

    /// Executes an operation that is none of registers and memory alone; whether the thread goes on.
    pub(super) fn execute_other(&mut self, t: &mut Thread, op: Op, fp: usize) -> Step<bool> {
        match op {
            Op::Decl { slot } => self.declare(t, slot)?,
            Op::Refuted => return Err(Stop::Refuted),
            Op::Excluded => return Err(Stop::Excluded),
            Op::TraceBranch { a } => {
                let taken = t.regs[fp + a as usize] != 0;
                self.trace(t, What::Branched(taken));
            }
            Op::Call { call } => self.call(t, call, fp)?,
            Op::Ret { .. } | Op::RetBig { .. } => {
                if self.environment.trace {
                    self.trace(t, What::Returned);
                }
                self.give_back(t, op, fp)?;
                return Ok(!t.frames.is_empty());
            }
            Op::Slow { slow } => {
                let code = t.frames.last().map(|frame| frame.code.clone());
                let slow = code.as_deref().map(|code| &code.slow[slow as usize]);
                return slow.map_or(Ok(false), |slow| self.slow(t, slow, fp));
            }
            _ => {}
        }
        Ok(true)
    }
}
