//! The worker threads.

use super::{
    Password, Verdict,
    cost::Cost,
    memory::HashMemory,
    stored::{SALT, Stored},
};
use domain::shared::Fault;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, PoisonError, mpsc},
};
use tokio::sync::{OwnedSemaphorePermit, oneshot};

/// A task, with the permit for the worker that carries it out.
pub(super) struct HashJob {
    pub(super) task: Task,
    pub(super) _permit: OwnedSemaphorePermit,
}

/// A task of a worker.
pub(super) enum Task {
    Hash { password: Password, salt: [u8; SALT], answer: oneshot::Sender<Result<String, Fault>> },
    Verify { password: Password, stored: Option<Stored>, answer: oneshot::Sender<Result<Verdict, Fault>> },
}

/// The niceness of workers. When all cores are busy, a worker gets a tenth of the time that a thread gets
/// which serves requests.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Runs jobs until the last sender is dropped.
pub(super) fn run(jobs: &Mutex<mpsc::Receiver<HashJob>>, cost: Cost, mut memory: HashMemory) {
    lower_priority();
    loop {
        // The lock is held while waiting: its holder gets the next job, and the other workers wait for the
        // lock.
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // A panic must not end the thread: only the caller of this job gets no answer.
        let _ = catch_unwind(AssertUnwindSafe(|| carry_out(job, cost, &mut memory)));
    }
}

/// A flood of logins keeps every core busy; requests that do not hash should not wait for it.
fn lower_priority() {
    // Only on Linux the niceness is that of the thread; elsewhere it is that of the process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::warn!(%error, "the priority of a password worker could not be lowered");
    }
}

fn carry_out(job: HashJob, cost: Cost, memory: &mut HashMemory) {
    // A send fails when the caller went away.
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

fn verify(password: &Password, stored: Option<Stored>, cost: Cost, memory: &mut HashMemory) -> Option<Verdict> {
    let is_known = stored.is_some();
    let stored = stored.unwrap_or_else(|| Stored::dummy(cost));
    for (form, is_composed) in password.forms() {
        if stored.verify(form, memory)? && is_known {
            return Some(Verdict::Right { outdated: !is_composed || !stored.is_current(cost) });
        }
        if stored.may_be_cheaper(cost) {
            // A wrong password takes as long as with a new hash, or the time would tell which accounts were
            // imported.
            let _ = Stored::dummy(cost).verify(form, memory)?;
        }
    }
    Some(Verdict::Wrong)
}

fn failed() -> Fault {
    Fault::internal("a password hash could not be computed")
}

#[cfg(test)]
mod tests {
    use super::{Cost, HashMemory, Password, Stored, Verdict, verify};
    use argon2::Block;

    const RIGHT: &str = "Correct-Horse-7!";
    const IMPORTED: [&str; 3] = [
        "$pbkdf2-sha256$1000$LGbj/QfMzE5vYssS.KT3Sw$DXHVc5sKPg1.ha/pnAXuiGGFh6wBCudpfzWEIIPSAEk",
        "$2b$04$QEsqvaJWnvnxzPt23QJcoeCsNrd4mbmocj8fJoioC0rip9q8KXlCm",
        "$argon2id$v=19$m=4096,t=1,p=1$RTnktIiQecI$BtF7tQxxvEkq4VLy8Ay37A",
    ];

    /// The verdict, and whether a hash of the current cost was computed, which leaves the memory written when
    /// it takes two passes.
    fn has_worked(password: &str, stored: &str, cost: Cost) -> (Verdict, bool) {
        let mut memory = HashMemory::new(cost.blocks());
        let verdict = verify(&Password::of(password.into()), Stored::parse(stored).ok(), cost, &mut memory).unwrap();
        let is_written = memory.blocks(cost.blocks()).unwrap().iter().flat_map(Block::as_ref).any(|word| *word != 0);
        (verdict, is_written)
    }

    #[test]
    fn a_wrong_password_costs_an_imported_account_what_it_costs_a_new_one() {
        let cost = Cost::new(8192, 2, 1).unwrap();
        for stored in IMPORTED {
            assert_eq!(has_worked("wrong", stored, cost), (Verdict::Wrong, true), "{stored}");
            assert_eq!(has_worked(RIGHT, stored, cost), (Verdict::Right { outdated: true }, false), "{stored}");
        }
        let cheap = Cost::new(64, 2, 1).unwrap();
        assert_eq!(has_worked("wrong", IMPORTED[2], cheap), (Verdict::Wrong, false), "what costs more anyway");
    }
    /// What a hash leaves in memory depends on its password, so it shows which form was hashed last.
    fn last_hashed(password: &str, stored: Option<&Stored>) -> (Verdict, Vec<u64>) {
        let cost = Cost::new(64, 2, 1).unwrap();
        let mut memory = HashMemory::new(cost.blocks());
        let verdict = verify(&Password::of(password.into()), stored.cloned(), cost, &mut memory).unwrap();
        (verdict, memory.blocks(cost.blocks()).unwrap().iter().flat_map(Block::as_ref).copied().collect())
    }

    #[test]
    fn a_wrong_password_is_compared_in_each_of_its_forms_for_an_unknown_account_too() {
        let cost = Cost::new(64, 2, 1).unwrap();
        let mut memory = HashMemory::new(cost.blocks());
        let known = Stored::make(cost, b"another", [7; 16], &mut memory).unwrap();
        // The form D comes last, and has no other form itself.
        for (typed, last) in [("\u{e9}e\u{301}", "e\u{301}e\u{301}"), ("caf\u{e9}", "cafe\u{301}"), ("cafe", "cafe")] {
            for stored in [None, Some(&known)] {
                let mut expected = HashMemory::new(cost.blocks());
                let hash = stored.cloned().unwrap_or_else(|| Stored::dummy(cost));
                assert_eq!(hash.verify(last.as_bytes(), &mut expected), Some(false));
                let expected: Vec<u64> = expected.blocks(cost.blocks()).unwrap().iter().flat_map(Block::as_ref).copied().collect();
                assert!(last_hashed(typed, stored) == (Verdict::Wrong, expected), "{typed:?} {}", stored.is_some());
            }
        }
    }
}
