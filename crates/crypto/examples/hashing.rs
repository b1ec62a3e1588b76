//! How many passwords a core compares in a second: the argon2 crate as it comes, with fresh memory for every
//! hash, and the pool of the server with one worker, in turns. `cargo run --release -p lectern-crypto
//! --example hashing`
//!
//! Counted in CPU time, so that what else the machine does weighs less.

use argon2::{Algorithm, Argon2, Params, Version};
use crypto::{
    passwords::{PasswordSettings, Passwords, Verdict},
    random::SystemEntropy,
};
use nix::sys::resource::{UsageWho, getrusage};
use std::{error::Error, sync::Arc};

const ROUNDS: u32 = 5;
const HASHES: u32 = 30;
const PASSWORD: &str = "a quiet harbour";

fn main() -> Result<(), Box<dyn Error>> {
    let settings = PasswordSettings { workers: 1, ..PasswordSettings::default() };
    let PasswordSettings { memory_kib, iterations, parallelism, .. } = settings;
    let pool = Passwords::start(settings, Arc::new(SystemEntropy))?;
    let params = Params::new(memory_kib, iterations, parallelism, Some(32)).map_err(|error| error.to_string())?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let stored = runtime.block_on(pool.hash(PASSWORD.into())).map_err(|fault| fault.message.into_owned())?;

    println!("m={memory_kib}, t={iterations}, p={parallelism}; comparisons for each second of CPU");
    let (mut alone, mut pooled) = (0.0, 0.0);
    for round in 1..=ROUNDS {
        let before = cpu_seconds()?;
        for _ in 0..HASHES {
            let mut out = [0; 32];
            argon2.hash_password_into(PASSWORD.as_bytes(), b"sixteen bytes of", &mut out).map_err(|error| error.to_string())?;
        }
        let between = cpu_seconds()?;
        for _ in 0..HASHES {
            let verdict =
                runtime.block_on(pool.verify(PASSWORD.into(), Some(&stored))).map_err(|fault| fault.message.into_owned())?;
            if verdict != (Verdict::Right { outdated: false }) {
                return Err("the right password is wrong".into());
            }
        }
        let after = cpu_seconds()?;
        alone += between - before;
        pooled += after - between;
        println!("round {round}: crate {:.1}, pool {:.1}", per_second(between - before, 1), per_second(after - between, 1));
    }
    println!(
        "all: crate {:.1}, pool {:.1}: {:.2} times as many",
        per_second(alone, ROUNDS),
        per_second(pooled, ROUNDS),
        alone / pooled
    );
    Ok(())
}

fn per_second(seconds: f64, rounds: u32) -> f64 {
    f64::from(HASHES * rounds) / seconds
}

/// The CPU time of all threads of this process together.
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    let mut seconds = 0.0;
    for time in [usage.user_time(), usage.system_time()] {
        seconds += f64::from(u32::try_from(time.tv_sec())?) + f64::from(u32::try_from(time.tv_usec())?) / 1e6;
    }
    Ok(seconds)
}
