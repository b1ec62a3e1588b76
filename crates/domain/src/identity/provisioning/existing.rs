//! Whether something is in the way of a row: an earlier row of the request, or an account.

use super::{Candidate, RowCode};
use crate::shared::UserId;
use std::collections::{HashMap, HashSet};

/// The addresses and subjects of the rows of a request so far.
#[derive(Debug, Default)]
pub struct Batch {
    emails: HashSet<String>,
    legacy_subs: HashSet<String>,
}

impl Batch {
    /// Whether no earlier row has the address or the subject; remembers both in either case.
    pub fn admit(&mut self, candidate: &Candidate) -> bool {
        let has_new_email = self.emails.insert(candidate.email.as_str().to_owned());
        let has_new_sub = candidate.legacy_sub.as_ref().is_none_or(|sub| self.legacy_subs.insert(sub.as_str().to_owned()));
        has_new_email && has_new_sub
    }
}

/// An account that has the address, the subject or the id of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownAccount {
    pub id: UserId,
    /// Its address, in canonical form.
    pub email: String,
    /// Its subject in the system that it was imported from.
    pub legacy_sub: Option<String>,
}

/// What is to be done with a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is in its way.
    Create,
    /// The account was imported before.
    AlreadyImported(UserId),
    /// An account is in its way, for this reason.
    Conflict(RowCode),
}

/// The accounts that have an address, a subject or an id of some rows.
#[derive(Debug, Default)]
pub struct Existing {
    by_email: HashMap<String, KnownAccount>,
    legacy_subs: HashSet<String>,
    ids: HashSet<UserId>,
}

impl Existing {
    /// These accounts.
    pub fn new(accounts: impl IntoIterator<Item = KnownAccount>) -> Self {
        let mut existing = Self::default();
        for account in accounts {
            existing.legacy_subs.extend(account.legacy_sub.clone());
            existing.ids.insert(account.id);
            existing.by_email.insert(account.email.clone(), account);
        }
        existing
    }

    /// What is to be done with a row.
    pub fn judge(&self, candidate: &Candidate) -> Verdict {
        let sub = candidate.legacy_sub.as_ref();
        if let Some(holder) = self.by_email.get(candidate.email.as_str()) {
            let is_same = sub.is_some_and(|sub| holder.legacy_sub.as_deref() == Some(sub.as_str()));
            return if is_same { Verdict::AlreadyImported(holder.id) } else { Verdict::Conflict(RowCode::EmailExists) };
        }
        if sub.is_some_and(|sub| self.legacy_subs.contains(sub.as_str())) {
            return Verdict::Conflict(RowCode::LegacySubExists);
        }
        if sub.and_then(super::LegacySub::as_id).is_some_and(|id| self.ids.contains(&id)) {
            return Verdict::Conflict(RowCode::IdExists);
        }
        Verdict::Create
    }
}

#[cfg(test)]
mod tests {
    use super::{Batch, Existing, KnownAccount, RowCode, Verdict};
    use crate::{identity::provisioning::row::tests::candidate, shared::UserId};

    const SUB: &str = "7f0d3f0c-6f0a-4a56-9a0e-2b4f3b2f7a11";

    fn account(id: &str, email: &str, legacy_sub: Option<&str>) -> KnownAccount {
        KnownAccount { id: id.parse().unwrap(), email: email.to_owned(), legacy_sub: legacy_sub.map(str::to_owned) }
    }

    #[test]
    fn the_reasons_have_an_order() {
        let id: UserId = SUB.parse().unwrap();
        let other = "00000000-0000-4000-8000-000000000001";
        let judge =
            |accounts: &[&KnownAccount], email, sub| Existing::new(accounts.iter().copied().cloned()).judge(&candidate(email, sub));
        let imported = account(SUB, "ann@example.org", Some(SUB));
        assert_eq!(judge(&[], "ann@example.org", Some(SUB)), Verdict::Create);
        assert_eq!(judge(&[&imported], "ann@example.org", Some(SUB)), Verdict::AlreadyImported(id));
        assert_eq!(judge(&[&imported], "ann@example.org", None), Verdict::Conflict(RowCode::EmailExists));
        assert_eq!(judge(&[&imported], "ann@example.org", Some("other")), Verdict::Conflict(RowCode::EmailExists));
        assert_eq!(judge(&[&imported], "bob@example.org", Some(SUB)), Verdict::Conflict(RowCode::LegacySubExists));
        let registered = account(SUB, "ann@example.org", None);
        assert_eq!(judge(&[&registered], "bob@example.org", Some(SUB)), Verdict::Conflict(RowCode::IdExists));
        assert_eq!(
            judge(&[&registered], "ann@example.org", Some(SUB)),
            Verdict::Conflict(RowCode::EmailExists),
            "it never was imported"
        );
        let (one, two) = (account(other, "ann@example.org", None), account(SUB, "bob@example.org", Some(SUB)));
        assert_eq!(
            judge(&[&one, &two], "ann@example.org", Some(SUB)),
            Verdict::Conflict(RowCode::EmailExists),
            "before the subject"
        );
    }

    #[test]
    fn the_first_row_with_an_address_or_a_subject_stays() {
        let mut batch = Batch::default();
        let mut admit = |email, sub| batch.admit(&candidate(email, sub));
        assert!(admit("ann@example.org", Some("1")));
        assert!(admit("bob@example.org", None));
        assert!(!admit("ANN@example.org", Some("2")));
        assert!(!admit("eve@example.org", Some("1")));
        assert!(admit("dan@example.org", None), "no subject is no duplicate of another one");
    }
}
