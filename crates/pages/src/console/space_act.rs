//! What an administrator does with a space: `/admin/spaces/{space}/owner` and `…/undelete`, with what follows
//! from it in words.

use super::{
    Console, ConsoleText, Section,
    confirmation::{self, Confirmation},
};
use crate::{Problems, account::proof::Proof, field::Field};
use domain::shared::{ListedSpace, SpaceId};
use maud::html;

/// An act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpaceAct {
    /// A space without an owner gets one.
    GiveOwner,
    /// A deleted space comes back.
    Undelete,
}

impl SpaceAct {
    /// The last part of its path.
    fn name(self) -> &'static str {
        match self {
            Self::GiveOwner => "owner",
            Self::Undelete => "undelete",
        }
    }

    /// Its page.
    pub fn path(self, space: SpaceId) -> String {
        format!("/admin/spaces/{space}/{}", self.name())
    }

    pub(super) fn label(self) -> ConsoleText {
        match self {
            Self::GiveOwner => ConsoleText::GiveOwner,
            Self::Undelete => ConsoleText::Undelete,
        }
    }

    /// What can be done with a space as it is: a deleted one has to come back before it gets an owner.
    pub(super) fn possible(space: &ListedSpace) -> Option<Self> {
        match (space.deleted_at, &space.owner) {
            (Some(_), _) => Some(Self::Undelete),
            (None, None) => Some(Self::GiveOwner),
            (None, Some(_)) => None,
        }
    }
}

/// The page that asks before an act. `email` is the address of the new owner, as far as it was typed.
pub fn space_act_page(
    console: &Console<'_>,
    problems: &Problems,
    proof: Proof,
    act: SpaceAct,
    (space, email): (&ListedSpace, &str),
) -> String {
    let title = format!("{}: {}", console.t(act.label()), space.name);
    let fill = |text: ConsoleText| console.fill(text, &[("name", &space.name)]);
    let (consequences, fields) = match act {
        SpaceAct::GiveOwner => {
            let address = Field { autocomplete: "off", ..Field::email("email", email).first(problems) };
            let means = [ConsoleText::GiveOwnerMeans, ConsoleText::GiveOwnerStays, ConsoleText::GiveOwnerFinal];
            (means.map(fill).to_vec(), address.render(console, problems))
        }
        SpaceAct::Undelete => {
            let means = [ConsoleText::UndeleteMeans, ConsoleText::UndeleteSchedules, ConsoleText::UndeleteWebhooks];
            (means.map(fill).to_vec(), html! {})
        }
    };
    let confirmation = Confirmation {
        section: Section::Spaces,
        title: &title,
        consequences,
        is_harmful: false,
        action: &act.path(space.id),
        fields,
        button: console.t(act.label()),
        back: "/admin/spaces",
    };
    confirmation::confirmation_page(console, problems, proof, &confirmation)
}
