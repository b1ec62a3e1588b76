//! The texts of the page that shows how a mail looks.

use crate::text::texts;

texts! {
    MailText;

    Rendered: "As it looks", "So sieht sie aus";
    FrameTitle: "The mail “{subject}”", "Die Mail „{subject}“";
    Source: "Source of the HTML", "Quelltext des HTML";
}
