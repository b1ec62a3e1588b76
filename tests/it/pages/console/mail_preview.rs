//! How a mail looks: the frame with its own policy, and the name of the service in mails.

use super::{ADMIN, ANN, app_with};
use support::prelude::*;

const FRAME: &str = "/admin/mail/preview/frame";

#[tokio::test]
async fn a_mail_is_rendered_in_a_frame_that_can_do_nothing() {
    let app = app_with(&[("APP_NAME", "Reading <room>")]).await;
    let admin = Person::signed_in(&app, ADMIN).await;
    for (template, locale) in [("invite", "de"), ("newLogin", "en")] {
        let page = admin.page(&format!("/admin/mail/preview?template={template}&locale={locale}")).await;
        let frame = page.text.split("<iframe").nth(1).unwrap().split("</iframe>").next().unwrap();
        assert!(frame.contains(&format!("src=\"{FRAME}?template={template}&amp;locale={locale}\"")), "{frame}");
        assert!(frame.contains(" sandbox") && frame.contains(" title=\""), "{frame}");
        assert!(page.header("content-security-policy").ends_with("; form-action 'self'; frame-src 'self'"));
        assert!(page.text.contains("Reading &lt;room&gt;"), "the text beside it: {}", page.text);
        let mail = admin.page(&format!("{FRAME}?template={template}&locale={locale}")).await;
        assert_eq!((mail.status, mail.header("content-type")), (200, "text/html; charset=utf-8"));
        assert_eq!(
            mail.header("content-security-policy"),
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox"
        );
        assert_eq!((mail.header("cache-control"), mail.header("x-frame-options")), ("no-store", ""));
        assert!(mail.text.contains(&format!("lang=\"{locale}\"")) && mail.text.contains("Reading &#60;room&#62;"), "{}", mail.text);
    }
    for (locale, told) in [("en", "Firefox on Linux"), ("de", "Firefox auf Linux")] {
        let page = admin.page(&format!("/admin/mail/preview?template=newLogin&locale={locale}")).await;
        assert!(page.text.contains(told), "{told} in {}", page.text);
    }
    assert_eq!(admin.page(&format!("{FRAME}?template=none")).await.status, 400);
    let other = admin.page("/admin/mail").await;
    assert!(!other.header("content-security-policy").contains("frame-src"), "only the page with the frame");
    let stranger = Person::at(&app).page(FRAME).await;
    assert_eq!((stranger.status, Person::signed_in(&app, ANN).await.get(FRAME).await.status), (303, 403));
}

#[tokio::test]
async fn a_mail_names_the_service_and_its_address_at_the_foot() {
    let mails = MailBox::start().await;
    let variables = [&mails.variables()[..], &[("APP_NAME", "Reading room")]].concat();
    let app = app_with(&variables).await;
    Person::at(&app).sign_up(ANN).await;
    let mail = mails.next_to(ANN).await;
    assert!(mail.text.contains("this address at Reading room,"), "{}", mail.text);
    let foot = mail.text.trim_end().lines().last().unwrap().trim_start_matches(|c: char| !c.is_alphabetic());
    assert!(foot.starts_with("Sent by Reading room (http") && foot.ends_with(&format!("to {ANN}.")), "{foot}");
}
