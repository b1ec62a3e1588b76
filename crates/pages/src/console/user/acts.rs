//! What an administrator can do to a person, in groups: what helps the person, what the person may do, and
//! what shuts the person out.

use super::PersonText;
use crate::console::{Console, ConsoleText, user_act::UserAct};
use domain::identity::Account;
use maud::{Markup, html};

/// The groups, in the order of the page.
const GROUPS: [(PersonText, &[UserAct]); 3] = [
    (
        PersonText::Help,
        &[UserAct::Invite, UserAct::ResetLink, UserAct::Unsuspend, UserAct::Verify, UserAct::ResetFactors, UserAct::Export],
    ),
    (PersonText::Access, &[UserAct::SignOut, UserAct::GrantAdmin, UserAct::RevokeAdmin, UserAct::Unverify]),
    (PersonText::Danger, &[UserAct::Suspend, UserAct::Delete]),
];

/// The acts that are possible.
pub(super) fn panel(console: &Console<'_>, account: &Account, is_self: bool) -> Markup {
    let possible: Vec<UserAct> = UserAct::possible(account, is_self).collect();
    html! {
        section .panel .acts {
            h2 { (console.t(ConsoleText::Acts)) }
            @for (title, acts) in GROUPS {
                @let shown: Vec<&UserAct> = acts.iter().filter(|act| possible.contains(act)).collect();
                @if !shown.is_empty() {
                    div {
                        h3 .label { (console.t(title)) }
                        div .actions {
                            @for act in shown { a .button .quiet .small href=(act.path(account.id)) { (act.label(console)) } }
                        }
                    }
                }
            }
            @if is_self { p .muted .small { (console.t(ConsoleText::NotOnYourself)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::GROUPS;
    use crate::console::user_act::UserAct;
    use strum::VariantArray;

    #[test]
    fn each_act_is_in_one_group() {
        for &act in UserAct::VARIANTS {
            let groups = GROUPS.iter().filter(|(_, acts)| acts.contains(&act)).count();
            assert_eq!(groups, 1, "{act:?}");
        }
    }
}
