//! The rule on links: what a Markdown file points to is there.

use std::path::{Component, Path, PathBuf};

use super::{Problem, TextFile};

pub(super) fn check(root: &Path, files: &[TextFile]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with(".md")) {
        for (number, line) in (1..).zip(file.text.lines()) {
            for target in targets(line) {
                // Other sites are not asked, and sections are not parsed.
                let target = target.split('#').next().unwrap_or_default();
                if target.is_empty() || target.contains("://") {
                    continue;
                }
                let folder = Path::new(&file.path).parent().unwrap_or(Path::new(""));
                let there = resolve(folder, target).is_some_and(|path| root.join(path).exists());
                if !there {
                    let message = format!("there is no `{target}`");
                    problems.push(Problem::new(&file.path, number, "link", message));
                }
            }
        }
    }
    problems
}

/// The targets of the links `[text](target)` on a line.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
}

/// A path relative to a folder, without `..`; `None` if it leaves the repository.
fn resolve(folder: &Path, target: &str) -> Option<PathBuf> {
    let mut path = folder.to_owned();
    for part in Path::new(target).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !path.pop() {
                    return None;
                }
            }
            Component::Normal(name) => path.push(name),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(path)
}
