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
