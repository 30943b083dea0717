//! CUDA graphs: the launches of some work on a GPU, captured once and replayed as one launch.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;
use std::thread::panicking;

use super::{check, said};

unsafe extern "C" {
    fn mc_graph_pool(pool: *mut u64) -> *mut c_char;
    fn mc_graph_begin(pool: *const u64, graph: *mut *mut c_void) -> *mut c_char;
    fn mc_graph_end(graph: *mut c_void) -> *mut c_char;
    fn mc_graph_replay(graph: *mut c_void) -> *mut c_char;
    fn mc_graph_free(graph: *mut c_void);
    fn mc_begin_aside(before: *mut *mut c_void) -> *mut c_char;
    fn mc_end_aside(before: *mut c_void) -> *mut c_char;
}

/// Memory for what captured work makes. Graphs may share it where nothing that one of them makes is read once it is done.
#[derive(Debug, Clone, Copy)]
pub struct GraphPool([u64; 2]);

impl GraphPool {
    /// A new one.
    ///
    /// # Errors
    /// No libtorch for a GPU, or one without the functions that graphs need: it is told which.
    pub fn new() -> Result<GraphPool, String> {
        let mut pool = [0; 2];
        // SAFETY: a place for two numbers.
        let message = unsafe { mc_graph_pool(pool.as_mut_ptr()) };
        said(message).map_or(Ok(GraphPool(pool)), Err)
    }
}

/// Captured work.
#[derive(Debug)]
pub struct Graph(*mut c_void);

impl Graph {
    /// Captures what `work` launches, [`aside`]; none of it is done. It must not wait for the GPU, and whatever it reads and
    /// writes must be where it is for as long as the graph is replayed.
    ///
    /// # Panics
    /// Of work that cannot be captured.
    pub fn capture(pool: GraphPool, work: impl FnOnce()) -> Graph {
        let mut graph = null_mut();
        // SAFETY: two numbers, and a place for the result.
        check(unsafe { mc_graph_begin(pool.0.as_ptr(), &mut graph) });
        let graph = Graph(graph);
        work();
        // SAFETY: a graph whose capture has begun.
        check(unsafe { mc_graph_end(graph.0) });
        graph
    }

    /// Does the work.
    pub fn replay(&self) {
        // SAFETY: a captured graph; what it works on is for whoever captured it.
        check(unsafe { mc_graph_replay(self.0) });
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        // SAFETY: made by `capture`, freed once.
        unsafe { mc_graph_free(self.0) };
    }
}

/// Does work on a stream of the GPU that is not the default one, which cannot be captured: after all that was asked for before, and
/// to its end.
pub fn aside<T>(work: impl FnOnce() -> T) -> T {
    struct Before(*mut c_void);
    impl Drop for Before {
        fn drop(&mut self) {
            // SAFETY: what began on this thread, ended once, also where `work` panics.
            let problem = said(unsafe { mc_end_aside(self.0) });
            // Where work panicked, its own message is the one to read.
            if let Some(problem) = problem.filter(|_| !panicking()) {
                panic!("libtorch failed: {problem}");
            }
        }
    }
    let mut before = null_mut();
    // SAFETY: a place for the result.
    check(unsafe { mc_begin_aside(&mut before) });
    let _before = Before(before);
    work()
}
