//! The start of a thread, as CBMC has it: START_THREAD goes on twice, and the new thread calls the function and ends.
//!
//! The new thread has copies of the variables of the function that starts it. What it calls and with what is put into
//! variables first, since static objects can change before it runs.

use super::instructions::Code;
use super::symbols::Names;
use super::{Expressed, Expresser};
use crate::irep::IrepId;
use crate::view::{Kind, flag};
use vergo_goto::expr::ExprId;
use vergo_goto::program::Callee;

impl Expresser<'_> {
    pub(super) fn spawn(
        &mut self,
        code: &mut Code,
        at: IrepId,
        dest: Option<ExprId>,
        callee: &Callee,
        arg: ExprId,
    ) -> Expressed<()> {
        if dest.is_some() {
            return Err("the number of a thread".to_owned());
        }
        let direct = match *callee {
            Callee::Direct(function) => Some(function),
            Callee::Indirect(pointer) => self.named_function(pointer).filter(|&f| {
                self.p.pointee(self.p.exprs.ty(pointer)) == Some(self.p.functions[f].ty)
            }),
        };
        let function = match (direct, *callee) {
            (Some(function), _) => self.function_symbol(function)?,
            (None, Callee::Indirect(pointer)) => {
                let to = self.p.pointee(self.p.exprs.ty(pointer)).ok_or("a call of nothing")?;
                let pointer = self.kept(code, at, "function", pointer)?;
                let ty = self.ty(to)?;
                self.typed("dereference", &[pointer], ty)
            }
            (None, Callee::Direct(_)) => return Err("a call of nothing".to_owned()),
        };
        let arg = self.kept(code, at, "argument", arg)?;
        let (begin, behind) = (code.new_target(), code.new_target());
        let nil = self.b.leaf("nil");
        let start = self.statement("start_thread", &[]);
        self.push_to(code, Kind::StartThread, start, at, None, &[begin]);
        self.push_to(code, Kind::Goto, nil, at, None, &[behind]);
        code.number = begin;
        self.call_instruction(code, at, nil, function, &[arg]);
        let end = self.statement("end_thread", &[]);
        self.push(code, Kind::EndThread, end, at, None);
        let skip = self.statement("skip", &[]);
        code.number = behind;
        self.push(code, Kind::Skip, skip, at, None);
        Ok(())
    }

    /// A variable of the function that holds a value.
    fn kept(
        &mut self,
        code: &mut Code,
        at: IrepId,
        what: &str,
        value: ExprId,
    ) -> Expressed<IrepId> {
        let ty = self.ty(self.p.exprs.ty(value))?;
        let value = self.value(value)?;
        let base = format!("thread_{what}{}", code.n_targets());
        let name = format!("{}::$tmp::{base}", code.name);
        let nil = self.b.leaf("nil");
        let flags = flag::LVALUE | flag::THREAD_LOCAL | flag::FILE_LOCAL;
        self.symbol(&Names { name: &name, base: &base, flags }, ty, nil, at);
        let place = self.named(&name, ty);
        let decl = self.statement("decl", &[place]);
        self.push(code, Kind::Decl, decl, at, None);
        self.assignment(code, at, place, value);
        Ok(place)
    }
}
