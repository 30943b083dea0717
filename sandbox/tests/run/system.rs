//! What a program may ask of the system, and what it is told.

use super::prints;

#[test]
fn the_stack_limit_can_be_lifted_and_the_others_cannot() {
    prints(
        "import resource\n\
         unlimited = resource.RLIM_INFINITY\n\
         resource.setrlimit(resource.RLIMIT_STACK, (unlimited, unlimited))\n\
         print(resource.getrlimit(resource.RLIMIT_STACK) == (unlimited, unlimited))\n\
         for name in 'AS', 'CPU', 'FSIZE', 'NPROC', 'NOFILE':\n\
         \x20   try:\n\
         \x20       resource.setrlimit(getattr(resource, 'RLIMIT_' + name), (unlimited, unlimited))\n\
         \x20       print('lifted', name)\n\
         \x20   except ValueError:\n\
         \x20       pass",
        "",
        "True\n",
    );
}

#[test]
fn a_lifted_stack_limit_still_counts_as_memory() {
    let source = "import resource, sys, threading\n\
                  resource.setrlimit(resource.RLIMIT_STACK, (-1, -1))\n\
                  sys.setrecursionlimit(10**9)\n\
                  class Deep:\n\
                  \x20   def __getattr__(self, name): return getattr(self, name)\n\
                  Deep().x";
    let outcome = super::run(source, "");
    assert_ne!(outcome.termination, sandbox::Termination::Exited(0));
    assert!(outcome.usage.memory < 512 << 20, "{:?}", outcome.usage);
}

#[test]
fn locks_on_files_succeed() {
    prints(
        "import fcntl\n\
         file = open('f', 'w')\n\
         fcntl.flock(file, fcntl.LOCK_EX)\n\
         fcntl.lockf(file, fcntl.LOCK_EX)\n\
         fcntl.lockf(file, fcntl.LOCK_UN)\n\
         import sqlite3\n\
         base = sqlite3.connect('base.db')\n\
         base.execute('create table t (x)')\n\
         base.execute('insert into t values (7)')\n\
         base.commit()\n\
         print(sqlite3.connect('base.db').execute('select x from t').fetchone())",
        "",
        "(7,)\n",
    );
}

#[test]
fn no_descriptor_is_sent() {
    prints(
        "import array, errno, socket\n\
         one, other = socket.socketpair()\n\
         one.send(b'x')\n\
         print(other.recv(1))\n\
         try:\n\
         \x20   one.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [0]))])\n\
         except OSError as error:\n\
         \x20   print(errno.errorcode[error.errno])",
        "",
        "b'x'\nEPERM\n",
    );
}

#[test]
fn no_signal_is_queued() {
    prints(
        "import errno, os, signal\n\
         queued = [signal.SIGRTMIN, signal.SIGUSR1]\n\
         signal.pthread_sigmask(signal.SIG_BLOCK, queued)\n\
         for one in queued:\n\
         \x20   try:\n\
         \x20       os.kill(os.getpid(), one)\n\
         \x20       print(signal.sigpending() == {one})\n\
         \x20   except OSError as error:\n\
         \x20       print(errno.errorcode[error.errno])",
        "",
        "EPERM\nTrue\n",
    );
}

#[test]
fn two_hundred_threads_can_be_alive() {
    prints(
        "import threading\n\
         end = threading.Event()\n\
         def work(): sum(range(1000)); end.wait()\n\
         threads = [threading.Thread(target=work) for _ in range(200)]\n\
         for thread in threads: thread.start()\n\
         print(threading.active_count())\n\
         end.set()",
        "",
        "201\n",
    );
}

#[test]
fn all_cores_are_there_for_every_run() {
    let program = super::script("import os; print(len(os.sched_getaffinity(0)))");
    let (runtime, limits) = (super::runtime(), super::limits());
    let cores = std::thread::available_parallelism().expect("a number of cores");
    let mut many = runtime.launch(&program, &limits).expect("it compiles");
    let mut once = runtime.launch_once(&program, &limits).expect("it compiles");
    for outcome in [
        many.run(b"", &limits, 1),
        many.run(b"", &limits, 2),
        once.run(b"", &limits, 3),
    ] {
        let outcome = outcome.expect("the host is sound");
        assert_eq!(outcome.stdout, format!("{cores}\n").into_bytes());
    }
}

#[test]
fn standard_input_has_its_usual_names() {
    for name in ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] {
        let source = format!("print(open({name:?}).read(), open({name:?}).read(1), input())");
        prints(&source, "4 5", "4 5 4 4 5\n");
    }
}

#[test]
fn the_name_of_standard_input_leads_to_that_of_the_test_and_carries_no_word() {
    let program = super::script(
        "import os\n\
         print(open('/dev/stdin').read(), oct(os.stat('/dev/stdin').st_mode), os.listdir('/proc/self/fd'))\n\
         for call, arguments in (os.chmod, [0o777]), (os.utime, [(0, 0)]), (os.truncate, [0]), (open, ['a']):\n\
         \x20   try:\n\
         \x20       call('/proc/self/fd/0', *arguments)\n\
         \x20       print(call)\n\
         \x20   except OSError:\n\
         \x20       pass",
    );
    let runtime = super::runtime();
    let mut boxed = runtime
        .launch(&program, &super::limits())
        .expect("it compiles");
    for input in ["a long first input", "short", "", "the last"] {
        let outcome = boxed.run(input.as_bytes(), &super::limits(), 0);
        let stdout = outcome.expect("the host is sound").stdout;
        let expected = format!("{input} 0o100444 ['0']\n");
        assert_eq!(String::from_utf8_lossy(&stdout), expected);
    }
    assert!(!boxed.is_spent());
}

#[test]
fn locks_and_pools_that_need_no_process_work() {
    prints(
        "import multiprocessing\n\
         from multiprocessing.dummy import Pool\n\
         with multiprocessing.Lock(), multiprocessing.Semaphore(2):\n\
         \x20   print(Pool(3).map(str.upper, 'abc'))",
        "",
        "['A', 'B', 'C']\n",
    );
}
