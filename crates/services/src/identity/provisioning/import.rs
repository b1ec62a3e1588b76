//! One request of provisioning: its rows are checked, judged against the accounts that exist, and written
//! together.

use super::{
    ProvisioningContext,
    write::{self, Note, Prepared, Written},
};
use crate::identity::{
    RequestContext,
    links::{LinkKind, MailedLink},
};
use domain::{
    identity::{
        Recipient,
        provisioning::{
            Batch, Candidate, Existing, ImportRequest, LegacySub, Row, RowCode, RowRefusal, RowRules, Status, Verdict,
            legacy_sub::preserved_id, row,
        },
    },
    shared::{Fault, UserId},
};
use secrecy::SecretString;
use serde_json::value::RawValue;
use storage::identity::provisioning;

/// What came of a row.
#[derive(Debug)]
pub struct Processed {
    /// The address in canonical form; if it is none, the beginning of what was sent.
    pub email: String,
    /// The subject in the other system.
    pub legacy_sub: Option<String>,
    /// What came of it.
    pub outcome: RowOutcome,
}

/// What came of a row.
#[derive(Debug)]
pub enum RowOutcome {
    /// There is a new account; in a dry run, there would be.
    Created {
        /// Its id; in a dry run only if the subject becomes the id.
        id: Option<UserId>,
        /// The link that sets the first password, for a person who was invited.
        invite_link: Option<SecretString>,
    },
    /// The account was imported before.
    Skipped { id: UserId },
    /// There is no account.
    Refused(RowRefusal),
}

impl Processed {
    /// The status on the wire.
    pub fn status(&self) -> Status {
        match &self.outcome {
            RowOutcome::Created { .. } => Status::Created,
            RowOutcome::Skipped { .. } => Status::Skipped,
            RowOutcome::Refused(refusal) => refusal.code.status(),
        }
    }

    /// Why there is no new account.
    pub fn refusal(&self) -> Option<RowRefusal> {
        match &self.outcome {
            RowOutcome::Created { .. } => None,
            RowOutcome::Skipped { .. } => Some(RowCode::AlreadyImported.refusal()),
            RowOutcome::Refused(refusal) => Some(refusal.clone()),
        }
    }

    /// The account, where there is one.
    pub fn id(&self) -> Option<UserId> {
        match &self.outcome {
            RowOutcome::Created { id, .. } => *id,
            RowOutcome::Skipped { id } => Some(*id),
            RowOutcome::Refused(_) => None,
        }
    }

    /// Whether the account keeps the subject that clients know, as its id.
    pub fn is_sub_preserved(&self) -> bool {
        self.legacy_sub.as_deref().is_some_and(|sub| preserved_id(sub).is_some())
    }
}

/// Makes one account. `token` is the id of the caller's token.
pub async fn create(ctx: &ProvisioningContext, request: &RequestContext, token: &str, sent: &RawValue) -> Result<Processed, Fault> {
    let rows = vec![row::read(sent, &rules(ctx, request))];
    let mut processed = process(ctx, request, token, rows, false).await?;
    processed.pop().ok_or_else(|| Fault::internal("a row without an outcome"))
}

/// Makes the accounts of a request, or checks them in a dry run. Answers what came of each row, in their
/// order. Either all that can be made are made, or, when the database is not available, none: then the
/// request can be sent again, and what was made before is skipped.
pub async fn import(
    ctx: &ProvisioningContext,
    request: &RequestContext,
    token: &str,
    sent: &ImportRequest,
) -> Result<Vec<Processed>, Fault> {
    let rules = rules(ctx, request);
    let rows = sent.rows.iter().map(|json| row::read(json, &rules)).collect();
    process(ctx, request, token, rows, sent.is_dry_run).await
}

fn rules<'a>(ctx: &'a ProvisioningContext, request: &RequestContext) -> RowRules<'a> {
    let settings = &ctx.identity.settings;
    RowRules { locales: &settings.locales, clients: &settings.clients, check_hash, now: request.at() }
}

fn check_hash(value: &str, label: Option<&str>) -> Result<(), String> {
    crypto::passwords::import(value, label).map(drop).map_err(|why| why.to_string())
}

async fn process(
    ctx: &ProvisioningContext,
    request: &RequestContext,
    token: &str,
    rows: Vec<Row>,
    is_dry_run: bool,
) -> Result<Vec<Processed>, Fault> {
    let mut batch = Batch::default();
    let mut processed = Vec::with_capacity(rows.len());
    let mut admitted: Vec<(usize, Candidate)> = Vec::new();
    for (index, Row { email, legacy_sub, checked }) in rows.into_iter().enumerate() {
        // The outcome of an admitted row is not known yet, and replaced below.
        let refusal = match checked {
            Ok(candidate) if batch.admit(&candidate) => {
                admitted.push((index, candidate));
                RowCode::WriteFailed.refusal()
            }
            Ok(_) => RowCode::DuplicateInBatch.refusal(),
            Err(refusal) => refusal,
        };
        processed.push(Processed { email, legacy_sub, outcome: RowOutcome::Refused(refusal) });
    }
    let outcomes = if is_dry_run {
        judge(ctx, &admitted).await?
    } else {
        let is_admitted = |index: usize| admitted.iter().any(|(admitted, _)| *admitted == index);
        let refused = processed.iter().enumerate().filter(|(index, _)| !is_admitted(*index));
        let refused = refused.filter_map(|(index, row)| Some(Note { row: index, code: row.refusal()?.code, user: None })).collect();
        write(ctx, request, token, admitted, refused).await?
    };
    for (index, outcome) in outcomes {
        if let Some(row) = processed.get_mut(index) {
            row.outcome = outcome;
        }
    }
    for row in &processed {
        ctx.counters.processed(row.status(), is_dry_run);
    }
    Ok(processed)
}

/// The outcomes that a write would have at this moment.
async fn judge(ctx: &ProvisioningContext, admitted: &[(usize, Candidate)]) -> Result<Vec<(usize, RowOutcome)>, Fault> {
    let connection = ctx.identity.store.connection("provisioning.judge").await?;
    let candidates: Vec<&Candidate> = admitted.iter().map(|(_, candidate)| candidate).collect();
    let existing = Existing::new(provisioning::find_existing(&connection, &candidates).await?);
    let judged = admitted.iter().map(|(index, candidate)| {
        let outcome = match existing.judge(candidate) {
            Verdict::Create => {
                let id = candidate.legacy_sub.as_ref().and_then(LegacySub::as_id);
                RowOutcome::Created { id, invite_link: None }
            }
            Verdict::AlreadyImported(id) => RowOutcome::Skipped { id },
            Verdict::Conflict(code) => RowOutcome::Refused(code.refusal()),
        };
        (*index, outcome)
    });
    Ok(judged.collect())
}

async fn write(
    ctx: &ProvisioningContext,
    request: &RequestContext,
    token: &str,
    admitted: Vec<(usize, Candidate)>,
    refused: Vec<Note>,
) -> Result<Vec<(usize, RowOutcome)>, Fault> {
    let prepared = admitted.into_iter().map(|(row, candidate)| prepare(ctx, row, candidate)).collect::<Result<Vec<_>, Fault>>()?;
    let written = write::write(ctx, &request.source, token, &prepared, refused).await?;
    let outcomes = prepared.into_iter().zip(written).map(|(row, written)| {
        let outcome = match written {
            Written::Created => RowOutcome::Created { id: Some(row.id), invite_link: row.invitation.map(|(_, url)| url) },
            Written::Skipped(id) => RowOutcome::Skipped { id },
            Written::ResponseRefusal(code) => RowOutcome::Refused(code.refusal()),
        };
        (row.row, outcome)
    });
    Ok(outcomes.collect())
}

/// Gives a row its id, and its invitation if it has one.
fn prepare(ctx: &ProvisioningContext, row: usize, candidate: Candidate) -> Result<Prepared, Fault> {
    let kept = candidate.legacy_sub.as_ref().and_then(LegacySub::as_id);
    let id = kept.unwrap_or_else(|| UserId(ctx.identity.entropy.uuid()));
    let invitation = if candidate.is_invited {
        let name = candidate.first_name.clone();
        let to = Recipient { user: id, email: candidate.email.clone(), name, locale: candidate.locale.clone() };
        let (link, url) = MailedLink::with_url(&ctx.identity, LinkKind::Invite, &to)?;
        // A suspended account cannot accept its invitation yet.
        Some((MailedLink { mail: link.mail.filter(|_| !candidate.is_suspended), ..link }, url))
    } else {
        None
    };
    Ok(Prepared { row, id, candidate, invitation })
}
