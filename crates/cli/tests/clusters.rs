//! `vergo prove --on`: proofs on the machines of a cluster. HyperQueue's Python package and Slurm are used where they are; a stand-in for
//! Slurm's commands is always there.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

use vergo_testkit::environment::skip;
use vergo_testkit::host_c::Scratch;
use vergo_testkit::process::{Finished, run};

/// The number of proofs; every third is false.
const N_PROOFS: usize = 12;

fn project(name: &str) -> Scratch {
    let folder = Scratch::new(name).unwrap();
    folder.write("table.h", "#define SIZE 40\nvoid put(unsigned at);\n").unwrap();
    let table =
        "#include \"table.h\"\nstatic int cells[SIZE];\nvoid put(unsigned at) { cells[at] = 1; }\n";
    folder.write("table.c", table).unwrap();
    let mut project = String::from("[prove]\ntimeout = 60\n");
    for number in 0..N_PROOFS {
        let bound = if number % 3 == 2 { "<=" } else { "<" };
        let text = format!(
            "#include \"table.h\"\nunsigned nondet_unsigned(void);\nvoid h{number}(void) {{ unsigned at = nondet_unsigned();\n\
             if (at {bound} SIZE) for (unsigned i = 0; i < {number} + 1; i++) put(at); }}\n"
        );
        folder.write(&format!("h{number}.c"), text).unwrap();
        project += &format!(
            "[proofs.p{number:02}]\nfunction = \"h{number}\"\nsources = [\"table.c\", \"h{number}.c\"]\n"
        );
    }
    folder.write("vergo.toml", project).unwrap();
    folder
}

/// The verdicts that are expected.
fn expected() -> BTreeMap<String, String> {
    let verdict = |number: usize| if number % 3 == 2 { "false" } else { "true" };
    (0..N_PROOFS).map(|number| (format!("p{number:02}"), verdict(number).to_owned())).collect()
}

/// The verdicts of a report; a proof that is there twice is a mistake.
fn verdicts(path: &Path) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(path).unwrap();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut verdicts = BTreeMap::new();
    for proof in report["proofs"].as_array().unwrap() {
        let word = |key: &str| proof[key].as_str().unwrap().to_owned();
        assert_eq!(verdicts.insert(word("name"), word("verdict")), None, "{text}");
    }
    verdicts
}

/// The results that workers have left in a spool.
fn results(spool: &Path) -> Vec<PathBuf> {
    let runs = std::fs::read_dir(spool.join("runs")).into_iter().flatten().flatten();
    let files =
        runs.flat_map(|run| std::fs::read_dir(run.path().join("results")).into_iter().flatten());
    files.flatten().map(|file| file.path()).filter(|path| path.extension().is_none()).collect()
}

/// Runs the tool with folders before all others in its path.
fn prove(folder: &Scratch, arguments: &[&str], first: &Path) -> Finished {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vergo"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(first.to_owned()).chain(std::env::split_paths(&path));
    command
        .args(["prove", "--json", "out.json", "--spool", "spool"])
        .args(arguments)
        .current_dir(folder.folder())
        .env("PATH", std::env::join_paths(all).unwrap())
        .env_remove("CC")
        .env("NO_COLOR", "1");
    run(&mut command, b"", Duration::from_secs(300)).unwrap()
}

/// A HyperQueue server with two workers.
struct Cluster {
    process: Child,
    stdin: Option<ChildStdin>,
}

impl Cluster {
    /// Starts one, or says that the test is skipped.
    fn start(server: &Path) -> Option<Cluster> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tool/cluster.py");
        let mut command = Command::new("python3");
        command.arg(script).arg(server);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().ok()?;
        let stdin = process.stdin.take();
        let lines = BufReader::new(process.stdout.take()?).lines();
        let is_ready = lines.map_while(Result::ok).any(|line| line == "ready");
        if !is_ready {
            let _ = process.wait();
            skip("hyperqueue", "python3 has no package hyperqueue (pip install hyperqueue)");
            return None;
        }
        Some(Cluster { process, stdin })
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn proofs_run_on_the_workers_of_hyperqueue() {
    let folder = project("hyperqueue");
    let Some(_cluster) = Cluster::start(&folder.path("server")) else { return };
    let server = folder.path("server").display().to_string();
    let done = prove(&folder, &["--on", "hyperqueue", "--server", &server], Path::new("."));
    assert_eq!(done.code(), Some(10), "{}\n{}", done.stdout_text(), done.stderr_text());
    assert_eq!(verdicts(&folder.path("out.json")), expected(), "{}", done.stderr_text());
    assert_eq!(results(&folder.path("spool")).len(), N_PROOFS);
}

#[test]
fn what_is_missing_is_named() {
    let folder = project("no-cluster");
    let nowhere = folder.path("nothing").display().to_string();
    std::fs::create_dir(folder.path("empty")).unwrap();
    let vergo = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vergo"));
        command.arg("prove").args(arguments).current_dir(folder.folder());
        // The preprocessor is there, and nothing of a cluster.
        command.env("PATH", folder.path("empty")).env("CC", "/usr/bin/cc").env("NO_COLOR", "1");
        run(&mut command, b"", Duration::from_secs(60)).unwrap()
    };
    let done = vergo(&["--on", "slurm"]);
    assert_eq!(done.code(), Some(2));
    assert!(done.stderr_text().contains("--spool DIR"), "{}", done.stderr_text());
    let done = vergo(&["--on", "slurm", "--spool", "spool", "p00"]);
    assert_eq!(done.code(), Some(2));
    assert!(done.stderr_text().contains("there is no `sbatch` here"), "{}", done.stderr_text());
    let done = vergo(&["--on", "hyperqueue", "--spool", "spool", "--server", &nowhere, "p00"]);
    assert_eq!(done.code(), Some(2));
    assert!(done.stderr_text().contains("`python3` does not start"), "{}", done.stderr_text());
}

/// Slurm's commands, as far as they are used: `sbatch` runs the tasks of an array one after the other behind its back, and answers what
/// Slurm 22.05 does. The task whose number stands in `lose` dies before it begins, once.
const SBATCH: &str = r#"#!/bin/sh
here=$(dirname "$0")
last=0
for word in "$@"; do case $word in
  --array=0-*) last=${word#--array=0-} ;;
  --time=*|--mem=*|--requeue|--parsable) echo "$word" >> "$here/options" ;;
esac; done
id=$(($(cat "$here/id") + 1)); echo $id > "$here/id"
cat > "$here/script-$id"
task=0
while [ $task -le $last ]; do echo "$id $task PD" >> "$here/queue-$id"; task=$((task + 1)); done
(
  task=0
  while [ $task -le $last ]; do
    if [ -f "$here/lose-$task" ]; then rm "$here/lose-$task"; else SLURM_ARRAY_TASK_ID=$task sh "$here/script-$id"; fi
    grep -v "^$id $task " "$here/queue-$id" > "$here/new-$id"; mv "$here/new-$id" "$here/queue-$id"
    task=$((task + 1))
  done
) > "$here/log" 2>&1 < /dev/null &
echo $id
"#;
const SQUEUE: &str = "#!/bin/sh\nexec cat \"$(dirname \"$0\")\"/queue-*\n";

#[cfg(unix)]
#[test]
fn arrays_of_slurm_are_submitted_and_lost_tasks_again() {
    use std::os::unix::fs::PermissionsExt;
    let folder = project("slurm-stand-in");
    std::fs::create_dir(folder.path("slurm")).unwrap();
    for (name, text) in [("sbatch", SBATCH), ("squeue", SQUEUE), ("scancel", "#!/bin/sh\n")] {
        folder.write(&format!("slurm/{name}"), text).unwrap();
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path(&format!("slurm/{name}")), executable).unwrap();
    }
    folder.write("slurm/id", "41\n").unwrap();
    folder.write("slurm/lose-3", "").unwrap();
    let done = prove(&folder, &["--on", "slurm", "--memory", "1000"], &folder.path("slurm"));
    assert_eq!(done.code(), Some(10), "{}\n{}", done.stdout_text(), done.stderr_text());
    assert_eq!(verdicts(&folder.path("out.json")), expected());
    assert!(
        done.stderr_text().contains("p03 was lost and is run again: Slurm's task 42_3"),
        "{}",
        done.stderr_text()
    );
    let options = std::fs::read_to_string(folder.path("slurm/options")).unwrap();
    assert!(options.contains("--time=1:30\n") && options.contains("--mem=1564M\n"), "{options}");
}

#[test]
fn proofs_run_on_a_slurm_cluster() {
    let answers = Command::new("sinfo").arg("--noheader").output();
    if !answers.is_ok_and(|answer| answer.status.success() && !answer.stdout.is_empty()) {
        skip("slurm", "there is no Slurm cluster (sinfo)");
        return;
    }
    let folder = project("slurm");
    let done = prove(&folder, &["--on", "slurm", "--memory", "1000"], Path::new("."));
    assert_eq!(done.code(), Some(10), "{}\n{}", done.stdout_text(), done.stderr_text());
    assert_eq!(verdicts(&folder.path("out.json")), expected());
}
