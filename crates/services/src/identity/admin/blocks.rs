//! Who is refused just now for having failed or asked too often, and lifting that.

use super::ActingAdministrator;
use crate::{
    identity::{IdentityContext, secrets::AttemptTarget},
    shared::SharedLimit,
    shared::rate_limiter::{CallerKey, RateLimiter},
};
use domain::{
    identity::{Account, admin::BlockId},
    shared::{Fault, UserId},
};
use futures_util::future;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    time::Duration,
};
use storage::{
    Executor,
    identity::{
        account_list, audit, known_devices,
        lockout::{self, Key},
    },
    transact,
};

/// How many blocks of a kind are listed.
const MOST: i64 = 100;
/// The same for each limit of this process.
const MOST_OF_PROCESS: usize = 100;
/// How many accounts are compared with what is locked: those at which signing in failed last.
const MAX_ACCOUNTS: i64 = 500;

/// A block.
#[derive(Debug, Clone)]
pub struct Block {
    /// What it is lifted by.
    pub id: BlockId,
    /// The limit that refuses: `lockout`, or its name as `APP_RATE_LIMIT_` has it.
    pub limit: &'static str,
    /// What a lockout is of: `password`, `code`, `mailedCode`, `deviceCode` or `reauth`; `None` where that is
    /// not known.
    pub target: Option<&'static str>,
    /// The account, if it is known.
    pub user: Option<Account>,
    /// The caller: an address, a client, a token, an administrator. `None` where only a keyed hash of it is
    /// kept.
    pub caller: Option<String>,
    /// The failures of the day, of a lockout.
    pub failures: Option<i32>,
    /// Until when it refuses.
    pub until: Timestamp,
}

/// The blocks: lockouts and shared limits of all processes, and the limits that this process counts for
/// itself. At most a hundred of each.
pub async fn list_blocks(ctx: &IdentityContext) -> Result<Vec<Block>, Fault> {
    let connection = ctx.store.connection("blocks.list").await?;
    let now = ctx.clock.now();
    let mut blocks = list_lockouts(ctx, &connection, now).await?;
    // They travel together.
    let exhausted = future::try_join_all(ctx.limits.shared().map(async |limit| {
        let exhausted = limit.exhausted(&connection, MOST).await?;
        Ok::<_, Fault>(exhausted.into_iter().map(move |exhausted| (limit, exhausted)))
    }));
    for (limit, exhausted) in exhausted.await?.into_iter().flatten() {
        let shown = limit.shown(&exhausted.caller);
        let id = BlockId::Shared { limit: limit.name().to_owned(), caller: exhausted.caller };
        blocks.push(Block::of_limit(id, limit.name(), shown, after(now, exhausted.refused_for)));
    }
    for (name, limiter, is_by_ip) in ctx.limits.of_this_process() {
        for (caller, wait) in limiter.exhausted(MOST_OF_PROCESS) {
            let id = BlockId::Process { limit: name.to_owned(), caller };
            blocks.push(Block::of_limit(id, name, is_by_ip.then(|| address(caller)), after(now, wait)));
        }
    }
    Ok(blocks)
}

impl Block {
    fn of_limit(id: BlockId, limit: &'static str, caller: Option<String>, until: Timestamp) -> Self {
        Self { id, limit, target: None, user: None, caller, failures: None, until }
    }
}

fn after(now: Timestamp, wait: Duration) -> Timestamp {
    now.checked_add(wait).unwrap_or(Timestamp::MAX)
}

/// The address that a limit counts: of IPv6 the network.
fn address(caller: [u8; 16]) -> String {
    match Ipv6Addr::from(caller).to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(network) => format!("{network}/64"),
    }
}

/// What is locked. The counters hold keyed hashes only, so the accounts at which signing in failed last are
/// hashed in the same way and compared.
async fn list_lockouts(ctx: &IdentityContext, executor: &impl Executor, now: Timestamp) -> Result<Vec<Block>, Fault> {
    let Some(rules) = &ctx.limits.passwords else { return Ok(Vec::new()) };
    let locked = lockout::list_locked(executor, rules, now, MOST).await?;
    if locked.is_empty() {
        return Ok(Vec::new());
    }
    let owners = find_owners(ctx, executor, now).await?;
    let block = |locked: lockout::Locked| {
        let owner = owners.get(&locked.key);
        Block {
            id: BlockId::Lockout(locked.key),
            limit: "lockout",
            target: owner.map(|(target, _)| *target),
            user: owner.map(|(_, account)| account.clone()),
            caller: None,
            failures: Some(locked.failures),
            until: locked.until,
        }
    };
    Ok(locked.into_iter().map(block).collect())
}

/// The counters of the accounts at which signing in failed last.
async fn find_owners(
    ctx: &IdentityContext,
    executor: &impl Executor,
    now: Timestamp,
) -> Result<HashMap<Key, (&'static str, Account)>, Fault> {
    let since = now.checked_sub(SignedDuration::from_hours(25)).unwrap_or(Timestamp::MIN);
    let users = audit::failed_since(executor, since, MAX_ACCOUNTS).await?;
    let accounts = account_list::find_all(executor, &users).await?;
    let mut browsers: HashMap<UserId, Vec<[u8; 32]>> = HashMap::new();
    for (user, hash) in known_devices::list_hashes_of(executor, &users).await? {
        browsers.entry(user).or_default().push(hash);
    }
    let mut owners = HashMap::new();
    for account in accounts {
        let known = browsers.remove(&account.id).unwrap_or_default();
        for browser in known.iter().map(Some).chain([None]) {
            for (name, target) in targets(&account) {
                owners.insert(ctx.secrets.lockout_key(target, browser), (name, account.clone()));
            }
        }
    }
    Ok(owners)
}

fn targets(account: &Account) -> [(&'static str, AttemptTarget<'_>); 5] {
    let user = account.id;
    [
        ("password", AttemptTarget::Password(&account.email)),
        ("code", AttemptTarget::Code(user)),
        ("mailedCode", AttemptTarget::MailedCode(user)),
        ("deviceCode", AttemptTarget::DeviceCode(user)),
        ("reauth", AttemptTarget::Reauth(user)),
    ]
}

/// Lifts a block: the failed attempts, or the requests, are forgotten. 404 when there is no such block. A
/// limit that a process counts for itself is lifted at the process that is asked; one of all processes at
/// that one at once, and at the others within a second.
pub async fn lift_block(by: ActingAdministrator<'_>, id: &BlockId) -> Result<(), Fault> {
    let owners = match id {
        BlockId::Lockout(_) => find_owners(by.ctx, &by.ctx.store.connection("blocks.find_owners").await?, by.at()).await?,
        _ => HashMap::new(),
    };
    let user = match id {
        BlockId::Lockout(key) => owners.get(key).map(|(_, account)| account.id),
        _ => None,
    };
    let counted = match id {
        BlockId::Process { limit, caller } => Some((find_limiter(by.ctx, limit, caller).ok_or_else(Fault::not_found)?, caller)),
        _ => None,
    };
    transact!(by.ctx, "block.lift", async |tx| {
        by.check(tx).await?;
        let (is_lifted, limit) = match id {
            BlockId::Lockout(key) => match &by.ctx.limits.passwords {
                Some(rules) => (lockout::lift(tx, key, rules, by.at()).await?, "lockout"),
                None => (false, "lockout"),
            },
            BlockId::Shared { limit: name, caller } => match find_shared(by.ctx, name) {
                Some(limit) => (limit.lift(tx, caller).await?, name.as_str()),
                None => (false, name.as_str()),
            },
            BlockId::Process { limit, .. } => (true, limit.as_str()),
        };
        if !is_lifted {
            return Err(Fault::not_found().into());
        }
        let attempt = by.attempt(user);
        audit::record_with(tx, audit::Event::AdminBlockLifted, &json!({ "limit": limit }), attempt).await
    })
    .await?;
    if let Some((limiter, caller)) = counted {
        limiter.lift(caller);
    }
    if let BlockId::Shared { limit, caller } = id
        && let Some(limit) = find_shared(by.ctx, limit)
    {
        limit.forget(caller);
    }
    Ok(())
}

/// The limit of all processes with a name.
fn find_shared<'a>(ctx: &'a IdentityContext, name: &str) -> Option<&'a SharedLimit> {
    ctx.limits.shared().into_iter().find(|limit| limit.name() == name)
}

/// The limit of this process that refuses a caller.
fn find_limiter<'a>(ctx: &'a IdentityContext, limit: &str, caller: &CallerKey) -> Option<&'a RateLimiter> {
    let limits = ctx.limits.of_this_process();
    let (_, limiter, _) = limits.into_iter().find(|(name, ..)| *name == limit)?;
    limiter.refuses(caller).then_some(limiter)
}
