//! Builds the shim over libtorch, and tells the linker where libtorch lies: torch-sys says it to its own crate only, and its
//! run path does not reach the binaries and tests that stand on it.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-env-changed=DEP_TCH_LIBTORCH_LIB");
    println!("cargo:rerun-if-changed=src/native");
    let lib = std::env::var("DEP_TCH_LIBTORCH_LIB").expect("torch-sys says where libtorch lies");
    // A run path that LD_LIBRARY_PATH overrides: the binary may be carried to a machine with its own libtorch.
    println!("cargo:rustc-link-arg=-Wl,--enable-new-dtags,-rpath,{lib}");
    println!("cargo:rustc-link-lib=gomp");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .include(Path::new(&lib).with_file_name("include"))
        // As libtorch was built: its headers give a recorded function one more field where this is not defined.
        .define("NDEBUG", None)
        // libtorch's headers have parameters that they do not use.
        .flag("-Wno-unused-parameter")
        // Two operators for a CPU are loops in it: tests would wait for them, and they share libtorch's threads.
        .opt_level(3)
        .flag("-fopenmp")
        .files(["shim", "decode", "record", "graph"].map(|part| format!("src/native/{part}.cpp")))
        .compile("microcoder_shim");
}
