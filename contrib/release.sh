#!/usr/bin/env bash
# Builds a release archive: the command, completions, manual pages, licence and readme.
#
#   contrib/release.sh [OUT]      OUT is a folder, `dist` by default
#
# VERGO_BINARY names a command that is built already. VERGO_TARGET builds for another target, such as
# x86_64-unknown-linux-musl for a static command, if its toolchain is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
out="$(mkdir -p "${1:-dist}" && cd "${1:-dist}" && pwd)"

if [ -n "${VERGO_BINARY:-}" ]; then
    binary="$VERGO_BINARY"
elif [ -n "${VERGO_TARGET:-}" ]; then
    cargo build --locked --release --target "$VERGO_TARGET"
    binary="target/$VERGO_TARGET/release/vergo"
else
    cargo build --locked --release
    binary=target/release/vergo
fi

version="$("$binary" --version | cut -d' ' -f2)"
name="vergo-$version-${VERGO_TARGET:-$(uname -m)-$(uname -s | tr '[:upper:]' '[:lower:]')}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
root="$work/$name"
mkdir -p "$root/bin" "$root/share/bash-completion/completions" "$root/share/zsh/site-functions" \
    "$root/share/fish/vendor_completions.d" "$root/share/man/man1" "$root/share/vergo"
install -m 755 "$binary" "$root/bin/vergo"
"$binary" completions bash >"$root/share/bash-completion/completions/vergo"
"$binary" completions zsh >"$root/share/zsh/site-functions/_vergo"
"$binary" completions fish >"$root/share/fish/vendor_completions.d/vergo.fish"
"$binary" man --all "$root/share/man/man1"
install -m 644 README.md LICENSE CHANGELOG.md "$root/share/vergo/"
install -m 755 contrib/ci/check.sh "$root/share/vergo/check.sh"

# The same content makes the same archive: order, owners and times are fixed.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime='2000-01-01 00:00:00Z' \
    -C "$work" -czf "$out/$name.tar.gz" "$name"
(cd "$out" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
echo "$out/$name.tar.gz"
