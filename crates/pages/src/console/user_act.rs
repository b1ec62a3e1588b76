//! What an administrator does to a person: `/admin/users/{id}/{act}`, with what follows from it in words.

use super::{
    Console, ConsoleText, Section,
    confirmation::{self, Confirmation},
    counted,
};
use crate::{Problems, account::proof::Proof};
use domain::{identity::Account, shared::UserId};
use maud::html;
use std::str::FromStr;

/// An act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserAct {
    /// Nobody can sign in any more.
    Suspend,
    /// The person can sign in again.
    Unsuspend,
    /// Every session ends.
    SignOut,
    /// The second factors go.
    ResetFactors,
    /// The address counts as verified from now on.
    Verify,
    /// The address counts as not verified from now on.
    Unverify,
    /// A file with everything that is stored.
    Export,
    /// The right to administer is given.
    GrantAdmin,
    /// It is taken away.
    RevokeAdmin,
    /// The account goes.
    Delete,
}

/// The text is the name of no act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownAct;

impl FromStr for UserAct {
    type Err = UnknownAct;

    fn from_str(text: &str) -> Result<Self, UnknownAct> {
        Self::ALL.into_iter().find(|act| act.name() == text).ok_or(UnknownAct)
    }
}

impl UserAct {
    /// Every act, in the order of the page.
    pub const ALL: [Self; 10] = [
        Self::Suspend,
        Self::Unsuspend,
        Self::SignOut,
        Self::ResetFactors,
        Self::Verify,
        Self::Unverify,
        Self::Export,
        Self::GrantAdmin,
        Self::RevokeAdmin,
        Self::Delete,
    ];

    /// Its name in paths.
    pub fn name(self) -> &'static str {
        match self {
            Self::Suspend => "suspend",
            Self::Unsuspend => "unsuspend",
            Self::SignOut => "sign-out",
            Self::ResetFactors => "reset-factors",
            Self::Verify => "verify-address",
            Self::Unverify => "unverify-address",
            Self::Export => "export",
            Self::GrantAdmin => "grant-admin",
            Self::RevokeAdmin => "revoke-admin",
            Self::Delete => "delete",
        }
    }

    /// Its page.
    pub fn path(self, user: UserId) -> String {
        format!("/admin/users/{user}/{}", self.name())
    }

    pub(super) fn label(self) -> ConsoleText {
        match self {
            Self::Suspend => ConsoleText::Suspend,
            Self::Unsuspend => ConsoleText::Unsuspend,
            Self::SignOut => ConsoleText::SignOutPerson,
            Self::ResetFactors => ConsoleText::ResetFactors,
            Self::Verify => ConsoleText::VerifyAddress,
            Self::Unverify => ConsoleText::UnverifyAddress,
            Self::Export => ConsoleText::ExportData,
            Self::GrantAdmin => ConsoleText::GrantAdmin,
            Self::RevokeAdmin => ConsoleText::RevokeAdmin,
            Self::Delete => ConsoleText::DeletePerson,
        }
    }

    /// The acts that change something about an account as it is. An administrator does neither suspend nor delete nor demote themselves.
    pub(super) fn possible(account: &Account, is_self: bool) -> impl Iterator<Item = Self> {
        let (is_suspended, is_admin) = (account.suspended_at.is_some(), account.is_admin);
        Self::ALL.into_iter().filter(move |act| match act {
            Self::Suspend => !is_suspended && !is_self,
            Self::Unsuspend => is_suspended,
            Self::Verify => !account.email_verified,
            Self::Unverify => account.email_verified,
            Self::GrantAdmin => !is_admin,
            Self::RevokeAdmin => is_admin && !is_self,
            Self::Delete => !is_self,
            Self::SignOut | Self::ResetFactors | Self::Export => true,
        })
    }

    fn is_harmful(self) -> bool {
        !matches!(self, Self::Unsuspend | Self::Export)
    }
}

/// What an act meets.
#[derive(Debug, Clone)]
pub struct Affected<'a> {
    /// The account.
    pub account: &'a Account,
    /// Whether it is that of the administrator.
    pub is_self: bool,
    /// How many sessions are active.
    pub sessions: i64,
    /// The names of the applications that hold access.
    pub apps: Vec<String>,
    /// How many spaces the person owns.
    pub spaces: i64,
    /// Whether the server sends mail.
    pub is_mail_on: bool,
}

/// The page that asks before an act.
pub fn page(console: &Console<'_>, problems: &Problems, proof: Proof, act: UserAct, affected: &Affected<'_>) -> String {
    let name = affected.account.display_name();
    let title = format!("{}: {name}", console.t(act.label()));
    let confirmation = Confirmation {
        section: Section::Users,
        title: &title,
        consequences: consequences(console, act, affected),
        is_harmful: act.is_harmful(),
        action: &act.path(affected.account.id),
        fields: html! {},
        button: console.t(act.label()),
        back: &format!("/admin/users/{}", affected.account.id),
    };
    confirmation::page(console, problems, proof, &confirmation)
}

fn consequences(console: &Console<'_>, act: UserAct, affected: &Affected<'_>) -> Vec<String> {
    let account = affected.account;
    let name = account.display_name();
    let fill = |text: ConsoleText| console.fill(text, &[("name", &name), ("email", &account.email.shown())]);
    let sessions = || counted(console, affected.sessions, [ConsoleText::EndsNone, ConsoleText::EndsOne, ConsoleText::EndsMore]);
    let apps = |none: ConsoleText, some: ConsoleText| match affected.apps.as_slice() {
        [] => console.t(none).to_owned(),
        apps => console.fill(some, &[("apps", &apps.join(", "))]),
    };
    match act {
        UserAct::Suspend => vec![
            fill(ConsoleText::SuspendMeans),
            sessions(),
            apps(ConsoleText::NoAccessToRevoke, ConsoleText::AccessRevoked),
            fill(ConsoleText::SuspendEnds),
        ],
        UserAct::Unsuspend => vec![fill(ConsoleText::UnsuspendMeans), fill(ConsoleText::FailuresForgotten)],
        UserAct::SignOut => {
            let own = affected.is_self.then(|| fill(ConsoleText::OwnSessionStays));
            let mut all = vec![sessions(), fill(ConsoleText::BrowsersForgotten), fill(ConsoleText::AccessStays)];
            all.extend(own);
            all
        }
        UserAct::ResetFactors => {
            let app = if account.has_totp { ConsoleText::AppGoes } else { ConsoleText::AppIsNone };
            let count = i64::from(account.passkeys);
            let passkeys = if account.has_password || count == 0 {
                counted(console, count, [ConsoleText::PasskeysNone, ConsoleText::PasskeysOne, ConsoleText::PasskeysMore])
            } else {
                fill(ConsoleText::PasskeysStay)
            };
            let mail = affected.is_mail_on.then(|| fill(ConsoleText::ToldByMail));
            let mut all = vec![fill(app), passkeys, sessions(), fill(ConsoleText::FailuresForgotten)];
            all.extend(mail);
            all
        }
        UserAct::Verify => vec![fill(ConsoleText::VerifyMeans), fill(ConsoleText::VerifyLinks), fill(ConsoleText::VerifyTold)],
        UserAct::Unverify => {
            let means = if affected.is_mail_on { ConsoleText::UnverifyMeans } else { ConsoleText::UnverifyWithoutMail };
            vec![fill(means), fill(ConsoleText::UnverifySessions), fill(ConsoleText::VerifyLinks), fill(ConsoleText::UnverifyTold)]
        }
        UserAct::Export => vec![fill(ConsoleText::ExportMeans), fill(ConsoleText::ExportPersonal), fill(ConsoleText::ExportSeen)],
        UserAct::GrantAdmin => vec![fill(ConsoleText::GrantMeans), fill(ConsoleText::GrantNext)],
        UserAct::RevokeAdmin => vec![fill(ConsoleText::RevokeMeans), fill(ConsoleText::RevokeStays)],
        UserAct::Delete => vec![
            fill(ConsoleText::DeleteMeans),
            sessions(),
            apps(ConsoleText::NoAccessToRevoke, ConsoleText::AccessRevoked),
            counted(console, affected.spaces, [ConsoleText::SpacesNone, ConsoleText::SpacesOne, ConsoleText::SpacesMore]),
            fill(ConsoleText::DeleteTrail),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::UserAct;

    #[test]
    fn an_act_is_found_by_its_name() {
        for act in UserAct::ALL {
            assert_eq!(act.name().parse(), Ok(act));
        }
        assert!("Suspend".parse::<UserAct>().is_err() && "".parse::<UserAct>().is_err());
    }
}
