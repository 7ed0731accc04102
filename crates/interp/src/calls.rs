//! Calls and returns.

use crate::code::{Loc, Op, Rep, Target};
use crate::inputs::InputType;
use crate::machine::{Machine, State, Step, Stop, Thread};
use crate::memory::{Big, Fault, Handle, Origin, index, origin};
use crate::outcome::{Limit, Outcome};
use crate::trace::{Access, AccessKind, Event, What};
use crate::values::{Registers, canonical};
use cranelift_entity::EntityRef;
use vergo_goto::program::FunctionId;

impl Machine<'_> {
    /// Begins a call; afterwards the thread's innermost frame is that of the function called.
    pub(crate) fn call(&mut self, t: &mut Thread, number: u32, fp: usize) -> Step<()> {
        let Some(frame) = t.frames.last() else {
            return Err(Stop::Bad("no call is active".into()));
        };
        let (code, big_fp) = (frame.code.clone(), frame.big_fp);
        let call = &code.calls[number as usize];
        if t.frames.len() >= self.options.limits.call_depth {
            return Err(Stop::Limit(Limit::CallDepth));
        }
        let function = match call.callee {
            Target::Direct(function) => function,
            Target::Indirect(_) => {
                let args: Vec<Rep> = call.args.iter().map(|a| a.rep).collect();
                let r = self.registers(t, fp);
                self.target(&r, call.callee, &args, Some(call.ret))?
            }
        };
        if self.environment.trace {
            let params = &self.program.functions[function].params;
            let ty = |i: usize| params.get(i).map(|param| self.program.symbols[*param].ty);
            let args = call.args.iter().enumerate();
            let args = args.map(|(i, &arg)| self.text_of(t, fp, arg, ty(i))).collect();
            self.trace(t, What::Called { callee: function, args });
        }
        let callee = self.code(function)?;
        if callee.is_extern {
            return self.call_extern(t, call.dest, fp);
        }
        let new_fp = fp + code.n_regs as usize;
        let new_big_fp = big_fp + code.n_bigs as usize;
        self.push_frame(t, function, callee.clone(), new_fp, new_big_fp);
        for (arg, param) in call.args.iter().zip(&callee.params) {
            let (from, to) = (fp + arg.reg as usize, new_fp + param.reg as usize);
            match param.rep.words() {
                0 => {
                    let value = t.bigs[big_fp + arg.reg as usize].clone();
                    t.bigs[new_big_fp + param.reg as usize] = value;
                }
                1 => t.regs[to] = with_sign(t.regs[from], arg.rep, param.rep),
                _ => {
                    t.regs[to] = t.regs[from];
                    t.regs[to + 1] = t.regs[from + 1];
                }
            }
        }
        Ok(())
    }

    /// A function without a body returns any value.
    fn call_extern(&mut self, t: &mut Thread, dest: Option<Loc>, fp: usize) -> Step<()> {
        let Some(d) = dest else { return Ok(()) };
        let ty = match d.rep {
            Rep::Bool => InputType::Bool,
            Rep::Int(signed, width) | Rep::BigInt(signed, width) => InputType::Int(signed, width),
            Rep::Single => InputType::Float(vergo_num::FloatFormat::SINGLE),
            Rep::Double => InputType::Float(vergo_num::FloatFormat::DOUBLE),
            Rep::Soft(format) | Rep::BigFloat(format) => InputType::Float(format),
            Rep::Pointer => InputType::Pointer(self.program.machine.pointer_width),
            Rep::Bytes(size) => InputType::Bytes(size),
        };
        let value = self.choose(t, u32::MAX, ty)?;
        self.set_input(t, fp, d, value);
        Ok(())
    }

    /// The function that a call goes to; a fault if the pointer is not to one that can be called so.
    pub(crate) fn target(
        &mut self,
        r: &Registers<'_>,
        callee: Target,
        args: &[Rep],
        ret: Option<Option<Rep>>,
    ) -> Step<FunctionId> {
        let function = match callee {
            Target::Direct(function) => return Ok(function),
            Target::Indirect(reg) => {
                let (address, handle) = r.pair(reg);
                if origin(handle) != Some(Origin::Function)
                    || self.memory.base(handle) != Some(address)
                {
                    let fault =
                        if address == 0 && handle == 0 { Fault::Null } else { Fault::CallType };
                    return Err(Stop::Fault(fault));
                }
                FunctionId::new(index(handle))
            }
        };
        let code = self.code(function)?;
        let same = code.params.len() == args.len()
            && code.params.iter().zip(args).all(|(param, &arg)| param.rep.is_compatible(arg))
            && match (ret.flatten(), code.ret) {
                // Nobody wants the result.
                (None, _) => true,
                (Some(wanted), Some(given)) => wanted.is_compatible(given),
                (Some(_), None) => false,
            };
        if same { Ok(function) } else { Err(Stop::Fault(Fault::CallType)) }
    }

    /// Ends a call: its value goes to where the caller wants it. Without a caller, the thread ends.
    pub(crate) fn give_back(&mut self, t: &mut Thread, op: Op, fp: usize) -> Step<()> {
        let (big_fp, given) = t.frames.last().map_or((0, None), |f| (f.big_fp, f.code.ret));
        self.pop_frame(t);
        let Some(frame) = t.frames.last() else {
            if let Op::Ret { a, words: 2 } = op {
                t.result = (t.regs[fp + a as usize], t.regs[fp + a as usize + 1]);
            }
            t.state = State::Ended;
            t.atomic = 0;
            // The entry function's return is the end of the program.
            return if self.current == 0 { Err(Stop::Done(Outcome::Exited(0))) } else { Ok(()) };
        };
        let Some(&Op::Call { call }) = frame.code.ops.get(frame.pc as usize - 1) else {
            return Err(Stop::Bad("a return to no call".into()));
        };
        let Some(dest) = frame.code.calls[call as usize].dest else { return Ok(()) };
        let (to, to_big) = (frame.fp + dest.reg as usize, frame.big_fp + dest.reg as usize);
        match op {
            Op::Ret { a, words } => {
                let from = fp + a as usize;
                if words > 0 {
                    t.regs[to] = with_sign(t.regs[from], given.unwrap_or(dest.rep), dest.rep);
                }
                if words > 1 {
                    t.regs[to + 1] = t.regs[from + 1];
                }
            }
            Op::RetBig { a } => {
                let value: Big = std::mem::take(&mut t.bigs[big_fp + a as usize]);
                t.bigs[to_big] = value;
            }
            _ => {}
        }
        Ok(())
    }

    /// Tells the one who watches of an access.
    pub(crate) fn trace_access(
        &mut self,
        t: &Thread,
        kind: AccessKind,
        (address, handle): (u64, Handle),
        size: u64,
    ) {
        let Some(frame) = t.frames.last() else { return };
        let tracer = self.options.trace.as_ref();
        let wanted = kind == AccessKind::Write && tracer.is_some_and(|it| it.wants_variables());
        let variable = wanted.then(|| self.variable_at(t, address, handle)).flatten();
        let Some(tracer) = &mut self.options.trace else { return };
        let op = (frame.pc as usize).saturating_sub(1);
        let instr = frame.code.instr_of.get(op).copied().unwrap_or(0) as usize;
        tracer.access(&Access {
            thread: self.current,
            depth: t.frames.len(),
            function: frame.function,
            instr,
            kind,
            address,
            size,
            variable,
        });
    }

    /// Tells the one who watches.
    pub(crate) fn trace(&mut self, t: &Thread, what: What) {
        let Some(tracer) = &mut self.options.trace else { return };
        let Some(frame) = t.frames.last() else { return };
        let instr =
            frame.code.instr_of.get((frame.pc as usize).saturating_sub(1)).copied().unwrap_or(0)
                as usize;
        let body = self.program.functions[frame.function].body.as_deref().unwrap_or_default();
        let Some(instruction) = body.get(instr) else { return };
        tracer.event(&Event {
            thread: self.current,
            depth: t.frames.len(),
            function: frame.function,
            instr,
            kind: &instruction.kind,
            span: instruction.span,
            what,
        });
    }
}

/// A word of one integer type as that of another of the same width.
fn with_sign(word: u64, from: Rep, to: Rep) -> u64 {
    match (from, to) {
        (Rep::Int(a, _), Rep::Int(b, width)) if a != b && width < 64 => canonical(word, b, width),
        _ => word,
    }
}
