#!/usr/bin/env bash
# Builds a Debian package: the command, completions, manual pages, licence and change log.
#
#   contrib/debian.sh [OUT]      OUT is a folder, `dist` by default
#
# VERGO_BINARY names a command that is built already. Needs dpkg-deb; the libraries that the command needs are found by
# dpkg-shlibdeps if that is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
out="$(mkdir -p "${1:-dist}" && cd "${1:-dist}" && pwd)"

if [ -n "${VERGO_BINARY:-}" ]; then
    binary="$VERGO_BINARY"
else
    cargo build --locked --release
    binary=target/release/vergo
fi

version="$("$binary" --version | cut -d' ' -f2)"
commit="$("$binary" --version | sed -n 's/.*(\([0-9a-f]*\)).*/\1/p')"
# A version that git names is later than the one before it and earlier than the next release.
full="$version${commit:++git$commit}"
architecture="$(dpkg --print-architecture)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
root="$work/root"
doc="$root/usr/share/doc/vergo"
mkdir -p "$root/DEBIAN" "$root/usr/bin" "$doc" "$root/usr/share/man/man1" "$root/usr/share/vergo" \
    "$root/usr/share/bash-completion/completions" "$root/usr/share/zsh/vendor-completions" \
    "$root/usr/share/fish/vendor_completions.d"
chmod 755 "$root" "$root/DEBIAN"
install -m 755 "$binary" "$root/usr/bin/vergo"
if command -v strip >/dev/null 2>&1; then
    strip --strip-unneeded "$root/usr/bin/vergo"
fi
"$binary" completions bash >"$root/usr/share/bash-completion/completions/vergo"
"$binary" completions zsh >"$root/usr/share/zsh/vendor-completions/_vergo"
"$binary" completions fish >"$root/usr/share/fish/vendor_completions.d/vergo.fish"
"$binary" man --all "$root/usr/share/man/man1"
gzip -9n "$root"/usr/share/man/man1/*.1
install -m 644 README.md "$doc/"
gzip -9nc CHANGELOG.md >"$doc/changelog.gz"
install -m 755 contrib/ci/check.sh "$root/usr/share/vergo/check.sh"
cat >"$doc/copyright" <<'TEXT'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Vergo

Files: *
Copyright: the authors of Vergo
License: Apache-2.0
 On Debian systems the text of the licence is in /usr/share/common-licenses/Apache-2.0.
TEXT

# What the command is linked with.
depends="libc6, libgcc-s1, libstdc++6"
if command -v dpkg-shlibdeps >/dev/null 2>&1; then
    mkdir -p "$work/debian"
    printf 'Source: vergo\n\nPackage: vergo\nArchitecture: any\n' >"$work/debian/control"
    found="$(cd "$work" && dpkg-shlibdeps -O root/usr/bin/vergo 2>/dev/null | sed -n 's/^shlibs:Depends=//p')" || found=
    depends="${found:-$depends}"
fi
cat >"$root/DEBIAN/control" <<TEXT
Package: vergo
Version: $full
Architecture: $architecture
Maintainer: The authors of Vergo <vergo@example.org>
Section: devel
Priority: optional
Installed-Size: $(du -ks "$root/usr" | cut -f1)
Depends: $depends
Recommends: gcc, libc6-dev
Suggests: gcc-multilib
Description: verification framework for C
 Vergo decides whether a C program can go wrong, shows why, and proves what it says. Programs with preprocessor
 directives need a C preprocessor; gcc has one.
TEXT
find "$root" -type d -exec chmod 755 {} +
find "$root" -exec touch -h -d '2000-01-01 00:00:00Z' {} +
package="$out/vergo_${full}_$architecture.deb"
SOURCE_DATE_EPOCH=946684800 dpkg-deb --root-owner-group -Zgzip --build "$root" "$package" >/dev/null
echo "$package"
