//! Builds the MIME message.

use super::Message;
use lettre::{
    Address,
    message::{
        Mailbox, MultiPart, SinglePart,
        header::{HeaderName, HeaderValue},
    },
};

/// The message as it is sent. The error is a phrase for the log.
pub(super) fn bytes(message: &Message) -> Result<Vec<u8>, String> {
    let message_id = message.message_id();
    let Message { id, from, to, subject, text, html, at } = message;
    let describe = |error: lettre::error::Error| error.to_string();
    let body = MultiPart::builder()
        .kind(lettre::message::MultiPartKind::Alternative)
        .boundary(format!("part-{}", id.0.simple()))
        .singlepart(SinglePart::plain(text.clone()))
        .singlepart(SinglePart::html(html.clone()));
    let message = lettre::Message::builder()
        .message_id(Some(message_id))
        .date((*at).into())
        .from(Mailbox::new(from.name.as_deref().map(one_line), address(&from.address)?))
        .to(Mailbox::new(None, address(to)?))
        .subject(one_line(subject))
        // Automatic responders must not reply (RFC 3834, section 5).
        .raw_header(HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".to_owned()))
        .multipart(body);
    Ok(message.map_err(describe)?.formatted())
}

/// Prepares a text for a header. Control characters become spaces, because lettre panics at some of them.
/// Text that looks like an encoded word (RFC 2047) is broken up, because readers would decode it.
fn one_line(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.replace("=?", "= ?")
}

/// Converts an address. lettre's grammar accepts every [`domain::identity::Email`].
pub(super) fn address(email: &domain::identity::Email) -> Result<Address, String> {
    email.as_str().parse().map_err(|_| "an address that no mail can go to".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Message, bytes};
    use domain::{identity::Email, shared::MailId};
    use proptest::prelude::*;

    fn message(subject: &str, text: &str, name: &str) -> Message {
        Message {
            id: MailId(uuid::Uuid::from_u128(7)),
            from: domain::identity::mail::Sender {
                name: Some(name.to_owned()),
                address: Email::parse("no-reply@example.org").unwrap(),
            },
            to: Email::parse("ann@example.org").unwrap(),
            subject: subject.to_owned(),
            text: text.to_owned(),
            html: format!("<p>{text}</p>"),
            at: "2026-11-21T16:00:00Z".parse().unwrap(),
        }
    }

    fn headers(message: &Message) -> (String, Vec<String>) {
        let whole = String::from_utf8(bytes(message).unwrap()).unwrap();
        let head = whole.split_once("\r\n\r\n").unwrap().0.to_owned();
        let names =
            head.split("\r\n").filter(|part| !part.starts_with([' ', '\t'])).map(|part| part.split(':').next().unwrap().to_owned());
        let names = names.collect();
        (whole, names)
    }

    const NAMES: [&str; 8] = ["Message-ID", "Date", "From", "To", "Subject", "Auto-Submitted", "MIME-Version", "Content-Type"];

    #[test]
    fn the_same_mail_is_the_same_bytes() {
        let message = message("Grüße", "Guten Tag ☀", "Größe");
        let (whole, names) = headers(&message);
        assert_eq!(names, NAMES);
        assert!(whole.is_ascii());
        assert!(whole.contains("Message-ID: <00000000-0000-0000-0000-000000000007@example.org>\r\n"));
        assert!(whole.contains("Date: Sat, 21 Nov 2026 16:00:00 +0000\r\n"));
        assert_eq!(bytes(&message).unwrap(), whole.into_bytes());
    }

    proptest! {
        /// No name and no subject adds a header.
        #[test]
        fn no_text_makes_a_header(text in "\\PC{0,40}|[a\r\n: BcT<>@\"\\\\]{0,40}") {
            let hostile = message(&text, &text, &text);
            let whole = String::from_utf8(bytes(&hostile).unwrap()).unwrap();
            let head = whole.split_once("\r\n\r\n").unwrap().0;
            let lines = head.split("\r\n").filter(|part| !part.starts_with([' ', '\t']));
            let names: Vec<_> = lines.map(|line| line.split(':').next().unwrap()).collect();
            prop_assert_eq!(names, NAMES);
            prop_assert!(!head.replace("\r\n", "").contains(['\r', '\n']));
        }
    }
}
