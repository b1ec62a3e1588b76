//! What has happened with an account, as its owner reads it: one entry for each thing that happened, although
//! the audit trail may have written several rows about it. Rows of one request tell of one thing: a sign-in,
//! that its device is new, and that the session before it ended.

use super::AuditEvent;
use uuid::Uuid;

/// A row of the audit trail, as far as it decides what belongs together.
pub trait Row {
    /// The request that wrote it; nothing where none did, and then it stands alone.
    fn request(&self) -> Option<Uuid>;

    /// What it says; nothing for a name that is not recorded any more.
    fn event(&self) -> Option<AuditEvent>;
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happening<T> {
    /// The row that says what it was.
    pub main: T,
    /// What the other rows add to it, each once.
    pub remarks: Vec<AuditEvent>,
}

impl<T> Happening<T> {
    /// The same with another form of the row.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Happening<U> {
        Happening { main: change(self.main), remarks: self.remarks }
    }
}

/// The things that happened, the newest first, of rows in that order.
pub fn happenings<T: Row>(rows: impl IntoIterator<Item = T>) -> Vec<Happening<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    for row in rows {
        let request = row.request();
        let same =
            groups.iter_mut().find(|group| request.is_some() && group.first().is_some_and(|first| first.request() == request));
        match same {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups.into_iter().filter_map(happening).collect()
}

/// The row that says most, and what the others add. Of equal ones it is the one that was written first, which
/// is the last in the group.
fn happening<T: Row>(mut group: Vec<T>) -> Option<Happening<T>> {
    let is_remark = |row: &T| row.event().is_none_or(AuditEvent::is_remark);
    let main = group.iter().rposition(|row| !is_remark(row)).unwrap_or(group.len().checked_sub(1)?);
    let main = group.remove(main);
    let mut remarks: Vec<AuditEvent> = Vec::new();
    for event in group.iter().rev().filter_map(Row::event) {
        if main.event() != Some(event) && !remarks.contains(&event) {
            remarks.push(event);
        }
    }
    Some(Happening { main, remarks })
}

impl AuditEvent {
    /// Whether it says more about something that has an entry of its own in the same request.
    fn is_remark(self) -> bool {
        matches!(
            self,
            Self::AuthLoginNewDevice
                | Self::AuthLoginSuspicious
                | Self::AuthBackupCodeUsed
                | Self::AuthLogout
                | Self::SessionsRevokedOthers
                | Self::AuthProof
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Happening, Row, happenings};
    use crate::identity::AuditEvent::{
        self, AuthLoginFailure, AuthLoginNewDevice, AuthLoginSuccess, AuthLoginSuspicious, AuthLogout, AuthPasswordChanged,
    };
    use uuid::Uuid;

    impl Row for (u128, Option<AuditEvent>) {
        fn request(&self) -> Option<Uuid> {
            (self.0 > 0).then(|| Uuid::from_u128(self.0))
        }

        fn event(&self) -> Option<AuditEvent> {
            self.1
        }
    }

    fn told(rows: &[(u128, AuditEvent)]) -> Vec<(AuditEvent, Vec<AuditEvent>)> {
        let rows = rows.iter().map(|(request, event)| (*request, Some(*event)));
        happenings(rows).into_iter().map(|Happening { main, remarks }| (main.1.unwrap(), remarks)).collect()
    }

    #[test]
    fn rows_of_one_request_are_one_thing_that_happened() {
        let rows = [
            (3, AuthPasswordChanged),
            (2, AuthLoginSuspicious),
            (2, AuthLoginNewDevice),
            (2, AuthLoginSuccess),
            (2, AuthLogout),
            (1, AuthLoginFailure),
        ];
        let expected = vec![
            (AuthPasswordChanged, vec![]),
            (AuthLoginSuccess, vec![AuthLogout, AuthLoginNewDevice, AuthLoginSuspicious]),
            (AuthLoginFailure, vec![]),
        ];
        assert_eq!(told(&rows), expected);
    }

    #[test]
    fn a_remark_alone_is_what_happened() {
        assert_eq!(told(&[(2, AuthLogout), (1, AuthLoginSuspicious)]), [(AuthLogout, vec![]), (AuthLoginSuspicious, vec![])]);
    }

    #[test]
    fn rows_without_a_request_stand_alone() {
        assert_eq!(told(&[(0, AuthLoginSuccess), (0, AuthLoginSuccess)]).len(), 2);
    }

    #[test]
    fn the_same_thing_many_times_in_one_request_is_told_once() {
        assert_eq!(told(&[(1, AuthPasswordChanged), (1, AuthPasswordChanged)]), [(AuthPasswordChanged, vec![])]);
        // A name of an earlier version does not hide what is known.
        let rows = [(1, Some(AuthLoginSuccess)), (1, None)];
        assert_eq!(happenings(rows), [Happening { main: (1, Some(AuthLoginSuccess)), remarks: vec![] }]);
    }
}
