use super::{
    super::{
        NoticeKind,
        builtin::{self, LANGUAGES},
    },
    MailContent, MailTemplates, RenderedMail, StoredMail, Template, TemplateOverride, TemplatePart, TextSource, TextTemplate,
    placeholders,
};
use crate::identity::Email;
use jiff::Timestamp;
use strum::VariantArray;

const SITE: &str = "Reading room";
const BASE_URL: &str = "https://cms.example.com";
const LINK: &str = "https://cms.example.com/verify-email?token=abc&next=1";

fn content(template: Template) -> MailContent {
    let link = LINK.to_owned();
    match template {
        Template::Verification => MailContent::Verification { link },
        Template::Invite => MailContent::Invite { link },
        Template::PasswordReset => MailContent::PasswordReset { link },
        Template::SpaceInvite => MailContent::SpaceInvite { link, space: "Newsroom".into(), inviter: "Bob".into() },
        Template::LoginCode => MailContent::LoginCode { code: "123456".into() },
        Template::NewLogin => new_login(NoticeKind::SignIn),
    }
}

fn new_login(notice: NoticeKind) -> MailContent {
    MailContent::NewLogin {
        notice,
        at: "2026-11-21T16:34:59Z".parse::<Timestamp>().unwrap(),
        ip: Some([203, 0, 113, 7].into()),
        device: "Firefox on Linux".into(),
        sessions_link: format!("{BASE_URL}/sessions"),
        reset_link: format!("{BASE_URL}/forgot"),
    }
}

fn mail_to(name: &str, template: Template) -> StoredMail {
    StoredMail { to: Email::parse("ann@example.org").unwrap(), name: name.into(), content: content(template) }
}

fn render(templates: &MailTemplates, name: &str, template: Template, locale: &str) -> RenderedMail {
    templates.render(&mail_to(name, template), locale, BASE_URL)
}

fn templates_with(template: Template, part: TemplatePart, locale: Option<&str>, text: &str) -> Result<MailTemplates, String> {
    let mut templates = MailTemplates::of_site(SITE);
    templates.add(TemplateOverride { template, part, locale: locale.map(str::to_owned), text: text.to_owned() })?;
    Ok(templates)
}

#[test]
fn every_builtin_text_parses_and_holds_its_values() {
    for &template in Template::VARIANTS {
        for language in LANGUAGES {
            let mail = builtin::mail(template, language);
            for text in [mail.subject.to_owned(), mail.text(), mail.html()] {
                TextTemplate::parse(&text, &placeholders(template)).unwrap();
            }
            let RenderedMail { subject, html, text, sources } = render(&MailTemplates::of_site(SITE), "Ann", template, language);
            assert_eq!(sources, [TextSource::Builtin; 3]);
            assert!(!subject.is_empty() && !format!("{subject}{html}{text}").contains("{{"));
            assert!(html.contains(&format!("lang=\"{language}\"")));
            let essential: &[&str] = match template {
                Template::LoginCode => &["123456"],
                Template::NewLogin => &["2026-11-21 16:34 UTC", "203.0.113.7", "Firefox", "/sessions", "/forgot"],
                _ => &[LINK],
            };
            for value in essential {
                assert!(text.contains(value) && html.contains(&value.replace('&', "&#38;")), "{value} in {text}{html}");
            }
        }
    }
}

/// The host is in the links alone, and in the line at the foot, which says where the mail comes from.
#[test]
fn a_mail_names_the_service_and_not_its_host() {
    for &template in Template::VARIANTS {
        for language in LANGUAGES {
            let RenderedMail { subject, text, .. } = render(&MailTemplates::of_site(SITE), "Ann", template, language);
            assert!(text.contains(SITE), "{}: {text}", template.into_str());
            let without_links = format!("{subject} {text}").replace("https://cms.example.com", "");
            assert!(!without_links.contains("cms.example.com"), "{}: {text}", template.into_str());
        }
    }
}

#[test]
fn each_notice_has_its_own_text() {
    let mut texts = std::collections::BTreeSet::new();
    for &notice in NoticeKind::VARIANTS {
        for language in LANGUAGES {
            let mail = StoredMail { content: new_login(notice), ..mail_to("Ann", Template::NewLogin) };
            let RenderedMail { subject, html, text, .. } = MailTemplates::of_site(SITE).render(&mail, language, BASE_URL);
            assert!(text.contains("Ann") && html.contains("/forgot"));
            texts.insert(subject);
            texts.insert(text);
        }
    }
    assert_eq!(texts.len(), 2 * NoticeKind::VARIANTS.len() * LANGUAGES.len(), "no two are alike: {texts:?}");
}

/// Where it came from is stored in one form, also by versions of before, and is told in the words of the
/// mail.
#[test]
fn a_device_is_told_in_the_language_of_the_mail() {
    for (stored, english, german) in [
        ("Firefox on Linux", "Firefox on Linux", "Firefox auf Linux"),
        ("Samsung Internet on Android", "Samsung Internet on Android", "Samsung Internet auf Android"),
        ("curl", "curl", "curl"),
        ("Unknown browser on Linux", "unknown browser on Linux", "unbekannter Browser auf Linux"),
        ("Unknown browser", "unknown", "unbekannt"),
        ("Administration", "Administration", "Administration"),
        (
            "Chrome on iOS → Lights on Linux / a → b",
            "Chrome on iOS → Lights on Linux / a → b",
            "Chrome auf iOS → Lights on Linux / a → b",
        ),
        ("lights on → Site / child", "lights on → Site / child", "lights on → Site / child"),
    ] {
        for (language, told) in [("en", english), ("de", german), ("de-AT", german), ("fr", english)] {
            let MailContent::NewLogin { notice, at, ip, sessions_link, reset_link, .. } = new_login(NoticeKind::SignIn) else {
                panic!("a notice")
            };
            let content = MailContent::NewLogin { notice, at, ip, device: stored.into(), sessions_link, reset_link };
            let mail = StoredMail { content, ..mail_to("Ann", Template::NewLogin) };
            let RenderedMail { text, html, .. } = MailTemplates::of_site(SITE).render(&mail, language, BASE_URL);
            assert!(text.lines().any(|line| line.split_once(": ").is_some_and(|(_, value)| value == told)), "{told} in {text}");
            assert!(html.contains(told), "{told} in {html}");
        }
    }
}

#[test]
fn no_subject_holds_a_secret() {
    for &template in Template::VARIANTS {
        let subject = render(&MailTemplates::of_site(SITE), "Ann", template, "en").subject;
        assert!(!subject.contains("123456") && !subject.contains("token"), "{subject}");
    }
}

#[test]
fn a_locale_falls_back_to_its_language_and_then_to_english() {
    let subject = |locale| render(&MailTemplates::of_site(SITE), "Ann", Template::LoginCode, locale).subject;
    assert_eq!(subject("de"), "Ihr Code für die Anmeldung");
    assert_eq!(subject("de-AT"), subject("de"));
    assert_eq!(subject("fr"), subject("en"));
    assert_eq!(subject("../de"), subject("en"));
}

/// A stranger who registers with another person's address chooses the name, and must not choose a word of the
/// mail.
#[test]
fn a_mail_to_an_unproved_address_does_not_repeat_the_name() {
    for (template, repeats) in [
        (Template::Verification, false),
        (Template::PasswordReset, false),
        (Template::Invite, true),
        (Template::LoginCode, true),
        (Template::NewLogin, true),
    ] {
        for language in LANGUAGES {
            let rendered = render(&MailTemplates::of_site(SITE), "Zanzibar", template, language);
            let all = format!("{}{}{}", rendered.subject, rendered.html, rendered.text);
            assert_eq!(all.contains("Zanzibar"), repeats, "{}", template.into_str());
        }
    }
}

#[test]
fn names_are_escaped_in_html_and_cannot_begin_a_line() {
    let templates = templates_with(Template::Invite, TemplatePart::Subject, None, "For {{name}}").unwrap();
    let rendered = render(&templates, "<img src=x>\r\nBcc: bob@example.org", Template::Invite, "en");
    assert_eq!(rendered.subject, "For <img src=x>  Bcc: bob@example.org");
    assert!(rendered.html.contains("Hello &#60;img src=x&#62;  Bcc:") && !rendered.html.contains("<img"));
    assert!(rendered.text.contains("Hello <img src=x>  Bcc: bob@example.org,"));
}

#[test]
fn an_override_wins_and_one_for_the_locale_wins_over_it() {
    let mut templates = templates_with(Template::Invite, TemplatePart::Text, None, "all {{link}}").unwrap();
    let german = TemplateOverride {
        template: Template::Invite,
        part: TemplatePart::Text,
        locale: Some("de".into()),
        text: "de {{ link }}".into(),
    };
    templates.add(german).unwrap();
    let english = render(&templates, "Ann", Template::Invite, "en");
    assert_eq!(
        (english.text, english.sources),
        (format!("all {LINK}"), [TextSource::Builtin, TextSource::Builtin, TextSource::Override])
    );
    let german = render(&templates, "Ann", Template::Invite, "de");
    assert_eq!((german.text, german.sources[2]), (format!("de {LINK}"), TextSource::LocaleOverride));
    let austrian = render(&templates, "Ann", Template::Invite, "de-AT");
    assert_eq!(
        (austrian.text, austrian.sources[2]),
        (format!("de {LINK}"), TextSource::LocaleOverride),
        "as the built-in texts do"
    );
    assert_eq!(render(&templates, "Ann", Template::Verification, "de").sources, [TextSource::Builtin; 3]);
}

#[test]
fn useless_overrides_are_refused() {
    let refusal = |template, part, text: &str| templates_with(template, part, None, text).unwrap_err();
    assert!(refusal(Template::Invite, TemplatePart::Html, "<p>{{code}} {{link}}</p>").contains("{{code}}"));
    assert!(refusal(Template::Invite, TemplatePart::Html, "<p>hello</p>").contains("{{link}}"));
    assert!(refusal(Template::LoginCode, TemplatePart::Text, "hello {{name}}").contains("{{code}}"));
    assert!(refusal(Template::Invite, TemplatePart::Subject, "a\r\nBcc: b@example.org").contains("one line"));
    assert!(refusal(Template::NewLogin, TemplatePart::Subject, "a\nb").contains("one line"));
    assert!(refusal(Template::Invite, TemplatePart::Subject, &"x".repeat(201)).contains("200"));
    assert!(templates_with(Template::NewLogin, TemplatePart::Html, None, "<p>hello</p>").is_ok());
    assert!(templates_with(Template::Invite, TemplatePart::Subject, None, "hello").is_ok());
}
