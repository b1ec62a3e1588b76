//! Writing the accounts of a request: all in one transaction, with what belongs to them. So no account is
//! ever there without its roles or its invitation, however the process ends.

use super::ProvisioningContext;
use crate::identity::links::MailedLink;
use domain::{
    identity::provisioning::{Candidate, Existing, RowCode, Status, Verdict},
    shared::{Fault, UserId},
};
use secrecy::SecretString;
use serde_json::json;
use storage::{
    Result as StoreResult, Store, Tx,
    identity::{
        Actor, AuditSource, accounts,
        audit::{self, AuditOutcome, Record},
        mails, one_time,
        provisioning::{self, NewAccount},
        role_assignments,
    },
    transact,
};

/// How often rows are judged again whose insertion met another transaction.
const ROUNDS: usize = 3;

/// A row that can be inserted.
pub(super) struct Prepared {
    /// Its place in the request.
    pub row: usize,
    /// The id that it gets.
    pub id: UserId,
    pub candidate: Candidate,
    /// What sets its first password, and the link itself, if it is invited.
    pub invitation: Option<(MailedLink, SecretString)>,
}

/// What came of a row.
#[derive(Debug, Clone, Copy)]
pub(super) enum Written {
    /// It is an account.
    Created,
    /// It was imported before, as this account.
    Skipped(UserId),
    ResponseRefusal(RowCode),
}

/// A row that was not created, for the audit trail.
#[derive(Debug, Clone, Copy)]
pub(super) struct Note {
    /// Its place in the request.
    pub row: usize,
    pub code: RowCode,
    /// The account that it was imported as before.
    pub user: Option<UserId>,
}

/// Writes the rows, and an entry of the audit trail for each of them and each that was refused before.
/// Answers what came of each row.
///
/// When the database refuses the whole for the sake of one row, each is written in a transaction of its own,
/// and the one at fault fails alone. An error is only that the database is not available: then nothing was
/// written.
pub(super) async fn write(
    ctx: &ProvisioningContext,
    source: &AuditSource,
    token: &str,
    rows: &[Prepared],
    refused: Vec<Note>,
) -> Result<Vec<Written>, Fault> {
    let store = &ctx.identity.store;
    let whole = Write { rows, refused: &refused, source, token };
    match whole.run(store).await {
        Ok(written) => return Ok(written),
        Err(error) if error.is_transient() => return Err(error.into()),
        Err(error) => {
            tracing::warn!(%error, rows = rows.len(), "accounts are provisioned one by one, because one of them was refused");
        }
    }
    let mut refused = refused;
    let mut written = Vec::with_capacity(rows.len());
    for row in rows {
        let alone = Write { rows: std::slice::from_ref(row), refused: &[], source, token };
        let outcome = alone.run(store).await.map(|one| one.first().copied());
        written.push(outcome.unwrap_or_else(|error| {
            tracing::error!(%error, "an account could not be provisioned");
            None
        }));
        if let Some(None) = written.last() {
            refused.push(Note { row: row.row, code: RowCode::WriteFailed, user: None });
        }
    }
    Write { rows: &[], refused: &refused, source, token }.run(store).await?;
    Ok(written.into_iter().map(|written| written.unwrap_or(Written::ResponseRefusal(RowCode::WriteFailed))).collect())
}

struct Write<'a> {
    rows: &'a [Prepared],
    refused: &'a [Note],
    source: &'a AuditSource,
    /// The id of the caller's token.
    token: &'a str,
}

impl Write<'_> {
    async fn run(&self, store: &Store) -> StoreResult<Vec<Written>> {
        transact!(store, "provisioning.write", async |tx| {
            let written = self.insert(tx).await?;
            let is_created = |written: &Written| matches!(written, Written::Created);
            let rows = self.rows.iter().zip(&written).filter(|(_, written)| is_created(written));
            let created: Vec<&Prepared> = rows.map(|(row, _)| row).collect();
            if let Some(first) = created.first() {
                // There are accounts now, so no person becomes an administrator by registering.
                accounts::register_first(tx, first.id, false).await?;
            }
            add_what_belongs_to(tx, &created, self.source).await?;
            self.record(tx, &written).await?;
            Ok(written)
        })
        .await
    }

    /// Judges the rows and inserts those that nothing is in the way of. A row that meets another transaction
    /// (a registration of the same address) is judged again when that has ended: the unique indexes decide.
    async fn insert(&self, tx: &Tx<'_>) -> StoreResult<Vec<Written>> {
        let mut written = vec![Written::ResponseRefusal(RowCode::WriteFailed); self.rows.len()];
        let mut open: Vec<(&Prepared, &mut Written)> = self.rows.iter().zip(&mut written).collect();
        for _ in 0..ROUNDS {
            if open.is_empty() {
                break;
            }
            let candidates: Vec<&Candidate> = open.iter().map(|(row, _)| &row.candidate).collect();
            let existing = Existing::new(provisioning::find_existing(tx, &candidates).await?);
            open.retain_mut(|(row, written)| match existing.judge(&row.candidate) {
                Verdict::Create => true,
                Verdict::AlreadyImported(id) => {
                    **written = Written::Skipped(id);
                    false
                }
                Verdict::Conflict(code) => {
                    **written = Written::ResponseRefusal(code);
                    false
                }
            });
            let accounts: Vec<NewAccount<'_>> =
                open.iter().map(|(row, _)| NewAccount { id: row.id, candidate: &row.candidate }).collect();
            if accounts.is_empty() {
                break;
            }
            let inserted = provisioning::insert(tx, &accounts, self.source.at).await?;
            open.retain_mut(|(row, written)| {
                let is_inserted = inserted.contains(&row.id);
                if is_inserted {
                    **written = Written::Created;
                }
                !is_inserted
            });
        }
        Ok(written)
    }

    /// An entry for each row, attributed to the caller's token.
    async fn record(&self, tx: &Tx<'_>, written: &[Written]) -> StoreResult<()> {
        let rows = self.rows.iter().zip(written).map(|(row, written)| match written {
            Written::Created => (row.row, None, Some(row.id)),
            Written::Skipped(user) => (row.row, Some(RowCode::AlreadyImported), Some(*user)),
            Written::ResponseRefusal(code) => (row.row, Some(*code), None),
        });
        let refused = self.refused.iter().map(|note| (note.row, Some(note.code), note.user));
        let entries = rows.chain(refused).map(|(row, code, user)| {
            let (event, outcome) = match code.map(RowCode::status) {
                None => (audit::Event::ProvisioningUserCreated, AuditOutcome::Success),
                Some(Status::Skipped) => (audit::Event::ProvisioningUserSkipped, AuditOutcome::Success),
                Some(_) => (audit::Event::ProvisioningUserRejected, AuditOutcome::Failure(code.map_or("", <&str>::from))),
            };
            let attempt = self.source.attempt(user).by(Actor::Provisioning(self.token));
            Record { event, outcome, details: json!({ "row": row }), attempt }
        });
        audit::record_all(tx, &entries.collect::<Vec<_>>()).await
    }
}

/// Writes the roles and invitations of accounts that were inserted.
async fn add_what_belongs_to(tx: &Tx<'_>, created: &[&Prepared], source: &AuditSource) -> StoreResult<()> {
    let roles: Vec<(UserId, &str, &str)> = created
        .iter()
        .flat_map(|row| row.candidate.roles.iter().map(|(group, role)| (row.id, group.as_str(), role.as_str())))
        .collect();
    if !roles.is_empty() {
        role_assignments::insert_all(tx, &roles, source.at).await?;
    }
    let invitations: Vec<&MailedLink> = created.iter().filter_map(|row| Some(&row.invitation.as_ref()?.0)).collect();
    if !invitations.is_empty() {
        one_time::add_all(tx, &invitations.iter().map(|link| &link.token).collect::<Vec<_>>()).await?;
    }
    let mails: Vec<_> = invitations.iter().filter_map(|link| link.mail.as_ref()).collect();
    if mails.is_empty() { Ok(()) } else { mails::add_all(tx, &mails).await }
}
