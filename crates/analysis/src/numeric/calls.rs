//! The effects of calls on integer variables: the variables that they can change, their results, and the arguments of
//! functions.
//!
//! Functions are looked at twice, callees before callers and then callers before callees. The first time parameters have any
//! value, and what is found is what each function returns; functions that call each other return any value. The second
//! time each parameter has the values of all calls; of functions that are called through pointers, or call each other,
//! any. What a function can change comes from points-to analysis, and is closed under calls.

use super::*;
use crate::callgraph::CallGraph;
use crate::points_to::{Origin, PointsTo};
use cranelift_entity::{EntitySet, SecondaryMap};
use vergo_goto::program::Callee;

/// The summaries of calls.
#[derive(Debug)]
pub struct Calls<N> {
    points_to: PointsTo,
    /// Variables that a function, or whoever it calls, can change: statics and those with addresses.
    changed: SecondaryMap<FunctionId, Rc<FxHashSet<SymbolId>>>,
    results: FxHashMap<FunctionId, N>,
    parameters: FxHashMap<SymbolId, N>,
    addressed: Rc<FxHashSet<SymbolId>>,
    thresholds: Rc<Vec<i128>>,
    threads: bool,
}

impl<N: Number> Calls<N> {
    /// Looks at all functions of a program that can be called.
    pub fn of(program: &Program, arithmetic: Arithmetic) -> Calls<N> {
        let points_to = PointsTo::of(program);
        let graph = CallGraph::resolved(program, &points_to);
        let (addressed, thresholds, threads) = common(program);
        let mut calls = Calls {
            points_to,
            changed: SecondaryMap::new(),
            results: FxHashMap::default(),
            parameters: FxHashMap::default(),
            addressed: Rc::new(addressed),
            thresholds: Rc::new(thresholds),
            threads,
        };
        calls.find_changes(program, &graph);
        let order: Vec<FunctionId> = graph.bottom_up().iter().flatten().copied().collect();
        for &function in order.iter().filter(|&&function| !graph.is_recursive(function)) {
            calls.find_result(program, function, arithmetic);
        }
        calls.find_parameters(program, &graph, &order, arithmetic);
        calls
    }

    pub(super) fn common(&self) -> (Rc<FxHashSet<SymbolId>>, Rc<Vec<i128>>, bool) {
        (Rc::clone(&self.addressed), Rc::clone(&self.thresholds), self.threads)
    }

    /// The variables that a write of a place can change.
    pub(super) fn variables_at(&self, place: ExprId) -> FxHashSet<SymbolId> {
        let cells = self.points_to.cells(place);
        let objects = cells.iter().map(|&cell| self.points_to.object(cell));
        self.variables(objects).collect()
    }

    /// The variables among objects, with all exposed ones if one of them is outside.
    fn variables(
        &self,
        objects: impl Iterator<Item = crate::points_to::ObjectId>,
    ) -> impl Iterator<Item = SymbolId> {
        objects.flat_map(move |object| {
            let outside = self.points_to.origin(object) == Origin::Outside;
            let exposed =
                self.points_to.objects().filter(move |&o| outside && self.points_to.is_exposed(o));
            exposed.chain([object]).filter_map(|object| match self.points_to.origin(object) {
                Origin::Variable(symbol) => Some(symbol),
                _ => None,
            })
        })
    }

    fn callees(&self, callee: Callee) -> Vec<FunctionId> {
        match callee {
            Callee::Direct(function) => vec![function],
            Callee::Indirect(pointer) => self.points_to.callees(pointer),
        }
    }

    /// Tells what each callee can change.
    pub(super) fn change(&self, callee: Callee, mut f: impl FnMut(&FxHashSet<SymbolId>)) {
        self.callees(callee).into_iter().for_each(|function| f(&self.changed[function]));
    }

    /// Returns the result of a call.
    pub(super) fn result(&self, word: Word, callee: Callee) -> Option<N> {
        let mut all: Option<N> = None;
        for function in self.callees(callee) {
            let result = *self.results.get(&function)?;
            all = Some(all.map_or(result, |all| all.join(word, result)));
        }
        // A call through a pointer may reach none of them, and returns any value then.
        all.filter(|_| matches!(callee, Callee::Direct(_)))
    }

    /// The parameters of a function that are not just any value.
    pub(super) fn parameters(
        &self,
        program: &Program,
        function: FunctionId,
    ) -> impl Iterator<Item = (SymbolId, N)> {
        let params = program.functions[function].params.iter();
        params.filter_map(|param| Some((*param, *self.parameters.get(param)?)))
    }

    fn find_changes(&mut self, program: &Program, graph: &CallGraph) {
        for group in graph.bottom_up() {
            let mut changed = FxHashSet::default();
            for &function in group {
                for instr in program.functions[function].body.iter().flatten() {
                    instr.kind.for_each_expr(|expr, role| {
                        if role == vergo_goto::rewrite::Role::Write {
                            changed.extend(self.variables_at(expr));
                        }
                    });
                    if let InstrKind::Intrinsic { op, args, .. } = &instr.kind {
                        for block in op.blocks() {
                            let cells = args
                                .get(block.pointer)
                                .map_or(&[][..], |&p| self.points_to.block(p));
                            let objects = cells.iter().map(|&cell| self.points_to.object(cell));
                            changed.extend(self.variables(objects));
                        }
                        if op.is_for_runs() {
                            changed.extend(self.addressed.iter().copied());
                        }
                    }
                }
                for callee in graph.callees(function) {
                    changed.extend(self.changed[*callee].iter().copied());
                }
            }
            // Locals that no pointer leads to are each activation's own.
            changed.retain(|symbol| {
                self.addressed.contains(symbol)
                    || matches!(program.symbols[*symbol].kind, SymbolKind::Static { .. })
            });
            let changed = Rc::new(changed);
            group.iter().for_each(|&function| self.changed[function] = Rc::clone(&changed));
        }
    }

    fn find_result(&mut self, program: &Program, function: FunctionId, arithmetic: Arithmetic) {
        let info = &program.functions[function];
        let Type::Func(result, _) = *program.types.get(info.ty) else { return };
        let (Some(body), Some(word)) = (&info.body, word(program, result)) else { return };
        let cfg = Cfg::of(info);
        let numbers = Numbers::with(program, function, &cfg, arithmetic, Some(self));
        let mut walk = Walk::new(program, function, arithmetic, Some(self));
        let mut returned: Option<N> = None;
        walk_blocks(&cfg, |leader, end| {
            walk.enter(&numbers, leader);
            for instr in &body[leader..end] {
                if let InstrKind::Return(Some(value)) = instr.kind
                    && walk.is_reachable()
                {
                    let value = walk.value(value).unwrap_or(N::all(word));
                    returned = Some(returned.map_or(value, |all| all.join(word, value)));
                }
                walk.step(&instr.kind);
            }
        });
        // One that never returns has no result, and nobody comes behind its calls.
        self.results.insert(function, returned.unwrap_or(N::all(word)));
    }

    fn find_parameters(
        &mut self,
        program: &Program,
        graph: &CallGraph,
        order: &[FunctionId],
        arithmetic: Arithmetic,
    ) {
        let mut any: EntitySet<FunctionId> = EntitySet::new();
        any.extend(crate::callgraph::address_taken(program));
        any.extend(order.iter().copied().filter(|&function| graph.is_recursive(function)));
        any.extend(program.entry);
        let mut found: FxHashMap<SymbolId, N> = FxHashMap::default();
        for &caller in order.iter().rev() {
            // All callers of a function come before it, so that its parameters are known now.
            for &param in program.functions[caller].params.iter().filter(|_| !any.contains(caller))
            {
                if let (Some(&number), Some(word)) =
                    (found.get(&param), word(program, program.symbols[param].ty))
                    && number != N::all(word)
                {
                    self.parameters.insert(param, number);
                }
            }
            let info = &program.functions[caller];
            let Some(body) = &info.body else { continue };
            let cfg = Cfg::of(info);
            let numbers = Numbers::with(program, caller, &cfg, arithmetic, Some(self));
            let mut walk = Walk::new(program, caller, arithmetic, Some(&*self));
            walk_blocks(&cfg, |leader, end| {
                walk.enter(&numbers, leader);
                for instr in &body[leader..end] {
                    if let InstrKind::Call { callee: Callee::Direct(callee), args, .. } =
                        &instr.kind
                        && walk.is_reachable()
                    {
                        for (i, &param) in program.functions[*callee].params.iter().enumerate() {
                            let Some(word) = word(program, program.symbols[param].ty) else {
                                continue;
                            };
                            let same = |arg: &&ExprId| {
                                program.exprs.ty(**arg) == program.symbols[param].ty
                            };
                            let value = args.get(i).filter(same).and_then(|&arg| walk.value(arg));
                            let value = value.unwrap_or(N::all(word));
                            let all = found.get(&param).map_or(value, |all| all.join(word, value));
                            found.insert(param, all);
                        }
                    }
                    walk.step(&instr.kind);
                }
            });
        }
    }
}

/// Calls a function with the beginning and the end of each block.
pub fn walk_blocks(cfg: &Cfg, mut f: impl FnMut(usize, usize)) {
    if cfg.is_empty() {
        return;
    }
    let leaders = cfg.leaders();
    for (block, &leader) in leaders.iter().enumerate() {
        f(leader, cfg.block_end(&leaders, block));
    }
}
