//! Names in the output: those of the source wherever they still mean the same.
//!
//! At file scope, what has external linkage keeps its name and what has internal linkage gives way on a clash, which can
//! happen when several units were linked. Inside a function the events of the walk are replayed with the scopes that the
//! text will have; whatever would capture a use of something else is renamed. New names end in a number and are taken
//! by nothing else.

use super::Printer;
use super::walk::{Event, Facts, is_local};
use crate::hir::{FuncId, Item, LabelId, Linkage, Storage, VarId};
use crate::intern::Symbol;
use crate::types::RecordId;
use rustc_hash::{FxHashMap, FxHashSet};

/// The names that differ from those of the source, and those that are taken.
#[derive(Default)]
pub(super) struct Names<'u> {
    vars: FxHashMap<VarId, String>,
    functions: FxHashMap<FuncId, String>,
    labels: FxHashMap<LabelId, String>,
    records: FxHashMap<RecordId, String>,
    /// Names of variables and functions at file scope, as printed.
    file_scope: FxHashSet<String>,
    /// Names of all variables and functions of the unit, in whatever scope.
    ordinary: FxHashSet<&'u str>,
    /// Tags as printed.
    tags: FxHashSet<String>,
    /// Tags of the source.
    source_tags: FxHashSet<&'u str>,
    /// The number that a generated name tries next.
    counters: FxHashMap<String, u32>,
}

/// The first of `base_1`, `base_2`, ... that is free.
fn number(
    counters: &mut FxHashMap<String, u32>,
    base: &str,
    taken: impl Fn(&str) -> bool,
) -> String {
    let counter = counters.entry(base.to_owned()).or_insert(0);
    loop {
        *counter += 1;
        let name = format!("{base}_{counter}");
        if !taken(&name) {
            return name;
        }
    }
}

impl Names<'_> {
    /// A name for a typedef: visible everywhere, so no variable may have it.
    pub(super) fn fresh_typedef(&mut self, base: &str) -> String {
        let Names { counters, ordinary, file_scope, .. } = self;
        let name =
            number(counters, base, |name| ordinary.contains(name) || file_scope.contains(name));
        file_scope.insert(name.clone());
        name
    }

    /// Takes a name at file scope; tells whether it was free.
    pub(super) fn reserve(&mut self, name: &str) -> bool {
        self.file_scope.insert(name.to_owned())
    }
}

impl<'u> Printer<'u> {
    pub(super) fn var_name(&self, var: VarId) -> String {
        let var = self.lengths.stands_for(var);
        if let Some(name) = self.names.vars.get(&var) {
            return name.clone();
        }
        match self.unit.vars[var].name {
            Some(name) => self.unit.names.name(name).to_owned(),
            None => format!("hidden_{}", var.as_u32()),
        }
    }

    pub(super) fn function_name(&self, function: FuncId) -> String {
        match self.names.functions.get(&function) {
            Some(name) => name.clone(),
            None => self.unit.names.name(self.unit.functions[function].name).to_owned(),
        }
    }

    pub(super) fn label_name(&self, label: LabelId) -> String {
        match self.names.labels.get(&label) {
            Some(name) => name.clone(),
            None => self.unit.names.name(self.unit.labels[label].name).to_owned(),
        }
    }

    /// The tag: that of the source for the first structure printed with it, a new one for others.
    pub(super) fn record_name(&mut self, id: RecordId) -> String {
        let tag = self.unit.types.records[id].tag.map(|tag| self.unit.names.name(tag));
        if self.standalone {
            return tag.unwrap_or("<anonymous>").to_owned();
        }
        if let Some(name) = self.names.records.get(&id) {
            return name.clone();
        }
        let Names { counters, tags, source_tags, .. } = &mut self.names;
        let name = match tag {
            Some(tag) if !tags.contains(tag) => tag.to_owned(),
            _ => {
                // Tags are numbered apart from the names of variables.
                let base = tag.unwrap_or("anon");
                let mut tag_counters = std::mem::take(counters);
                let key = format!("struct {base}");
                let counter = tag_counters.entry(key).or_insert(0);
                let name = loop {
                    *counter += 1;
                    let name = format!("{base}_{counter}");
                    if !tags.contains(&name) && !source_tags.contains(name.as_str()) {
                        break name;
                    }
                };
                *counters = tag_counters;
                name
            }
        };
        tags.insert(name.clone());
        self.names.records.insert(id, name.clone());
        name
    }

    /// Names everything at file scope.
    pub(super) fn name_file_scope(&mut self) {
        let unit = self.unit;
        self.names.source_tags = unit
            .types
            .records
            .values()
            .filter_map(|record| Some(unit.names.name(record.tag?)))
            .collect();
        self.names.ordinary = unit
            .vars
            .values()
            .filter_map(|var| var.name)
            .chain(unit.functions.values().map(|function| function.name))
            .map(|name| unit.names.name(name))
            .collect();
        let mut later = Vec::new();
        for &item in &unit.items {
            let (name, linkage) = match item {
                Item::Var(var) => match (unit.vars[var].name, unit.vars[var].storage) {
                    (Some(name), Storage::Static { linkage, function: None, .. }) => {
                        (name, linkage)
                    }
                    _ => continue,
                },
                Item::Function(function) => {
                    (unit.functions[function].name, unit.functions[function].linkage)
                }
                Item::Asm(_) => continue,
            };
            let name = unit.names.name(name);
            if linkage == Linkage::External {
                self.names.file_scope.insert(name.to_owned());
            } else {
                later.push((item, name));
            }
        }
        self.name_nested_functions();
        for (item, name) in later {
            if self.names.file_scope.insert(name.to_owned()) {
                continue;
            }
            let Names { counters, ordinary, file_scope, .. } = &mut self.names;
            let fresh =
                number(counters, name, |name| ordinary.contains(name) || file_scope.contains(name));
            file_scope.insert(fresh.clone());
            match item {
                Item::Var(var) => drop(self.names.vars.insert(var, fresh)),
                Item::Function(function) => drop(self.names.functions.insert(function, fresh)),
                Item::Asm(_) => {}
            }
        }
    }

    /// Names nested functions: a name that anything else has too gives way.
    fn name_nested_functions(&mut self) {
        let unit = self.unit;
        if unit.functions.values().all(|function| function.nested.is_none()) {
            return;
        }
        let mut count: FxHashMap<Symbol, u32> = FxHashMap::default();
        let variables = unit.vars.values().filter_map(|var| var.name);
        for name in variables.chain(unit.functions.values().map(|function| function.name)) {
            *count.entry(name).or_default() += 1;
        }
        for (id, function) in unit.functions.iter().filter(|(_, f)| f.nested.is_some()) {
            if count.get(&function.name).is_some_and(|&n| n > 1) {
                let fresh = self.names.fresh_typedef(unit.names.name(function.name));
                self.names.functions.insert(id, fresh);
            }
        }
    }

    /// Names the locals and labels of a function.
    pub(super) fn name_locals(&mut self, facts: &Facts) {
        let unit = self.unit;
        // How many locals have a name, and which names are taken in this function.
        let mut count: FxHashMap<Symbol, u32> = FxHashMap::default();
        let mut unnamed = Vec::new();
        for event in &facts.events {
            if let Event::Declare(var) = *event {
                match unit.vars[var].name {
                    Some(name) => *count.entry(name).or_default() += 1,
                    None => unnamed.push(var),
                }
            }
        }
        // A static local moves to the top of the function: it must not meet another local there or on the way.
        let mut renamed: Vec<VarId> = Vec::new();
        let mut is_renamed: FxHashSet<VarId> = FxHashSet::default();
        for event in &facts.events {
            if let Event::Declare(var) = *event
                && matches!(unit.vars[var].storage, Storage::Static { .. })
                && unit.vars[var].name.is_some_and(|name| count.get(&name).is_some_and(|&n| n > 1))
            {
                renamed.push(var);
                is_renamed.insert(var);
            }
        }
        self.replay(facts, &mut renamed, &mut is_renamed);
        let mut counters = FxHashMap::default();
        let mut taken: FxHashSet<String> = FxHashSet::default();
        let mut fresh = |printer: &mut Self, var: VarId, base: &str| {
            let name = number(&mut counters, base, |name| {
                taken.contains(name)
                    || printer.names.file_scope.contains(name)
                    || unit.names.lookup(name).is_some_and(|symbol| count.contains_key(&symbol))
            });
            taken.insert(name.clone());
            printer.names.vars.insert(var, name);
        };
        for var in renamed {
            let base = unit.vars[var].name.map_or("local", |name| unit.names.name(name));
            fresh(self, var, base);
        }
        for var in unnamed {
            let base = if unit.vars[var].storage == Storage::Param { "param" } else { "local" };
            fresh(self, var, base);
        }
        for &var in &facts.hidden {
            if self.lengths.is_named(var) {
                fresh(self, var, "len");
            }
        }
        self.name_labels(facts);
    }

    /// Finds the locals that would capture a use of something else.
    fn replay(&self, facts: &Facts, renamed: &mut Vec<VarId>, is_renamed: &mut FxHashSet<VarId>) {
        let unit = self.unit;
        let mut visible: FxHashMap<Symbol, Vec<VarId>> = FxHashMap::default();
        let mut scopes: Vec<Vec<VarId>> = vec![Vec::new()];
        for event in &facts.events {
            let (name, owner) = match *event {
                Event::Enter => {
                    scopes.push(Vec::new());
                    continue;
                }
                Event::Exit => {
                    for var in scopes.pop().unwrap_or_default().into_iter().rev() {
                        if let Some(stack) =
                            unit.vars[var].name.and_then(|name| visible.get_mut(&name))
                            && stack.last() == Some(&var)
                        {
                            stack.pop();
                        }
                    }
                    continue;
                }
                Event::Declare(var) => {
                    if let Some(name) = unit.vars[var].name
                        && !is_renamed.contains(&var)
                    {
                        visible.entry(name).or_default().push(var);
                        if let Some(scope) = scopes.last_mut() {
                            scope.push(var);
                        }
                    }
                    continue;
                }
                Event::UseVar(var) if is_local(unit, var) => {
                    if is_renamed.contains(&var) {
                        continue;
                    }
                    let Some(name) = unit.vars[var].name else { continue };
                    (Some(name), Some(var))
                }
                Event::UseVar(var) => (unit.names.lookup(&self.var_name(var)), None),
                Event::UseFunction(function) => {
                    (unit.names.lookup(&self.function_name(function)), None)
                }
            };
            let Some(stack) = name.and_then(|name| visible.get_mut(&name)) else { continue };
            let keep = match owner {
                Some(owner) => match stack.iter().rposition(|&var| var == owner) {
                    Some(position) => position + 1,
                    None => continue,
                },
                None => 0,
            };
            for var in stack.drain(keep..) {
                if is_renamed.insert(var) {
                    renamed.push(var);
                }
            }
        }
    }

    /// Local labels of different blocks may share a name; in the output labels belong to the function.
    fn name_labels(&mut self, facts: &Facts) {
        let unit = self.unit;
        let source: FxHashSet<Symbol> =
            facts.labels.iter().map(|&label| unit.labels[label].name).collect();
        let mut used: FxHashSet<String> = FxHashSet::default();
        let mut counters = FxHashMap::default();
        for &label in &facts.labels {
            let name = unit.names.name(unit.labels[label].name);
            if used.insert(name.to_owned()) {
                continue;
            }
            let fresh = number(&mut counters, name, |name| {
                used.contains(name)
                    || unit.names.lookup(name).is_some_and(|symbol| source.contains(&symbol))
            });
            used.insert(fresh.clone());
            self.names.labels.insert(label, fresh);
        }
    }
}
