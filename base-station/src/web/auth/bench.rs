//! Where passwords are worked out: two threads, one of them for the laptop alone, and a bounded
//! queue before each. A password takes 19 MB and a moment on purpose; a thousand at once must not
//! take 19 GB.

use std::net::IpAddr;

use tokio::sync::{mpsc, oneshot};

use super::password::hash_password;
use crate::password::password_is;
use crate::web::Problem;

/// Passwords that may wait for one thread. At some thirty milliseconds each the last of them waits
/// for less than a second.
const WAITING_MAX: usize = 16;

/// What is to be worked out, and where the answer goes.
enum Job {
    IsIt {
        password: String,
        hash: String,
        reply: oneshot::Sender<bool>,
    },
    Hash {
        password: String,
        reply: oneshot::Sender<Result<String, Problem>>,
    },
}

/// The threads.
#[derive(Debug)]
pub struct Bench {
    laptop: mpsc::Sender<Job>,
    others: mpsc::Sender<Job>,
}

impl Default for Bench {
    fn default() -> Self {
        Self {
            laptop: thread("laptop's passwords"),
            others: thread("others' passwords"),
        }
    }
}

/// Starts a thread that ends with its last sender.
fn thread(name: &str) -> mpsc::Sender<Job> {
    let (jobs, mut waiting) = mpsc::channel::<Job>(WAITING_MAX);
    let work = move || {
        while let Some(job) = waiting.blocking_recv() {
            job.work();
        }
    };
    // Without a thread every sign-in is answered with "too many": nothing worse happens.
    let started = std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(work);
    if let Err(fault) = started {
        tracing::error!(%fault, "no thread for passwords");
    }
    jobs
}

impl Job {
    fn work(self) {
        // Who has hung up in the meantime costs nothing.
        match self {
            Self::IsIt {
                password,
                hash,
                reply,
            } => {
                if !reply.is_closed() {
                    let _ = reply.send(password_is(&password, &hash));
                }
            }
            Self::Hash { password, reply } => {
                if !reply.is_closed() {
                    let _ = reply.send(hash_password(&password));
                }
            }
        }
    }
}

impl Bench {
    /// Whether this is the password.
    pub async fn is_it(
        &self,
        from: IpAddr,
        password: String,
        hash: String,
    ) -> Result<bool, Problem> {
        self.ask(from, |reply| Job::IsIt {
            password,
            hash,
            reply,
        })
        .await
    }

    /// The hash of a new password.
    pub async fn hash(&self, from: IpAddr, password: String) -> Result<String, Problem> {
        self.ask(from, |reply| Job::Hash { password, reply })
            .await?
    }

    async fn ask<T>(
        &self,
        from: IpAddr,
        job: impl FnOnce(oneshot::Sender<T>) -> Job,
    ) -> Result<T, Problem> {
        let (reply, answer) = oneshot::channel();
        let queue = if from.to_canonical().is_loopback() {
            &self.laptop
        } else {
            &self.others
        };
        queue
            .try_send(job(reply))
            .map_err(|_| Problem::queue_is_full())?;
        answer.await.map_err(Problem::fault)
    }
}
