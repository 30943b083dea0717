//! Where a model computes. It is a process of its own: libtorch remembers whether it was once asked for a GPU before its CUDA half
//! was loaded.

use std::process::Command;

use tch::Device;
use trainer::native;

/// Where there is a GPU, the command goes on to the model, which is not there either.
#[test]
fn a_gpu_that_is_not_there_is_an_error_only_where_one_is_asked_for() {
    let generate = |device: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mc-train"));
        command.args([
            "bench",
            "generate",
            "--work",
            "absent.json",
            "--out",
            "absent",
        ]);
        command.args([
            "--set",
            "model.path=absent",
            "--set",
            &format!("model.device={device}"),
        ]);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(3));
        String::from_utf8(output.stderr).unwrap()
    };
    let (asked, any, cpu) = (generate("cuda"), generate("auto"), generate("cpu"));
    match native::first_gpu() {
        Ok(gpu) => {
            assert_eq!(gpu, Device::Cuda(0));
            assert!(asked.contains("absent/config.json"), "{asked}");
        }
        Err(problem) => {
            let told = format!("no usable GPU ({problem})");
            assert!(
                asked.starts_with(&format!("error: model.device: {told}")),
                "{asked}"
            );
            assert!(asked.contains("setup-torch.sh --cuda"), "{asked}");
            assert!(
                any.contains(&told) && any.contains("absent/config.json"),
                "{any}"
            );
            assert_eq!(native::peak_memory(true), 0);
            native::empty_cache();
        }
    }
    assert!(
        !cpu.contains("GPU") && cpu.contains("absent/config.json"),
        "{cpu}"
    );
}
