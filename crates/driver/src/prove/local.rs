//! Proofs on this machine: as many at once as cores and memory allow.
//!
//! A proof begins when a worker is free and the limits of all that run fit into the memory that there is; one whose limit is larger
//! than that runs alone.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::{Job, JobState, Machines, ProofResult, ProveRequest, What, process};

/// Threads, each of which looks after one process at a time.
pub(super) struct Local {
    shared: Arc<Shared>,
    request: ProveRequest,
    workers: Vec<JoinHandle<()>>,
}

/// The state that the threads share.
struct Shared {
    jobs: Vec<Job>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<usize>,
    n_running: usize,
    /// Bytes that those that run may use.
    used: u64,
    news: Vec<(usize, JobState)>,
    results: BTreeMap<usize, ProofResult>,
}

impl Local {
    /// A machine for these jobs.
    pub(super) fn new(jobs: &[Job], request: &ProveRequest) -> Local {
        let (state, changed) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { jobs: jobs.to_vec(), state, changed });
        Local { shared, request: request.clone(), workers: Vec::new() }
    }
}

impl Machines for Local {
    fn submit(&mut self, jobs: &[usize]) -> Result<(), String> {
        self.shared.lock().waiting.extend(jobs);
        self.workers.retain(|worker| !worker.is_finished());
        while self.workers.len() < self.request.jobs.clamp(1, self.shared.jobs.len().max(1)) {
            let (shared, request) = (Arc::clone(&self.shared), self.request.clone());
            self.workers.push(std::thread::spawn(move || shared.work(&request)));
        }
        Ok(())
    }

    fn poll(&mut self) -> Result<Vec<(usize, JobState)>, String> {
        Ok(std::mem::take(&mut self.shared.lock().news))
    }

    fn fetch(&mut self, job: usize) -> Option<ProofResult> {
        self.shared.lock().results.remove(&job)
    }

    fn cancel(&mut self) {
        self.shared.lock().waiting.clear();
    }
}

impl Shared {
    /// A lock; what a thread that died has left is as good as any.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs jobs until none waits.
    fn work(&self, request: &ProveRequest) {
        while let Some(index) = self.take(request.memory_of_all) {
            let job = &self.jobs[index];
            let result = match &job.what {
                What::Arguments(arguments) => {
                    let folder = &request.folder;
                    Some(process::run(&request.program, &job.name, arguments, folder, job.limits))
                }
                What::Bundle(_) => None,
            };
            let mut state = self.lock();
            state.n_running -= 1;
            state.used = state.used.saturating_sub(job.limits.memory);
            state.results.extend(result.map(|result| (index, result)));
            state.news.push((index, JobState::Ended));
            self.changed.notify_all();
        }
    }

    /// The next job, once there is memory for it.
    fn take(&self, memory_of_all: u64) -> Option<usize> {
        let mut state = self.lock();
        loop {
            let &index = state.waiting.front()?;
            let memory = self.jobs[index].limits.memory;
            if state.n_running == 0 || state.used.saturating_add(memory) <= memory_of_all {
                state.waiting.pop_front();
                state.n_running += 1;
                state.used = state.used.saturating_add(memory);
                state.news.push((index, JobState::Running));
                return Some(index);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
