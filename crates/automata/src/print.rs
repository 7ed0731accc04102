//! Automata as text: what is printed is parsed to the same automaton.

use crate::automaton::{
    Annotation, Automaton, ClassKind, Instances, Mode, Pattern, Place, TypeClass,
};
use std::fmt;

impl fmt::Display for Automaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = match self.mode {
            Mode::Static => "automaton",
            Mode::Monitor => "monitor",
        };
        write!(f, "{mode} {}", self.name)?;
        if !self.description.is_empty() {
            write!(f, " \"{}\"", self.description)?;
        }
        if self.instances == Instances::Loop {
            write!(f, " per loop")?;
        }
        writeln!(f, " {{")?;
        for proposition in &self.propositions {
            writeln!(f, "    prop {} = {};", proposition.name, proposition.text)?;
        }
        for variable in &self.variables {
            let shared = if variable.shared { "shared " } else { "" };
            let gap = if variable.before.ends_with('*') { "" } else { " " };
            let after = match variable.after.as_str() {
                "" => String::new(),
                after if after.starts_with('[') => after.to_owned(),
                after => format!(" {after}"),
            };
            writeln!(f, "    {shared}var {}{gap}{}{after};", variable.before, variable.name)?;
        }
        if !self.reads.is_empty() {
            let names: Vec<&str> = self.reads.iter().map(|(name, _)| name.as_str()).collect();
            writeln!(f, "    reads {};", names.join(", "))?;
        }
        writeln!(f)?;
        for state in &self.states {
            match state.annotation {
                Annotation::True => writeln!(f, "    state {};", state.name)?,
                _ => writeln!(f, "    state {}: {};", state.name, state.annotation)?,
            }
        }
        if self.start != [0] {
            let names: Vec<&str> =
                self.start.iter().map(|&s| self.states[s].name.as_str()).collect();
            writeln!(f, "    start {};", names.join(", "))?;
        }
        for transition in &self.transitions {
            let (from, to) = (&self.states[transition.from].name, &self.states[transition.to].name);
            let place = match transition.place {
                Place::Before => "before",
                Place::After => "after",
                Place::Replace => "replace",
            };
            write!(f, "\n    {from} -> {to} on {} {place} {{", transition.pattern)?;
            let text = transition.operation.text.trim();
            if text.lines().count() <= 1 {
                writeln!(f, " {text} }}")?;
                continue;
            }
            writeln!(f)?;
            // What was indented by a file that it was read from is indented anew.
            let depth = |line: &str| line.len() - line.trim_start().len();
            let rest = text.lines().skip(1).filter(|line| !line.trim().is_empty());
            let least = rest.map(depth).min().unwrap_or(0);
            for line in text.lines() {
                let line = line.get(least.min(depth(line))..).unwrap_or_default();
                writeln!(f, "        {}", line.trim_end())?;
            }
            writeln!(f, "    }}")?;
        }
        writeln!(f, "}}")
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Any => write!(f, "any"),
            Pattern::Cond => write!(f, "cond"),
            Pattern::NotCond => write!(f, "!cond"),
            Pattern::Change => write!(f, "change"),
            Pattern::Arithmetic { op, operands, class } => {
                match &operands[..] {
                    [a, b] => write!(f, "${a} {} ${b}", op.symbol())?,
                    _ => write!(f, "{}${}", op.symbol(), operands.concat())?,
                }
                write!(f, "{class}")
            }
            Pattern::Call { result, function, external, arguments, open } => {
                if let Some(result) = result {
                    write!(f, "${result} = ")?;
                }
                let hole = |argument: &Option<String>| match argument {
                    Some(name) => format!("${name}"),
                    None => "_".to_owned(),
                };
                let mut list: Vec<String> = arguments.iter().map(hole).collect();
                if *open {
                    list.push("...".to_owned());
                }
                let external = if *external { "extern " } else { "" };
                write!(f, "{external}{function}({})", list.join(", "))
            }
            Pattern::Access { pointer } => write!(f, "*${pointer}"),
        }
    }
}

/// With the colon before it; all arithmetic types are nothing.
impl fmt::Display for TypeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            ClassKind::Arithmetic => "arithmetic",
            ClassKind::Integer => "integer",
            ClassKind::Signed => "signed",
            ClassKind::Unsigned => "unsigned",
            ClassKind::Float => "float",
        };
        let all = self.least == 0 && self.greatest == u32::MAX;
        if self.kind == ClassKind::Arithmetic && all {
            return Ok(());
        }
        write!(f, " : {kind}")?;
        match (self.least, self.greatest) {
            (0, u32::MAX) => Ok(()),
            (least, u32::MAX) => write!(f, " {least}.."),
            (0, greatest) => write!(f, " ..{greatest}"),
            (least, greatest) => write!(f, " {least}..{greatest}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::builtin::BUILTINS;
    use vergo_cfront::words::on_one_line;
    use vergo_source::{Diagnostics, SourceMap};

    /// All that is said about an automaton, without positions and blanks.
    fn shown(text: &str) -> (String, String) {
        let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
        let file = map.add("a.ia", text).expect("a small file");
        let mut automaton = crate::parse(&map, file, &mut diags).expect(text);
        for transition in &mut automaton.transitions {
            transition.operation.text = on_one_line(&transition.operation.text);
        }
        (automaton.to_string(), on_one_line(text))
    }

    #[test]
    fn what_is_printed_is_read_again() {
        for builtin in BUILTINS {
            let (printed, _) = shown(builtin.text);
            assert_eq!(shown(&printed).0, printed, "{}", builtin.name);
            // Everything but comments is printed.
            let (again, original) = (on_one_line(&printed), on_one_line(builtin.text));
            assert_eq!(again.len(), original.len(), "{again}\n{original}");
        }
    }

    #[test]
    fn every_part_is_printed() {
        let text = "monitor m \"d\" per loop { prop p = x == 1; shared var void *v[3]; var int w = 0; \
                    reads a, b; state q; state r: function f; start r, q; \
                    q -> r on $a * $b : signed 1..32 before { w = 1; } \
                    q -> r on -$a : float after { w = 1; } \
                    r -> r on any before { w = 2; } \
                    q -> q on $r = extern f($x, _, ...) replace { 1 } \
                    q -> q on *$p before { w = p; } q -> q on change after { w = p; } \
                    q -> q on !cond after { w = 3; } }";
        let (printed, original) = shown(text);
        assert_eq!(on_one_line(&printed), original);
    }
}
