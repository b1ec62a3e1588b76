//! What an administrator does to a person: `/admin/users/{id}/{act}`, with what follows from it in words.

mod affected;

pub use affected::Affected;

use super::{
    Console, ConsoleText, Section,
    confirmation::{self, Confirmation},
    counted,
    token_text::TokenText,
};
use crate::{Problems, account::proof::Proof};
use affected::lists;
use domain::{
    identity::{Account, invite::check_invitable},
    shared::UserId,
};
use strum::{IntoStaticStr, VariantArray};

/// An act, in the order of the page, named as in paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(const_into_str, serialize_all = "kebab-case")]
pub enum UserAct {
    /// The invitation comes once more.
    Invite,
    /// A link for a new password.
    ResetLink,
    /// The account cannot be signed in to any more.
    Suspend,
    /// The person can sign in again.
    Unsuspend,
    SignOut,
    /// The second factors go.
    ResetFactors,
    /// The address counts as verified from now on.
    #[strum(serialize = "verify-address")]
    Verify,
    /// The address counts as not verified from now on.
    #[strum(serialize = "unverify-address")]
    Unverify,
    /// A file with everything that is stored.
    Export,
    /// The right to administer is given.
    GrantAdmin,
    /// It is taken away.
    RevokeAdmin,
    Delete,
}

impl UserAct {
    /// Its page.
    pub fn path(self, user: UserId) -> String {
        format!("/admin/users/{user}/{}", self.into_str())
    }

    pub(super) fn label<'a>(self, console: &Console<'a>) -> &'a str {
        console.t(match self {
            Self::Invite => return console.t(TokenText::InviteAgain),
            Self::ResetLink => return console.t(TokenText::ResetLink),
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
        })
    }

    /// The acts that change something about an account as it is. An administrator does neither suspend nor
    /// delete nor demote themselves.
    pub(super) fn possible(account: &Account, is_self: bool) -> impl Iterator<Item = Self> {
        let (is_suspended, is_admin) = (account.suspended_at.is_some(), account.is_admin);
        Self::VARIANTS.iter().copied().filter(move |act| match act {
            Self::Invite => !is_suspended && check_invitable(account).is_ok(),
            Self::ResetLink => !is_suspended,
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
        !matches!(self, Self::Unsuspend | Self::Export | Self::Invite | Self::ResetLink)
    }
}

/// The page that asks before an act.
pub fn user_act_page(console: &Console<'_>, problems: &Problems, proof: Proof, act: UserAct, affected: &Affected<'_>) -> String {
    let name = affected.account.display_name();
    let title = format!("{}: {name}", act.label(console));
    let confirmation = Confirmation {
        section: Section::Users,
        title: &title,
        consequences: consequences(console, act, affected),
        is_harmful: act.is_harmful(),
        action: &act.path(affected.account.id),
        fields: lists(console, act, affected),
        button: act.label(console),
        back: &format!("/admin/users/{}", affected.account.id),
    };
    confirmation::confirmation_page(console, problems, proof, &confirmation)
}

fn consequences(console: &Console<'_>, act: UserAct, affected: &Affected<'_>) -> Vec<String> {
    let account = affected.account;
    let name = account.display_name();
    let fill = |text: ConsoleText| console.fill(text, &[("name", &name), ("email", &account.email.shown())]);
    let count = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
    let sessions = || counted(console, affected.sessions.1, [ConsoleText::EndsNone, ConsoleText::EndsOne, ConsoleText::EndsMore]);
    let apps = |none: ConsoleText, some: ConsoleText| match affected.apps.as_slice() {
        [] => console.t(none).to_owned(),
        apps => console.fill(some, &[("apps", &apps.join(", "))]),
    };
    let link = |text: TokenText| console.fill(text, &[("name", &name), ("email", account.email.as_str())]);
    let by_mail = |mailed, shown| link(if affected.is_mail_on { mailed } else { shown });
    let tokens = |texts: [TokenText; 3]| counted(console, affected.tokens.1, texts);
    match act {
        UserAct::Invite => {
            vec![by_mail(TokenText::InviteMailedMeans, TokenText::InviteShownMeans), link(TokenText::InviteOld)]
        }
        UserAct::ResetLink => vec![
            by_mail(TokenText::ResetMailedMeans, TokenText::ResetShownMeans),
            link(TokenText::ResetUntil),
            link(TokenText::ResetSecond),
        ],
        UserAct::Suspend => vec![
            fill(ConsoleText::SuspendMeans),
            sessions(),
            apps(ConsoleText::NoAccessToRevoke, ConsoleText::AccessRevoked),
            tokens([TokenText::TokensStopNone, TokenText::TokensStopOne, TokenText::TokensStopMore]),
            link(TokenText::SpacesStayOwned),
            fill(ConsoleText::SuspendEnds),
        ],
        UserAct::Unsuspend => {
            vec![fill(ConsoleText::UnsuspendMeans), link(TokenText::TokensBack), fill(ConsoleText::FailuresForgotten)]
        }
        UserAct::SignOut => {
            let own = affected.is_self.then(|| fill(ConsoleText::OwnSessionStays));
            let goes_on = if affected.tokens.1 > 0 { TokenText::TokensGoOn } else { TokenText::TokensStopNone };
            let mut all = vec![sessions(), fill(ConsoleText::BrowsersForgotten), fill(ConsoleText::AccessStays), link(goes_on)];
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
            tokens([TokenText::TokensStopNone, TokenText::TokensEndOne, TokenText::TokensEndMore]),
            counted(
                console,
                count(affected.spaces.len()),
                [ConsoleText::SpacesNone, ConsoleText::SpacesOne, ConsoleText::SpacesMore],
            ),
            fill(ConsoleText::DeleteTrail),
        ],
    }
}
