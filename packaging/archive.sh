#!/usr/bin/env bash
# Packs a built mc-eval with its completions, manual pages and licences.
#
#     packaging/archive.sh MC-EVAL TARGET FOLDER      # FOLDER/mc-eval-VERSION-TARGET.tar.gz, and its checksum beside it
#
# The binary runs here, to write its own completions and pages.
set -euo pipefail
binary=$(realpath "$1") target=$2
mkdir -p "$3"
out=$(realpath "$3")
cd "$(dirname "$0")/.."

name="mc-eval-$("$binary" --version | cut -d ' ' -f 2)-$target"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree="$work/$name"
mkdir -p "$tree/completions"
install -m 755 -s "$binary" "$tree/mc-eval"
"$binary" completions bash >"$tree/completions/mc-eval.bash"
"$binary" completions fish >"$tree/completions/mc-eval.fish"
"$binary" completions zsh >"$tree/completions/_mc-eval"
"$binary" man "$tree/man/man1"
cp LICENSE-APACHE LICENSE-MIT README.md CHANGELOG.md "$tree"

# The same bytes for the same files.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-0}" -C "$work" -c "$name" |
    gzip -n9 >"$out/$name.tar.gz"
(cd "$out" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
echo "$out/$name.tar.gz"
