//! The rules on links: what a Markdown file points to is there, section and all; and every page is in the book.

use std::path::{Component, Path, PathBuf};

use super::{Problem, TextFile};

pub(super) fn check(root: &Path, files: &[TextFile]) -> Vec<Problem> {
    let mut problems = book(files);
    for file in files.iter().filter(|file| file.path.ends_with(".md")) {
        for (number, line) in (1..).zip(file.text.lines()) {
            for link in targets(line) {
                // Other sites are not asked.
                if link.contains("://") {
                    continue;
                }
                let (target, section) = link.split_once('#').unwrap_or((link, ""));
                let folder = Path::new(&file.path).parent().unwrap_or(Path::new(""));
                let path = match target {
                    "" => Some(PathBuf::from(&file.path)),
                    target => resolve(folder, target),
                };
                let Some(path) = path.filter(|path| root.join(path).exists()) else {
                    let message = format!("there is no `{target}`");
                    problems.push(Problem::new(&file.path, number, "link", message));
                    continue;
                };
                let page = files.iter().find(|file| Path::new(&file.path) == path);
                if !section.is_empty()
                    && !page.is_some_and(|page| {
                        page.text.lines().any(|l| anchor(l).as_deref() == Some(section))
                    })
                {
                    let message = format!("`{}` has no section `{section}`", path.display());
                    problems.push(Problem::new(&file.path, number, "link", message));
                }
            }
        }
    }
    problems
}

/// The name by which links know the section that a line begins, if it begins one.
fn anchor(line: &str) -> Option<String> {
    let title = line.trim_start_matches('#');
    if title.len() == line.len() || !title.starts_with(' ') {
        return None;
    }
    let letters = title.trim().chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        _ if letter.is_alphanumeric() || matches!(letter, '-' | '_') => Some(letter),
        _ => None,
    });
    Some(letters.flat_map(char::to_lowercase).collect())
}

/// The table of contents of the book, in which every page below `docs` is.
const CONTENTS: &str = "docs/SUMMARY.md";

fn book(files: &[TextFile]) -> Vec<Problem> {
    let Some(contents) = files.iter().find(|file| file.path == CONTENTS) else { return Vec::new() };
    let listed: Vec<&str> = contents.text.lines().flat_map(targets).collect();
    let pages = files.iter().filter_map(|file| {
        let page = file.path.strip_prefix("docs/")?;
        (page.ends_with(".md") && file.path != CONTENTS).then_some((file, page))
    });
    pages
        .filter(|(_, page)| !listed.contains(page))
        .map(|(file, _)| Problem::new(&file.path, 0, "book", format!("it is not in {CONTENTS}")))
        .collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> TextFile {
        TextFile { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn sections_and_pages_outside_of_the_book() {
        let root = crate::shell::root();
        let contents = file(CONTENTS, "- [Style](style.md)\n");
        let style = file(
            "docs/style.md",
            "# Style\n\n## More than *one* word\n[up](#style) [no](#nothing)\n",
        );
        let html = file("docs/html.md", "[a](style.md#more-than-one-word)\n");
        let problems = check(&root, &[contents, style, html]);
        let said: Vec<String> = problems.iter().map(Problem::to_string).collect();
        assert_eq!(
            said,
            [
                "docs/html.md: it is not in docs/SUMMARY.md [book]",
                "docs/style.md:4: `docs/style.md` has no section `nothing` [link]",
            ]
        );
    }
}
