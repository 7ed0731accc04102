//! The cost of threads: n threads that each add to a variable m times under a lock, and the claim about the sum.
//!
//! Cost is to grow with the code of the threads, and not with their number or with schedules: the largest of these programs has
//! to be proved within ten seconds.

#![allow(clippy::print_stdout, reason = "a measurement prints its table")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use vergo_driver::{CheckRequest, EngineId, Input, Job, Specification, check};
use vergo_testkit::host_c::Scratch;

/// Threads, and accesses of each.
const SIZES: &[(u32, u32)] = &[(2, 5), (3, 3), (4, 10), (8, 25), (8, 50), (32, 200)];

/// The seconds that a proof may take.
const LIMIT: f64 = 10.0;

fn main() -> ExitCode {
    let scratch = match Scratch::new("threads") {
        Ok(scratch) => scratch,
        Err(error) => {
            println!("{error}");
            return ExitCode::FAILURE;
        }
    };
    println!("threads  accesses  seconds  answer");
    let mut fine = true;
    for &(threads, accesses) in SIZES {
        let name = format!("sum-{threads}-{accesses}.c");
        let path = match scratch.write(&name, program(threads, accesses)) {
            Ok(path) => path,
            Err(error) => {
                println!("{error}");
                return ExitCode::FAILURE;
            }
        };
        let request = CheckRequest {
            specification: Specification::from_name("unreach-call")
                .unwrap_or_else(Specification::standard),
            engine: EngineId::ThreadModular,
            timeout: Some(Duration::from_secs(60)),
            ..CheckRequest::default()
        };
        let start = Instant::now();
        let report = check(&mut Job::default(), &[Input::File(path)], &request, &|_| {});
        let seconds = start.elapsed().as_secs_f64();
        let answer = report.map_or("none".to_owned(), |report| report.answer.line());
        println!("{threads:7}  {accesses:8}  {seconds:7.2}  {answer}");
        fine &= answer == "true" && seconds <= LIMIT;
    }
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn program(threads: u32, accesses: u32) -> String {
    let sum = threads * accesses;
    format!(
        "#include <pthread.h>
extern void reach_error(void);
static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *unused)
{{
    for (int i = 0; i < {accesses}; i++) {{
        pthread_mutex_lock(&lock);
        sum++;
        if (sum <= 0)
            reach_error();
        pthread_mutex_unlock(&lock);
    }}
    return 0;
}}
int main(void)
{{
    pthread_t threads[{threads}];
    for (int i = 0; i < {threads}; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < {threads}; i++)
        pthread_join(threads[i], 0);
    if (sum != {sum})
        reach_error();
    return 0;
}}
"
    )
}
