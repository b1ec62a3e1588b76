//! What a new server still needs, for the administrator who has just made its first account: on the page
//! where they land, until all of it is done.

use crate::{Frame, Text, field::hidden, studio::NEW_SPACE};
use maud::{Markup, html};

/// The address that the server knows itself by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Address<'a> {
    /// A loopback address: no other machine reaches the server there.
    Loopback(&'a str),
    Public(&'a str),
}

/// The first space, and where one is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstSpace {
    /// There is one.
    Made,
    /// In the studio of this server.
    InStudio,
    /// By the API of another server, which has the content service.
    ByApi,
}

/// What is done of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstSteps<'a> {
    /// Whether mail is sent.
    pub sends_mail: bool,
    /// The address that the server knows itself by.
    pub address: Address<'a>,
    /// Whether there is a space.
    pub space: FirstSpace,
    /// Whether there is an application that people sign in to.
    pub has_client: bool,
}

/// A step: what it is called, a sentence about it, and where it is done.
struct Step {
    is_done: bool,
    title: Text,
    lead: String,
    way: (&'static str, Text),
}

impl FirstSteps<'_> {
    /// Whether nothing is left to do.
    pub fn is_done(&self) -> bool {
        self.sends_mail && matches!(self.address, Address::Public(_)) && self.space == FirstSpace::Made && self.has_client
    }

    fn steps(&self, frame: &Frame<'_>) -> Vec<Step> {
        let plain = |is_done, title, lead, way| Step { is_done, title, lead: frame.t(lead).to_owned(), way };
        let (is_public, text, address) = match self.address {
            Address::Public(address) => (true, Text::StepAddressDone, address),
            Address::Loopback(address) => (false, Text::StepAddressLead, address),
        };
        let (space_lead, space_way) = match self.space {
            FirstSpace::ByApi => (Text::StepSpaceAlone, "/docs#a-five-minute-tour"),
            FirstSpace::Made | FirstSpace::InStudio => (Text::StepSpaceLead, NEW_SPACE),
        };
        vec![
            plain(self.sends_mail, Text::StepMail, Text::StepMailLead, ("/docs/operations#mail", Text::StepMailHow)),
            Step {
                is_done: is_public,
                title: Text::StepAddress,
                lead: frame.fill(text, &[("address", address)]),
                way: ("/docs/configuration#app_base_url", Text::StepAddressHow),
            },
            plain(self.space == FirstSpace::Made, Text::StepSpace, space_lead, (space_way, Text::StepSpaceHow)),
            plain(self.has_client, Text::StepApp, Text::StepAppLead, ("/docs/clients", Text::StepAppHow)),
        ]
    }

    /// The list.
    pub(crate) fn render(&self, frame: &Frame<'_>) -> Markup {
        html! {
            section .panel {
                h2 { (frame.t(Text::FirstSteps)) }
                p .muted { (frame.t(Text::FirstStepsLead)) }
                ul .rows { @for step in self.steps(frame) { (row(frame, &step)) } }
                form method="post" action="/account" {
                    (frame.csrf())
                    (hidden("hide", "first-steps"))
                    button .link-button { (frame.t(Text::FirstStepsHide)) }
                }
            }
        }
    }
}

fn row(frame: &Frame<'_>, step: &Step) -> Markup {
    let (path, text) = step.way;
    html! {
        li {
            div .row-text {
                strong { (frame.t(step.title)) }
                span .muted .small { (step.lead) }
            }
            @if step.is_done { span .badge .good { (frame.t(Text::StepDone)) } } @else { a href=(path) { (frame.t(text)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, FirstSpace, FirstSteps};

    #[test]
    fn the_list_is_done_with_its_last_step() {
        let all = FirstSteps {
            sends_mail: true,
            address: Address::Public("https://id.example"),
            space: FirstSpace::Made,
            has_client: true,
        };
        assert!(all.is_done());
        for open in [
            FirstSteps { sends_mail: false, ..all },
            FirstSteps { address: Address::Loopback("http://localhost:8080"), ..all },
            FirstSteps { space: FirstSpace::InStudio, ..all },
            FirstSteps { space: FirstSpace::ByApi, ..all },
            FirstSteps { has_client: false, ..all },
        ] {
            assert!(!open.is_done(), "{open:?}");
        }
    }
}
