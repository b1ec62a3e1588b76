//! A thread that hashes.

use super::{
    Password, Verdict,
    argon2id::Memory,
    cost::Cost,
    stored::{SALT, Stored},
};
use domain::shared::Fault;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, PoisonError, mpsc},
};
use tokio::sync::{OwnedSemaphorePermit, oneshot};

/// TxOperation for one thread, with the permission to keep it busy.
pub(super) struct Job {
    pub(super) task: Task,
    pub(super) _permit: OwnedSemaphorePermit,
}

/// What to do.
pub(super) enum Task {
    Hash { password: Password, salt: [u8; SALT], answer: oneshot::Sender<Result<String, Fault>> },
    Verify { password: Password, stored: Option<Stored>, answer: oneshot::Sender<Result<Verdict, Fault>> },
}

/// How far a thread that hashes stands back. When everything wants the processor, it gets a tenth of what a thread gets that answers requests.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Takes jobs until nobody can send any more.
pub(super) fn run(jobs: &Mutex<mpsc::Receiver<Job>>, cost: Cost, mut memory: Memory) {
    stand_back();
    loop {
        // The lock is held while waiting: whoever holds it gets the next job, the others queue up for the lock.
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // A panic would take the thread away from everybody; so it costs its caller an answer and nobody else anything.
        let _ = catch_unwind(AssertUnwindSafe(|| carry_out(job, cost, &mut memory)));
    }
}

/// A flood of logins keeps every core busy for as long as it lasts; whoever only reads is not to wait for it.
fn stand_back() {
    // Elsewhere it would hold for the whole process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::warn!(%error, "the threads that hash passwords do not stand back");
    }
}

fn carry_out(job: Job, cost: Cost, memory: &mut Memory) {
    // Nobody is there to hear an answer when a send fails: the caller went away.
    match job.task {
        Task::Hash { answer, .. } if answer.is_closed() => {}
        Task::Verify { answer, .. } if answer.is_closed() => {}
        Task::Hash { password, salt, answer } => {
            let hash = Stored::make(cost, password.composed(), salt, memory).and_then(|m| m.write());
            let _ = answer.send(hash.ok_or_else(failed));
        }
        Task::Verify { password, stored, answer } => {
            let _ = answer.send(verify(&password, stored, cost, memory).ok_or_else(failed));
        }
    }
}

fn verify(password: &Password, stored: Option<Stored>, cost: Cost, memory: &mut Memory) -> Option<Verdict> {
    let is_known = stored.is_some();
    let stored = stored.unwrap_or_else(|| Stored::of_nobody(cost));
    for (form, is_composed) in password.forms() {
        if stored.fits(form, memory)? && is_known {
            return Some(Verdict::Right { outdated: !is_composed || !stored.is_as_new(cost) });
        }
        if stored.may_be_cheaper(cost) {
            // Wrong as late as for everybody else: or the time would tell whose account was imported.
            let _ = Stored::of_nobody(cost).fits(form, memory)?;
        }
    }
    Some(Verdict::Wrong)
}

fn failed() -> Fault {
    Fault::internal("a password hash could not be computed")
}

#[cfg(test)]
mod tests {
    use super::{Cost, Memory, Password, Stored, Verdict, verify};

    const FITTING: &str = "Correct-Horse-7!";
    const IMPORTED: [&str; 3] = [
        "$pbkdf2-sha256$1000$LGbj/QfMzE5vYssS.KT3Sw$DXHVc5sKPg1.ha/pnAXuiGGFh6wBCudpfzWEIIPSAEk",
        "$2b$04$QEsqvaJWnvnxzPt23QJcoeCsNrd4mbmocj8fJoioC0rip9q8KXlCm",
        "$argon2id$v=19$m=4096,t=1,p=1$RTnktIiQecI$BtF7tQxxvEkq4VLy8Ay37A",
    ];

    /// Whether the work of a new hash was done: two passes leave the memory written.
    fn has_worked(password: &str, stored: &str, cost: Cost) -> (Verdict, bool) {
        let mut memory = Memory::new(cost.blocks()).unwrap();
        let verdict = verify(&Password::of(password.into()), Stored::parse(stored).ok(), cost, &mut memory).unwrap();
        let is_written = memory.blocks(cost.blocks()).unwrap().iter().flatten().any(|word| *word != 0);
        (verdict, is_written)
    }

    #[test]
    fn a_wrong_password_costs_an_imported_account_what_it_costs_a_new_one() {
        let cost = Cost::new(8192, 2, 1).unwrap();
        for stored in IMPORTED {
            assert_eq!(has_worked("wrong", stored, cost), (Verdict::Wrong, true), "{stored}");
            assert_eq!(has_worked(FITTING, stored, cost), (Verdict::Right { outdated: true }, false), "{stored}");
        }
        let cheap = Cost::new(64, 2, 1).unwrap();
        assert_eq!(has_worked("wrong", IMPORTED[2], cheap), (Verdict::Wrong, false), "what costs more anyway");
    }
}
