//! The calls of the host that cost more the more is asked of them. Each is paid for before it does anything, except for the
//! bytes that it reads or writes: of those there may be fewer than it was asked for.

use std::time::Duration;

use wasmtime::component::{self, Resource};
use wasmtime::{AsContextMut, Caller, Error, Extern, Linker, Result, StoreContextMut, bail};
use wasmtime_wasi::WasiView;
use wasmtime_wasi::p1::types::{
    Errno, Event, EventFdReadwrite, Eventrwflags, Eventtype, Subclockflags, Subscription,
    SubscriptionU,
};
use wasmtime_wasi::p1::wasi_snapshot_preview1::{self as preview1, WasiSnapshotPreview1};
use wasmtime_wasi::p2::DynPollable;
use wasmtime_wasi::p2::bindings::io::poll::Host as _;
use wiggle::{GuestMemory, GuestPtr};

use crate::host::{Host, pay};
use crate::meter::{AWAITED, AWAITED_AGAIN, BUFFER, DIRECTORY, PATH, PATH_BYTE};

/// What modules import.
pub const PREVIEW_1: &str = "wasi_snapshot_preview1";
/// Where components import what waits.
const POLL: &str = "wasi:io/poll@0.2.12";

/// Put calls with a price in the place of those that have none. `moving` names the place where a call tells how many bytes it
/// moved.
macro_rules! price {
    ($linker:ident: $($name:ident($($argument:ident: $kind:ty),*) costs $price:expr $(, moving $moved:ident)?;)*) => {$(
        $linker.func_wrap_async(
            PREVIEW_1,
            stringify!($name),
            |mut caller: Caller<'_, Host>, ($($argument,)*): ($($kind,)*)| Box::new(async move {
                pay(&mut caller, $price)?;
                let (mut memory, host) = surroundings(&mut caller)?;
                let status = preview1::$name(&mut host.wasi, &mut memory, $($argument),*).await?;
                $(moved(host, &memory, $moved);)?
                Ok::<_, Error>(status)
            }),
        )?;
    )*};
}

/// Those of preview 1.
pub fn add_to_modules(linker: &mut Linker<Host>) -> Result<()> {
    price! { linker:
        fd_read(fd: i32, list: i32, count: i32, read: i32) costs buffers(count), moving read;
        fd_pread(fd: i32, list: i32, count: i32, at: i64, read: i32) costs buffers(count), moving read;
        fd_write(fd: i32, list: i32, count: i32, written: i32) costs buffers(count), moving written;
        fd_pwrite(fd: i32, list: i32, count: i32, at: i64, written: i32)
            costs buffers(count), moving written;
        fd_readdir(fd: i32, buffer: i32, length: i32, cookie: i64, used: i32) costs DIRECTORY;
        path_create_directory(fd: i32, path: i32, length: i32) costs paths([length]);
        path_filestat_get(fd: i32, flags: i32, path: i32, length: i32, buffer: i32)
            costs paths([length]);
        path_filestat_set_times(
            fd: i32, flags: i32, path: i32, length: i32, accessed: i64, changed: i64, which: i32
        ) costs paths([length]);
        path_link(
            fd: i32, flags: i32, path: i32, length: i32, new_fd: i32, new_path: i32, new_length: i32
        ) costs paths([length, new_length]);
        path_open(
            fd: i32, flags: i32, path: i32, length: i32, how: i32, rights: i64, inherited: i64,
            fd_flags: i32, opened: i32
        ) costs paths([length]);
        path_readlink(fd: i32, path: i32, length: i32, buffer: i32, room: i32, used: i32)
            costs paths([length]);
        path_remove_directory(fd: i32, path: i32, length: i32) costs paths([length]);
        path_rename(
            fd: i32, path: i32, length: i32, new_fd: i32, new_path: i32, new_length: i32
        ) costs paths([length, new_length]);
        path_symlink(path: i32, length: i32, fd: i32, new_path: i32, new_length: i32)
            costs paths([length, new_length]);
        path_unlink_file(fd: i32, path: i32, length: i32) costs paths([length]);
    }
    linker.func_wrap(
        PREVIEW_1,
        "args_sizes_get",
        |mut caller: Caller<'_, Host>, count: i32, size: i32| {
            pay_for_arguments(&mut caller)?;
            let (mut memory, host) = surroundings(&mut caller)?;
            preview1::args_sizes_get(&mut host.wasi, &mut memory, count, size)
        },
    )?;
    linker.func_wrap(
        PREVIEW_1,
        "args_get",
        |mut caller: Caller<'_, Host>, list: i32, bytes: i32| {
            pay_for_arguments(&mut caller)?;
            let (mut memory, host) = surroundings(&mut caller)?;
            preview1::args_get(&mut host.wasi, &mut memory, list, bytes)
        },
    )?;
    linker.func_wrap_async(
        PREVIEW_1,
        "poll_oneoff",
        |caller: Caller<'_, Host>, asked: (i32, i32, i32, i32)| Box::new(poll(caller, asked)),
    )?;
    Ok(())
}

/// That of preview 2 which takes a list of any length. What else takes one works on what was paid for already.
pub fn add_to_components(linker: &mut component::Linker<Host>) -> Result<()> {
    linker.allow_shadowing(true);
    linker.instance(POLL)?.func_wrap_async(
        "poll",
        |mut store: StoreContextMut<'_, Host>, (awaited,): (Vec<Resource<DynPollable>>,)| {
            Box::new(async move {
                pay(
                    &mut store,
                    AWAITED_AGAIN.saturating_mul(awaited.len() as u64),
                )?;
                Ok((store.data_mut().ctx().table.poll(awaited).await?,))
            })
        },
    )
}

/// The price of a list of buffers.
fn buffers(count: i32) -> u64 {
    BUFFER * unsigned(count)
}

/// The price of paths of these lengths.
fn paths<const COUNT: usize>(lengths: [i32; COUNT]) -> u64 {
    let price = |length| PATH + PATH_BYTE * unsigned(length);
    lengths.into_iter().map(price).sum()
}

fn pay_for_arguments(caller: &mut Caller<'_, Host>) -> Result<()> {
    let price = caller.data().arguments;
    pay(caller, price)
}

/// A length as modules mean it.
fn unsigned(length: i32) -> u64 {
    u64::from(length as u32)
}

/// The memory of the module that calls, and what is around it.
fn surroundings<'a>(caller: &'a mut Caller<'_, Host>) -> Result<(GuestMemory<'a>, &'a mut Host)> {
    let Some(Extern::Memory(memory)) = caller.get_export("memory") else {
        bail!("it exports no memory");
    };
    let most = caller.as_context_mut().hostcall_fuel();
    let (bytes, host) = memory.data_and_store_mut(caller);
    // What the library may copy of the memory in this call.
    host.wasi.set_hostcall_fuel(most);
    Ok((GuestMemory::Unshared(bytes), host))
}

/// Note the bytes of which a call told `at` this place. One that failed left there what was there before, at most.
fn moved(host: &Host, memory: &GuestMemory<'_>, at: i32) {
    let bytes: u32 = memory.read(GuestPtr::new(at as u32)).unwrap_or(0);
    host.meter.moved_in_all(bytes.into());
}

/// Wait for the first of some things.
async fn poll(
    mut caller: Caller<'_, Host>,
    (asked, events, count, happened): (i32, i32, i32, i32),
) -> Result<i32> {
    pay(&mut caller, AWAITED.saturating_mul(unsigned(count)))?;
    let (mut memory, host) = surroundings(&mut caller)?;
    let only: GuestPtr<Subscription> = GuestPtr::new(asked as u32);
    if count == 1
        && let Some((asked, time)) = sleep(memory.read(only)?)
    {
        tokio::time::sleep(time).await;
        memory.write(GuestPtr::new(events as u32), woken(asked))?;
        memory.write(GuestPtr::new(happened as u32), 1u32)?;
        return Ok(Errno::Success as i32);
    }
    preview1::poll_oneoff(&mut host.wasi, &mut memory, asked, events, count, happened).await
}

/// How long a program wants to sleep, if it wants nothing else. The library would have the process sleep where a program is given
/// files, and no time of the program's passes then.
fn sleep(asked: Subscription) -> Option<(Subscription, Duration)> {
    let SubscriptionU::Clock(clock) = &asked.u else {
        return None;
    };
    let until = Subclockflags::SUBSCRIPTION_CLOCK_ABSTIME;
    let time = Duration::from_nanos(clock.timeout);
    (!clock.flags.contains(until)).then_some((asked, time))
}

/// What is told to a program that has slept.
fn woken(asked: Subscription) -> Event {
    Event {
        userdata: asked.userdata,
        error: Errno::Success,
        type_: Eventtype::Clock,
        fd_readwrite: EventFdReadwrite {
            nbytes: 0,
            flags: Eventrwflags::empty(),
        },
    }
}
