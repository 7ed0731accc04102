//! The variables of a makefile, without running anything.
//!
//! Proofs for CBMC are described by variables of makefiles that include each other. This reads assignments, conditionals, includes
//! and the functions on text that such files use; rules are passed over. `$(shell ...)` is not run: `dirname`, `pwd` and sums in
//! `echo` are computed here, and of everything else a remark is made. Files are read below one folder alone, and the work is bounded,
//! so that a stranger's makefile does no harm.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::compile_commands::normal;

/// The limits of expansions and includes: their nesting, their number, and the length of a text.
const DEPTH: usize = 64;
const MOST: usize = 200_000;
const LONGEST: usize = 1 << 20;

#[derive(Clone, Debug)]
struct Variable {
    text: String,
    /// True if the text is expanded where the variable is used.
    recursive: bool,
}

/// Variables as a makefile leaves them.
pub(super) struct Makefile {
    variables: BTreeMap<String, Variable>,
    /// The folder in which make would run, and the one that is not left.
    folder: PathBuf,
    root: PathBuf,
    n_expanded: usize,
    n_included: usize,
    /// The constructs that were not followed.
    pub(super) remarks: BTreeSet<String>,
}

impl Makefile {
    /// Reads a makefile; both paths are absolute.
    pub(super) fn read(path: &Path, root: &Path) -> Makefile {
        let folder = path.parent().unwrap_or(root).to_owned();
        let mut make = Makefile {
            variables: BTreeMap::new(),
            folder: folder.clone(),
            root: root.to_owned(),
            n_expanded: 0,
            n_included: 0,
            remarks: BTreeSet::new(),
        };
        make.set("CURDIR", folder.to_string_lossy().into_owned(), false);
        make.set("SHELL", "/bin/sh".to_owned(), false);
        make.set("MAKEFILE_LIST", String::new(), false);
        make.include(path, 0);
        make
    }

    /// The expanded value of a variable.
    pub(super) fn value(&mut self, name: &str) -> String {
        self.variable(name, 0).trim().to_owned()
    }

    fn set(&mut self, name: &str, text: String, recursive: bool) {
        self.variables.insert(name.to_owned(), Variable { text, recursive });
    }

    fn include(&mut self, path: &Path, depth: usize) {
        let real = normal(path);
        if !real.exists() {
            return;
        }
        let is_inside = real.canonicalize().is_ok_and(|path| path.starts_with(&self.root));
        self.n_included += 1;
        if !is_inside || depth > DEPTH || self.n_included > 1000 {
            self.remarks.insert(format!("the makefile `{}` is not read", path.display()));
            return;
        }
        let Ok(text) = std::fs::read(&real) else { return };
        let text = String::from_utf8_lossy(&text).into_owned();
        if let Some(list) = self.variables.get_mut("MAKEFILE_LIST") {
            list.text.push(' ');
            list.text.push_str(&path.to_string_lossy());
        }
        self.lines(&text, depth);
    }

    fn lines(&mut self, text: &str, depth: usize) {
        // For each conditional around: whether this branch is taken, and whether one has been.
        let mut branches: Vec<(bool, bool)> = Vec::new();
        let mut define: Option<(String, String)> = None;
        let joined = text.replace("\r\n", "\n").replace("\\\n", " ");
        for raw in joined.lines() {
            if let Some((name, body)) = &mut define {
                if raw.trim() == "endef" {
                    let (name, body) = (std::mem::take(name), std::mem::take(body));
                    define = None;
                    self.set(&name, body, true);
                } else {
                    body.push_str(raw);
                    body.push('\n');
                }
                continue;
            }
            // What begins with a tab belongs to a rule.
            if raw.starts_with('\t') {
                continue;
            }
            let line = without_comment(raw);
            let line = line.trim();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let rest = rest.trim();
            if self.conditional(word, rest, &mut branches, depth) {
                continue;
            }
            if branches.iter().any(|(taken, _)| !taken) {
                continue;
            }
            match word {
                "include" | "-include" | "sinclude" => {
                    let files = self.expand(rest, depth);
                    for file in files.split_whitespace() {
                        self.include(&self.folder.join(file), depth + 1);
                    }
                }
                "define" => {
                    let name = rest.trim_end_matches(['=', ' ', ':', '?', '+']);
                    define = Some((name.to_owned(), String::new()));
                }
                "export" | "override" | "unexport" => self.assignment(rest, depth),
                _ => self.assignment(line, depth),
            }
        }
    }

    /// Follows a line of a conditional; false if it is none.
    fn conditional(
        &mut self,
        word: &str,
        rest: &str,
        branches: &mut Vec<(bool, bool)>,
        depth: usize,
    ) -> bool {
        let (word, rest, is_else) = match word {
            "else" if !rest.is_empty() => {
                let (word, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                (word, rest.trim(), true)
            }
            _ => (word, rest, false),
        };
        match word {
            "else" => {
                if let Some(branch) = branches.last_mut() {
                    *branch = (!branch.1, true);
                }
            }
            "endif" => {
                branches.pop();
            }
            "ifeq" | "ifneq" | "ifdef" | "ifndef" => {
                let holds = match word {
                    "ifeq" => self.are_equal(rest, depth),
                    "ifneq" => !self.are_equal(rest, depth),
                    "ifdef" => self.is_defined(rest),
                    _ => !self.is_defined(rest),
                };
                if is_else {
                    if let Some(branch) = branches.last_mut() {
                        *branch = (holds && !branch.1, holds || branch.1);
                    }
                } else {
                    branches.push((holds, holds));
                }
            }
            _ => return false,
        }
        true
    }

    /// `(a,b)`, `"a" "b"` or `'a' 'b'`.
    fn are_equal(&mut self, text: &str, depth: usize) -> bool {
        let (a, b) = if let Some(inner) = text.strip_prefix('(') {
            let inner = inner.trim_end().strip_suffix(')').unwrap_or(inner);
            let mut parts = arguments(inner, 2).into_iter();
            (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
        } else {
            let mut parts = text.split(['"', '\'']).filter(|part| !part.trim().is_empty());
            let (a, b) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            (a.to_owned(), b.to_owned())
        };
        self.expand(a.trim(), depth).trim() == self.expand(b.trim(), depth).trim()
    }

    fn is_defined(&self, name: &str) -> bool {
        self.variables.get(name.trim()).is_some_and(|variable| !variable.text.is_empty())
    }

    fn assignment(&mut self, line: &str, depth: usize) {
        let Some(at) = line.find('=') else { return };
        let (before, text) = (&line[..at], line[at + 1..].trim_start().to_owned());
        let name = before.trim_end_matches([':', '+', '?', '!']);
        let operator = &before[name.len()..];
        let name = self.expand(name.trim(), depth);
        if name.is_empty() || name.contains([':', ' ', '\t', '#']) {
            return;
        }
        match operator {
            "" => self.set(&name, text, true),
            ":" | "::" | ":::" => {
                let text = self.expand(&text, depth);
                self.set(&name, text, false);
            }
            "?" => {
                if !self.variables.contains_key(&name) {
                    self.set(&name, text, true);
                }
            }
            "+" => {
                let recursive = self.variables.get(&name).is_none_or(|old| old.recursive);
                let text = if recursive { text } else { self.expand(&text, depth) };
                let into = self
                    .variables
                    .entry(name)
                    .or_insert_with(|| Variable { text: String::new(), recursive });
                if !into.text.is_empty() {
                    into.text.push(' ');
                }
                into.text.push_str(&text);
                into.text.truncate(floor(&into.text, LONGEST));
            }
            _ => {
                self.remarks.insert(format!("the command whose output is `{name}` is not run"));
            }
        }
    }

    fn variable(&mut self, name: &str, depth: usize) -> String {
        match self.variables.get(name).cloned() {
            Some(Variable { text, recursive: true }) => self.expand(&text, depth + 1),
            Some(Variable { text, .. }) => text,
            None => String::new(),
        }
    }

    /// A text with what its variables and functions stand for.
    fn expand(&mut self, text: &str, depth: usize) -> String {
        self.n_expanded += 1;
        if depth > DEPTH || self.n_expanded > MOST {
            self.remarks.insert("some variables nest too deeply".to_owned());
            return String::new();
        }
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            let Some(first) = rest.chars().next() else { break };
            match first {
                '$' => {
                    out.push('$');
                    rest = &rest[1..];
                }
                '(' | '{' => {
                    let Some(end) = closing(rest) else { break };
                    let inner = rest[1..end].to_owned();
                    rest = &rest[end + 1..];
                    let value = self.reference(&inner, depth);
                    out.push_str(&value);
                }
                letter => {
                    rest = &rest[letter.len_utf8()..];
                    let value = self.variable(letter.encode_utf8(&mut [0; 4]), depth);
                    out.push_str(&value);
                }
            }
            if out.len() > LONGEST {
                self.remarks.insert("some variables are too long".to_owned());
                out.truncate(floor(&out, LONGEST));
                return out;
            }
        }
        out.push_str(rest);
        out
    }

    /// Returns the text that `$(inner)` stands for.
    fn reference(&mut self, inner: &str, depth: usize) -> String {
        if let Some((name, rest)) = inner.split_once([' ', '\t'])
            && let Some(value) = self.function(name, rest.trim_start(), depth)
        {
            return value;
        }
        let name = self.expand(inner, depth + 1);
        // `$(NAME:from=to)`
        if let Some((name, change)) = name.split_once(':')
            && let Some((from, to)) = change.split_once('=')
        {
            let value = self.variable(name, depth);
            let any =
                |text: &str| if text.contains('%') { text.to_owned() } else { format!("%{text}") };
            return per_word(&value, |word| replace_pattern(&any(from), &any(to), word));
        }
        self.variable(&name, depth)
    }

    /// A function of make's; `None` if there is none of this name.
    fn function(&mut self, name: &str, rest: &str, depth: usize) -> Option<String> {
        let n_arguments = match name {
            "subst" | "patsubst" | "foreach" | "if" => 3,
            "filter" | "filter-out" | "findstring" | "addprefix" | "addsuffix" | "word"
            | "join" => 2,
            "strip" | "abspath" | "realpath" | "dir" | "notdir" | "firstword" | "lastword"
            | "words" | "sort" | "basename" | "suffix" | "shell" | "wildcard" | "error"
            | "warning" | "info" | "eval" | "value" | "origin" | "flavor" => 1,
            "or" | "and" | "call" => usize::MAX,
            _ => return None,
        };
        let raw = arguments(rest, n_arguments);
        match name {
            "foreach" => return Some(self.foreach(&raw, depth)),
            "call" => return Some(self.call(&raw, depth)),
            "if" => {
                let cond = self.expand(raw.first()?.trim(), depth + 1);
                let chosen = raw.get(if cond.trim().is_empty() { 2 } else { 1 });
                return Some(
                    chosen.cloned().map_or_else(String::new, |text| self.expand(&text, depth + 1)),
                );
            }
            _ => {}
        }
        let args: Vec<String> = raw.iter().map(|arg| self.expand(arg, depth + 1)).collect();
        let arg = |i: usize| args.get(i).map_or("", String::as_str);
        let words = |i: usize| arg(i).split_whitespace();
        let is_among = |patterns: &str, word: &str| {
            patterns.split_whitespace().any(|pattern| stem(pattern, word).is_some())
        };
        Some(match name {
            "subst" => match arg(0) {
                "" => arg(2).to_owned(),
                from => arg(2).replace(from, arg(1)),
            },
            "patsubst" => {
                per_word(arg(2), |word| replace_pattern(arg(0).trim(), arg(1).trim(), word))
            }
            "filter" => joined(words(1).filter(|word| is_among(arg(0), word))),
            "filter-out" => joined(words(1).filter(|word| !is_among(arg(0), word))),
            "findstring" => if arg(1).contains(arg(0)) { arg(0) } else { "" }.to_owned(),
            "addprefix" => per_word(arg(1), |word| format!("{}{word}", arg(0).trim())),
            "addsuffix" => per_word(arg(1), |word| format!("{word}{}", arg(0).trim())),
            "strip" => joined(words(0)),
            "firstword" => words(0).next().unwrap_or_default().to_owned(),
            "lastword" => words(0).last().unwrap_or_default().to_owned(),
            "words" => words(0).count().to_string(),
            "word" => {
                let n: usize = arg(0).trim().parse().unwrap_or(0);
                words(1).nth(n.wrapping_sub(1)).unwrap_or_default().to_owned()
            }
            "sort" => joined(words(0).collect::<BTreeSet<_>>().into_iter()),
            "abspath" | "realpath" => per_word(arg(0), |word| {
                normal(&self.folder.join(word)).to_string_lossy().into_owned()
            }),
            "dir" => per_word(arg(0), |word| match word.rfind('/') {
                Some(at) => word[..=at].to_owned(),
                None => "./".to_owned(),
            }),
            "notdir" => per_word(arg(0), |word| word.rsplit('/').next().unwrap_or(word).to_owned()),
            "basename" => per_word(arg(0), |word| match (word.rfind('.'), word.rfind('/')) {
                (Some(dot), slash) if slash.is_none_or(|slash| slash < dot) => {
                    word[..dot].to_owned()
                }
                _ => word.to_owned(),
            }),
            "suffix" => per_word(arg(0), |word| match (word.rfind('.'), word.rfind('/')) {
                (Some(dot), slash) if slash.is_none_or(|slash| slash < dot) => {
                    word[dot..].to_owned()
                }
                _ => String::new(),
            }),
            "or" => args.iter().find(|arg| !arg.trim().is_empty()).cloned().unwrap_or_default(),
            "and" => match args.iter().any(|arg| arg.trim().is_empty()) {
                true => String::new(),
                false => args.last().cloned().unwrap_or_default(),
            },
            "value" => {
                self.variables.get(arg(0).trim()).map_or_else(String::new, |v| v.text.clone())
            }
            "origin" if self.variables.contains_key(arg(0).trim()) => "file".to_owned(),
            "origin" => "undefined".to_owned(),
            "shell" => {
                let command = arg(0).trim().to_owned();
                self.shell(&command)
            }
            "wildcard" => self.wildcard(arg(0)),
            // Messages, and what changes variables on the way, are nothing.
            _ => String::new(),
        })
    }

    fn foreach(&mut self, raw: &[String], depth: usize) -> String {
        let [name, list, body] = raw else { return String::new() };
        let name = self.expand(name.trim(), depth + 1);
        let list = self.expand(list, depth + 1);
        let outer = self.variables.get(&name).cloned();
        let mut results = Vec::new();
        for word in list.split_whitespace() {
            self.set(&name, word.to_owned(), false);
            results.push(self.expand(body, depth + 1));
        }
        match outer {
            Some(outer) => self.variables.insert(name, outer),
            None => self.variables.remove(&name),
        };
        results.join(" ")
    }

    fn call(&mut self, raw: &[String], depth: usize) -> String {
        let Some((name, args)) = raw.split_first() else { return String::new() };
        let name = self.expand(name.trim(), depth + 1);
        let args: Vec<String> = args.iter().map(|arg| self.expand(arg, depth + 1)).collect();
        let outer: Vec<Option<Variable>> =
            (1..10).map(|i| self.variables.get(&i.to_string()).cloned()).collect();
        for (i, arg) in args.into_iter().take(9).enumerate() {
            self.set(&(i + 1).to_string(), arg, false);
        }
        let result = self.variable(&name, depth + 1);
        for (i, variable) in outer.into_iter().enumerate() {
            let number = (i + 1).to_string();
            match variable {
                Some(variable) => self.variables.insert(number, variable),
                None => self.variables.remove(&number),
            };
        }
        result
    }

    /// The few commands whose answer is known without running them.
    fn shell(&mut self, command: &str) -> String {
        let words: Vec<&str> = command.split_whitespace().collect();
        match words[..] {
            ["pwd"] => return self.folder.to_string_lossy().into_owned(),
            ["dirname", path] => {
                let path = path.trim_end_matches('/');
                return match path.rfind('/') {
                    Some(0) => "/".to_owned(),
                    Some(at) => path[..at].to_owned(),
                    None => ".".to_owned(),
                };
            }
            ["basename", path] => {
                let path = path.trim_end_matches('/');
                return path.rsplit('/').next().unwrap_or(path).to_owned();
            }
            _ => {}
        }
        let sum =
            command.strip_prefix("echo").map(str::trim).filter(|text| text.starts_with("$(("));
        let sum = sum.or_else(|| command.strip_prefix("expr "));
        if let Some(value) = sum.and_then(arithmetic) {
            return value.to_string();
        }
        // Which programs there are does not matter: none is run.
        if words.first() == Some(&"which") {
            return String::new();
        }
        self.remarks.insert(format!("the command `{command}` is not run"));
        String::new()
    }

    fn wildcard(&mut self, patterns: &str) -> String {
        let mut found = Vec::new();
        for pattern in patterns.split_whitespace() {
            let path = normal(&self.folder.join(pattern));
            let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { continue };
            let is_inside = folder.canonicalize().is_ok_and(|real| real.starts_with(&self.root));
            if !is_inside {
                continue;
            }
            let mut names: Vec<String> = std::fs::read_dir(folder)
                .into_iter()
                .flatten()
                .flatten()
                .map(|entry| entry.file_name().to_string_lossy().into_owned())
                .filter(|entry| crate::project::matches_name(&name.to_string_lossy(), entry))
                .collect();
            names.sort();
            let before = pattern.rfind('/').map_or("", |at| &pattern[..=at]);
            found.extend(names.into_iter().map(|name| format!("{before}{name}")));
        }
        found.join(" ")
    }
}

/// A position of a text at which it can be cut, not behind another.
fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn without_comment(line: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for letter in line.chars() {
        if letter == '#' {
            if before != '\\' {
                break;
            }
            out.pop();
        }
        out.push(letter);
        before = letter;
    }
    out
}

/// Where the parenthesis or brace that a text begins with is closed.
fn closing(text: &str) -> Option<usize> {
    let (open, close) = if text.starts_with('(') { ('(', ')') } else { ('{', '}') };
    let mut depth = 0usize;
    for (at, letter) in text.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// The arguments of a function: at most `most`, the last with all further commas.
fn arguments(text: &str, most: usize) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut depth = 0i32;
    for letter in text.chars() {
        match letter {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            ',' if depth == 0 && out.len() < most => {
                out.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = out.last_mut() {
            last.push(letter);
        }
    }
    out
}

fn joined<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

fn per_word(text: &str, change: impl Fn(&str) -> String) -> String {
    text.split_whitespace().map(change).collect::<Vec<_>>().join(" ")
}

/// Returns the text that `%` stands for in a pattern that matches a word.
fn stem<'a>(pattern: &str, word: &'a str) -> Option<&'a str> {
    match pattern.split_once('%') {
        None => (pattern == word).then_some(""),
        Some((before, after)) => word.strip_prefix(before)?.strip_suffix(after),
    }
}

fn replace_pattern(from: &str, to: &str, word: &str) -> String {
    match stem(from, word) {
        Some(stem) => to.replacen('%', stem, 1),
        None => word.to_owned(),
    }
}

/// The value of `2 + $((3 * 4))`, as shells compute it.
fn arithmetic(text: &str) -> Option<i64> {
    let text = text.replace("$((", "(").replace("))", ")");
    let letters: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let mut at = 0;
    let value = sum(&letters, &mut at, 0)?;
    // What was opened by two and closed by two is closed by one.
    letters[at..].iter().all(|letter| *letter == ')').then_some(value)
}

fn sum(letters: &[char], at: &mut usize, depth: usize) -> Option<i64> {
    let mut value = product(letters, at, depth)?;
    while let Some(sign @ ('+' | '-')) = letters.get(*at) {
        *at += 1;
        let next = product(letters, at, depth)?;
        value = if *sign == '+' { value.checked_add(next)? } else { value.checked_sub(next)? };
    }
    Some(value)
}

fn product(letters: &[char], at: &mut usize, depth: usize) -> Option<i64> {
    let mut value = factor(letters, at, depth)?;
    while let Some(sign @ ('*' | '/')) = letters.get(*at) {
        *at += 1;
        let next = factor(letters, at, depth)?;
        value = if *sign == '*' { value.checked_mul(next)? } else { value.checked_div(next)? };
    }
    Some(value)
}

fn factor(letters: &[char], at: &mut usize, depth: usize) -> Option<i64> {
    if letters.get(*at) == Some(&'(') && depth < DEPTH {
        *at += 1;
        let value = sum(letters, at, depth + 1)?;
        *at += usize::from(letters.get(*at) == Some(&')'));
        return Some(value);
    }
    let digits: String =
        letters[*at..].iter().take_while(|letter| letter.is_ascii_digit()).collect();
    *at += digits.len();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(text: &str) -> Makefile {
        let mut make = Makefile {
            variables: BTreeMap::new(),
            folder: PathBuf::from("/p/proofs/one"),
            root: PathBuf::from("/p"),
            n_expanded: 0,
            n_included: 0,
            remarks: BTreeSet::new(),
        };
        make.lines(text, 0);
        make
    }

    #[test]
    fn variables_are_expanded_late_or_at_once() {
        let mut of =
            make("A = $(B)\nC := $(B)\nB = 1 # one\nA += 2\nD ?= 3\nD ?= 4\nE = a \\\n  b\n");
        let values = ["A", "C", "D", "E", "F"].map(|name| of.value(name));
        assert_eq!(values, ["1 2", "", "3", "a    b", ""]);
    }

    #[test]
    fn conditionals() {
        let text = "K = 3\nifeq ($(K),4)\nX = four\nelse ifeq ($(K),3)\nX = three\nelse\nX = other\nendif\n\
                    ifdef Y\nZ = y\nelse\n  ifndef W\n  Z = no\n  endif\nendif\nifneq ($(strip $(K)),)\nV = v\nendif\n";
        let mut of = make(text);
        assert_eq!(["X", "Z", "V"].map(|name| of.value(name)), ["three", "no", "v"]);
    }

    #[test]
    fn functions() {
        let text = "L = a.c b.c d.h\nA = $(patsubst %.c,%.o,$(L))\nB = $(filter %.c,$(L))\nC = $(L:.c=.i)\n\
                    D = $(foreach x,$(L),<$(x)>)\nE = $(abspath ../../src)\nF = $(shell echo $$((2 + 3*4))) $(shell echo $$(( $$(( 33 / 12 )) +1 ))) $(shell expr 5 + 1)\n\
                    G = $(shell dirname /a/b/)\nH = $(shell rm -rf x)\nf = $(1)-$(2)\nI = $(call f,p,q)\nJ = $(if $(L),y,n)\n";
        let mut of = make(text);
        let values = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"].map(|name| of.value(name));
        assert_eq!(
            values,
            [
                "a.o b.o d.h",
                "a.c b.c",
                "a.i b.i d.h",
                "<a.c> <b.c> <d.h>",
                "/p/src",
                "14 3 6",
                "/a",
                "",
                "p-q",
                "y"
            ]
        );
        assert!(of.remarks.iter().any(|remark| remark.contains("rm -rf x")));
    }

    #[test]
    fn hostile_texts_end() {
        let mut of = make(
            "A = $(A) $(A)\nB = $(B\nC = ${\nD = $(call D)\nE = $(foreach x,$(E),$(E))\nF = $\n",
        );
        for name in ["A", "B", "C", "D", "E", "F"] {
            of.value(name);
        }
        let doubled: String = (0..60).map(|i| format!("V{} = $(V{i})$(V{i})\n", i + 1)).collect();
        let mut of = make(&format!("V0 = x\n{doubled}"));
        assert!(of.value("V60").len() <= LONGEST);
    }
}
