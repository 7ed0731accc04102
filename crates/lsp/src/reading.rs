//! The reading of a document: the flags of its project, and the texts that are open in the editor.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use vergo_driver::preprocess::CppOptions;
use vergo_driver::{CompileCommands, DataModel, FrontEnd, Input, Job, Project};
use vergo_source::Location;

use crate::text::Text;

/// Texts of open documents by path.
pub(crate) type Open = BTreeMap<PathBuf, Arc<Text>>;

/// A job that reads files as a document's project says, with the open texts in the place of those on the disk.
pub(crate) struct Reading {
    pub(crate) job: Job,
    /// The project of the document, if it has one that can be used.
    project: Option<Project>,
}

impl Reading {
    /// The way in which a file is read.
    pub(crate) fn of(path: &Path, open: &Open) -> Reading {
        let mut job = Job::new(DataModel::Lp64, CppOptions::default());
        let folder = path.parent().unwrap_or(Path::new("/"));
        let project = Project::find(folder).and_then(|file| Project::read(&mut job, &file).ok());
        if let Some(project) = &project {
            let _ = project.configure(&mut job);
        } else if let Some(file) = CompileCommands::find(folder)
            && let Ok(commands) = CompileCommands::read(&file)
        {
            job.cpp.per_file = commands.flags;
        }
        // What is wrong with the project file is no mistake of this document.
        job.diagnostics = Default::default();
        for (path, text) in open {
            job.open(path.clone(), text.as_str().as_bytes().to_vec());
        }
        Reading { job, project }
    }

    /// The program that a document is part of: the files of its project with what that says of checks, or itself alone.
    pub(crate) fn program(&self, path: &Path) -> (Vec<Input>, Project) {
        if let Some(project) = &self.project
            && let Ok(files) = project.files()
            && (is_header(path) || files.iter().any(|file| file == path))
        {
            return (files.into_iter().map(Input::File).collect(), project.clone());
        }
        (vec![Input::File(path.to_owned())], Project::default())
    }

    /// Returns whether a document cannot be read without running the preprocessor.
    pub(crate) fn needs_preprocessor(&self, path: &Path, text: &Text) -> bool {
        let text = text.as_str().as_bytes();
        has_c(path) && vergo_driver::preprocess::needs_preprocessor(text, Some(path), &self.job.cpp)
    }
}

/// Checks whether a document is part of others and no program on its own.
pub(crate) fn is_header(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "h")
}

/// The files that a job has read, and what others of them include.
pub(crate) fn files_of(job: &Job) -> BTreeSet<PathBuf> {
    job.map.names().filter_map(path_of_name).collect()
}

/// Checks whether a document is C.
pub(crate) fn has_c(path: &Path) -> bool {
    FrontEnd::of(&[Input::File(path.to_owned())]).has_c
}

/// Texts by path, open or read from the disk once.
pub(crate) struct Texts {
    open: Open,
    read: BTreeMap<PathBuf, Arc<Text>>,
}

impl Texts {
    pub(crate) fn new(open: &Open) -> Texts {
        Texts { open: open.clone(), read: BTreeMap::new() }
    }

    pub(crate) fn get(&mut self, path: &Path) -> Arc<Text> {
        if let Some(text) = self.open.get(path) {
            return Arc::clone(text);
        }
        let read = self.read.entry(path.to_owned()).or_insert_with(|| {
            let bytes = std::fs::read(path).unwrap_or_default();
            Arc::new(Text::new(String::from_utf8_lossy(&bytes).into_owned()))
        });
        Arc::clone(read)
    }
}

/// The path of a place; none if it is in no file, such as `<built-in>`.
pub(crate) fn path_of_location(location: &Location) -> Option<PathBuf> {
    (location.line > 0).then(|| path_of_name(&location.file)).flatten()
}

/// The path of a file that a line marker names, as editors know it: without `..`, which folders of headers often have.
fn path_of_name(name: &str) -> Option<PathBuf> {
    if name.is_empty() || name.starts_with('<') {
        return None;
    }
    let mut path = PathBuf::new();
    for part in std::path::absolute(name).ok()?.components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    Some(path)
}
