# Sourced by check.sh and check-frameworks.sh: pinned tools, and the wheel.

cache="${XDG_CACHE_HOME:-$HOME/.cache}/microcoder"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$cache/target}" UV_CACHE_DIR="$cache/uv"

tools="$cache/python-tools-1"
# Made once, and again if the interpreter is gone that it was made with.
if [ ! -f "$tools/complete" ] || [ ! -x "$tools/bin/python3" ]; then
    rm -rf "$tools"
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet maturin==1.16.0 mypy==2.4.1 ruff==0.17.6 uv==0.13.9
    touch "$tools/complete"
fi
export PATH="$tools/bin:$PATH"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Runs a command that talks even when all is well, and prints what it said if it fails.
quietly() {
    "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; return 1; }
}

# The wheel, in $work/wheels, with a binary of this cargo profile.
build_wheel() {
    quietly maturin build --locked --profile "$1" --out "$work/wheels"
}

# The source package, unpacked in $work/sources: it has all that is built, the workers of the sandbox too, which are what the
# compiler is asked to build here. The rest is the same as in the wheel. A file that is as in the checkout has its time too, so
# that nothing is built twice; any other has the time of now, as cargo takes what is older than a build for what it was made of.
check_sources() {
    quietly maturin sdist --out "$work/sdist"
    mkdir "$work/sources"
    tar -xzmf "$work"/sdist/*.tar.gz --strip-components 1 -C "$work/sources"
    (cd "$work/sources" && find . -type f) | while read -r file; do
        if cmp --silent "../$file" "$work/sources/$file"; then touch -r "../$file" "$work/sources/$file"; fi
    done
    # From the checkout: a folder elsewhere may be given another compiler, for which all would be built again.
    local sources=(--offline --manifest-path "$work/sources/Cargo.toml")
    quietly cargo check "${sources[@]}" -p sandbox && quietly cargo metadata "${sources[@]}" --format-version 1
}

# install PYTHON PACKAGE...
install() {
    uv pip install --quiet --python "$@"
}
