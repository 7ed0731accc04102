//! The Debian package: built by its script, installed in an empty root, used there, and removed again.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use vergo_testkit::environment::skip;
use vergo_testkit::host_c::Scratch;
use vergo_testkit::process::{Finished, run};

const TEST: &str = "a_debian_package_is_installed_in_an_empty_root";

fn shell(script: &str, folder: &Path) -> Finished {
    let mut command = Command::new("bash");
    command.args(["-euo", "pipefail", "-c", script]).current_dir(folder);
    command.env("SCRIPT", Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib/debian.sh"));
    command.env("VERGO_BINARY", env!("CARGO_BIN_EXE_vergo"));
    run(&mut command, b"", Duration::from_secs(300)).expect("bash starts")
}

/// The content of a root before anything is installed: the tables of dpkg, and the libraries that the command is linked
/// with.
const EMPTY_ROOT: &str = r#"
mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates root/var/lib/dpkg/triggers root/srv
touch root/var/lib/dpkg/status
ldd "$VERGO_BINARY" | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "root$(dirname "$library")"
    cp -L "$library" "root$library"
done
(cd root && find . -type f | grep -v '^./var' | sort) >before.txt
"#;

#[test]
fn a_debian_package_is_installed_in_an_empty_root() {
    let folder = Scratch::new("debian").unwrap();
    let at = folder.folder();
    if !shell("command -v dpkg-deb dpkg ldd", at).success() {
        return skip(TEST, "there is no dpkg");
    }
    let built = shell("bash \"$SCRIPT\" \"$PWD/dist\"", at);
    assert!(built.success(), "{}", built.stderr_text());
    let package = built.stdout_text().trim().to_owned();
    assert!(package.ends_with(".deb"), "{package}");
    assert!(shell(EMPTY_ROOT, at).success());
    if !shell("chroot root true || [ $? -eq 127 ]", at).success() {
        return skip(TEST, "a root of one's own needs the rights of root");
    }
    // What it depends on is there, though dpkg does not know.
    let install = format!("dpkg --root=\"$PWD/root\" --force-depends --install '{package}'");
    let installed = shell(&install, at);
    assert!(installed.success(), "{}", installed.stderr_text());
    folder.write("root/srv/a.c", "int main(void) { int a[2]; int i = 2; return a[i]; }\n").unwrap();
    let version = shell("chroot root /usr/bin/vergo --version", at);
    assert!(version.stdout_text().starts_with("vergo 0."), "{}", version.stderr_text());
    let checked = shell("chroot root /usr/bin/vergo check /srv/a.c", at);
    assert_eq!(checked.code(), Some(10), "{}", checked.stderr_text());
    assert!(
        shell("gzip -dc root/usr/share/man/man1/vergo-check.1.gz | grep -q unwindset", at)
            .success()
    );
    let remove = "dpkg --root=\"$PWD/root\" --force-depends --purge vergo; rm root/srv/a.c
        (cd root && find . -type f | grep -v '^./var' | sort) | diff before.txt -";
    let removed = shell(remove, at);
    assert!(removed.success(), "{}{}", removed.stdout_text(), removed.stderr_text());
}
