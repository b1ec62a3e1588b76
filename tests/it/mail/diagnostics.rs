//! Looking at a mail server that says nothing.

use super::{BASE_URL, server, settings};
use actors::identity::mail_diagnostics::MailDiagnostics;
use domain::identity::{
    Email,
    mail::{MailTemplates, Template},
};
use std::time::Duration;
use support::{MailBox, Says};

/// The answer comes before the request that waits for it is cut off, which is long before the mail sender gives a server up.
#[tokio::test]
async fn a_server_that_says_nothing_is_given_up_in_time() {
    let mails = MailBox::start().await;
    let (clock, entropy) = (support::clock(), support::entropy(5));
    let diagnostics =
        MailDiagnostics::new(Some(settings(server(mails.port))), MailTemplates::of_site("Reading room"), BASE_URL, clock, entropy)
            .with_patience(Duration::from_secs(3));
    mails.will("connect", [Says::Nothing, Says::Nothing]).await;
    let status = diagnostics.status().await.unwrap().unwrap();
    assert_eq!(status.problem.as_deref(), Some("Connect: no answer in 3 s"));
    let to = Email::parse("ann@example.org").unwrap();
    let refused = diagnostics.send_test(Template::Invite, to.clone(), "en").await.unwrap().unwrap_err();
    assert_eq!((refused.code, refused.command), ("ETIMEDOUT", "CONN"));
    mails.will("data", [Says::Nothing]).await;
    let refused = diagnostics.send_test(Template::Invite, to, "en").await.unwrap().unwrap_err();
    assert_eq!((refused.code, refused.command), ("ETIMEDOUT", "DATA"));
}
