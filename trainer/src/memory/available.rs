//! How much memory a machine has to give.

use tch::{Device, Kind, Tensor};

use super::Size;
use crate::native;

/// Memory that is free on a device; none where the system does not tell.
pub fn available(device: Device) -> Option<Size> {
    match device {
        Device::Cuda(_) => {
            // The allocator answers once it has been used.
            let _first = Tensor::zeros([1], (Kind::Float, device));
            native::free_memory().map(Size)
        }
        _ => free_of_system(&fs_err::read_to_string("/proc/meminfo").ok()?),
    }
}

/// What Linux reckons can be taken without swapping.
fn free_of_system(meminfo: &str) -> Option<Size> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(Size(kib * 1024))
}
