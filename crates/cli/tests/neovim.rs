//! `vergo lsp` with a real editor: a session in Neovim, if it is installed.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use vergo_testkit::environment::skip;
use vergo_testkit::host_c::Scratch;
use vergo_testkit::process::run;
use vergo_testkit::programs::ENDLESS;

const BUGGY: &str = "\
#include <stdlib.h>
extern int nondet_int(void);
struct pair { char tag; int value; };
int halve(int x) { return x / 2; }
int main(void)
{
    int table[4] = { 0 };
    struct pair p = { 'a', 3 };
    int i = nondet_int();
    if (i < 0 || i > 4 || halve(p.value) > 9)
        return 0;
    table[i] = p.value;
    return table[0];
}
";

#[test]
fn a_session_in_neovim() {
    let is_there =
        Command::new("nvim").arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        return skip("a_session_in_neovim", "there is no nvim");
    }
    let folder = Scratch::new("neovim").unwrap();
    folder.write("buggy.c", BUGGY).unwrap();
    folder.write("endless.c", ENDLESS).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/neovim.lua");
    let mut command = Command::new("nvim");
    command.args(["--headless", "--clean", "-i", "NONE", "-c"]);
    command.arg(format!("luafile {}", script.display())).current_dir(folder.folder());
    // What the editor keeps goes into the folder of the test.
    for name in ["XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, folder.path("nvim"));
    }
    command.env("VERGO", env!("CARGO_BIN_EXE_vergo")).env_remove("CC");
    command.env("BUGGY", folder.path("buggy.c")).env("ENDLESS", folder.path("endless.c"));
    let done = run(&mut command, b"", Duration::from_secs(240)).unwrap();
    let said = format!("{}\n{}", done.stdout_text(), done.stderr_text());
    assert!(done.success() && said.contains("done"), "{said}");
}
