# The things one does here; `just` lists them. All of it works without just: each recipe is the command it runs.

torch := 'eval "$(trainer/setup-torch.sh)"'

[private]
default:
    @just --list --unsorted

# Build mc-eval
build:
    cargo build --release --locked -p evaluator

# Run all tests but the trainer's
test *arguments:
    cargo test --locked {{ arguments }}

# Check formatting, lints and documentation
lint:
    cargo fmt --all --check
    cargo clippy --all-targets --locked -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --locked

# Format the Rust code
format:
    cargo fmt --all

# Say what isolation this machine gives
doctor:
    cargo run --release --locked -p evaluator -- doctor

# Judge the showcase: 69 solutions to 17 problems
showcase:
    rm -f verdicts.jsonl
    cargo run --release --locked -p evaluator -- judge fixtures/solutions.jsonl --out verdicts.jsonl

# Print what each comparison profile accepts and rejects wrongly
rates:
    cargo test --locked -p evaluator --test comparisons -- --nocapture

# Measure: sandbox, native, wasm, calls, overshoot, strategies or peers
bench which:
    cargo bench --locked -p benches --bench {{ which }}

# Do 200 hostile programs change the verdicts on 2000 honest ones beside them?
crowd: build
    python3 benches/soak/crowd.py target/release/mc-eval

# Judge under trouble: killed workers and compilers, a full disk; as root
soak minutes="30": build
    python3 benches/soak/soak.py target/release/mc-eval --minutes {{ minutes }}

# Build mc-train, with the libtorch that is found or fetched
trainer:
    {{ torch }} && cargo build --release --locked -p trainer

# Run the trainer's tests, the learning test among them
test-trainer *arguments:
    {{ torch }} && cargo test --locked -p trainer {{ arguments }}

# Check licences, bans, sources and advisories of all dependencies
deny:
    cargo deny check

# Run everything that the public host runs, as on a bare machine
ci:
    .ci/run
