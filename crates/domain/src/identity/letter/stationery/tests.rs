use super::{
    super::{
        Occasion,
        words::{LANGUAGES, words},
    },
    Envelope, Letter, Override, Part, Pattern, Rendered, Source, Stationery, Template, known,
};
use crate::identity::Email;
use jiff::Timestamp;

const BASE_URL: &str = "https://cms.example.com";
const LINK: &str = "https://cms.example.com/verify-email?token=abc&next=1";

fn letter(template: Template) -> Letter {
    let link = LINK.to_owned();
    match template {
        Template::Verification => Letter::Verification { link },
        Template::Invite => Letter::Invite { link },
        Template::PasswordReset => Letter::PasswordReset { link },
        Template::LoginCode => Letter::LoginCode { code: "123456".into() },
        Template::NewLogin => new_login(Occasion::SignIn),
    }
}

fn new_login(occasion: Occasion) -> Letter {
    Letter::NewLogin {
        occasion,
        at: "2026-11-21T16:34:59Z".parse::<Timestamp>().unwrap(),
        ip: Some([203, 0, 113, 7].into()),
        device: "Firefox on Linux".into(),
        sessions_link: format!("{BASE_URL}/sessions"),
        reset_link: format!("{BASE_URL}/forgot"),
    }
}

fn to(name: &str, template: Template) -> Envelope {
    Envelope { to: Email::parse("ann@example.org").unwrap(), name: name.into(), letter: letter(template) }
}

fn render(stationery: &Stationery, name: &str, template: Template, locale: &str) -> Rendered {
    stationery.render(&to(name, template), locale, BASE_URL)
}

fn with(template: Template, part: Part, locale: Option<&str>, text: &str) -> Result<Stationery, String> {
    let mut stationery = Stationery::default();
    stationery.add(Override { template, part, locale: locale.map(str::to_owned), text: text.to_owned() })?;
    Ok(stationery)
}

#[test]
fn every_builtin_letter_can_be_filled_and_holds_what_it_is_for() {
    for template in Template::ALL {
        for language in LANGUAGES {
            let words = words(template, language);
            for text in [words.subject.to_owned(), words.text(), words.html()] {
                Pattern::parse(&text, &known(template)).unwrap();
            }
            let Rendered { subject, html, text, sources } = render(&Stationery::default(), "Ann", template, language);
            assert_eq!(sources, [Source::Builtin; 3]);
            assert!(!subject.is_empty() && !format!("{subject}{html}{text}").contains("{{"));
            assert!(html.contains(&format!("lang=\"{language}\"")));
            let essential: &[&str] = match template {
                Template::LoginCode => &["123456"],
                Template::NewLogin => &["2026-11-21 16:34 UTC", "203.0.113.7", "Firefox on Linux", "/sessions", "/forgot"],
                _ => &[LINK],
            };
            for it in essential {
                assert!(text.contains(it) && html.contains(&it.replace('&', "&#38;")), "{it} in {text}{html}");
            }
        }
    }
}

#[test]
fn a_letter_about_the_account_says_what_happened() {
    let mut said = std::collections::BTreeSet::new();
    for occasion in Occasion::ALL {
        for language in LANGUAGES {
            let envelope = Envelope { letter: new_login(occasion), ..to("Ann", Template::NewLogin) };
            let Rendered { subject, html, text, .. } = Stationery::default().render(&envelope, language, BASE_URL);
            assert!(text.contains("Ann") && html.contains("/forgot"));
            said.insert(subject);
            said.insert(text);
        }
    }
    assert_eq!(said.len(), 2 * Occasion::ALL.len() * LANGUAGES.len(), "each in words of its own: {said:?}");
}

#[test]
fn the_secret_of_a_letter_is_not_in_its_subject() {
    for template in Template::ALL {
        let subject = render(&Stationery::default(), "Ann", template, "en").subject;
        assert!(!subject.contains("123456") && !subject.contains("token"), "{subject}");
    }
}

#[test]
fn a_locale_is_spoken_to_in_its_language_or_in_english() {
    let subject = |locale| render(&Stationery::default(), "Ann", Template::LoginCode, locale).subject;
    assert_eq!(subject("de"), "Ihr Code für die Anmeldung");
    assert_eq!(subject("de-AT"), subject("de"));
    assert_eq!(subject("fr"), subject("en"));
    assert_eq!(subject("../de"), subject("en"));
}

/// Whoever types another person's address into a registration chooses the name, but not what we write to that person.
#[test]
fn a_letter_to_an_address_that_is_not_proved_does_not_repeat_the_name() {
    for (template, repeats) in [
        (Template::Verification, false),
        (Template::PasswordReset, false),
        (Template::Invite, true),
        (Template::LoginCode, true),
        (Template::NewLogin, true),
    ] {
        for language in LANGUAGES {
            let rendered = render(&Stationery::default(), "Zanzibar", template, language);
            let all = format!("{}{}{}", rendered.subject, rendered.html, rendered.text);
            assert_eq!(all.contains("Zanzibar"), repeats, "{}", template.name());
        }
    }
}

#[test]
fn names_are_escaped_in_html_and_cannot_begin_a_line() {
    let stationery = with(Template::Invite, Part::Subject, None, "For {{name}}").unwrap();
    let rendered = render(&stationery, "<img src=x>\r\nBcc: bob@example.org", Template::Invite, "en");
    assert_eq!(rendered.subject, "For <img src=x>  Bcc: bob@example.org");
    assert!(rendered.html.contains("Hello &#60;img src=x&#62;  Bcc:") && !rendered.html.contains("<img"));
    assert!(rendered.text.contains("Hello <img src=x>  Bcc: bob@example.org,"));
}

#[test]
fn the_operators_words_win_and_those_for_the_locale_most_of_all() {
    let mut stationery = with(Template::Invite, Part::Text, None, "all {{link}}").unwrap();
    let german = Override { template: Template::Invite, part: Part::Text, locale: Some("de".into()), text: "de {{ link }}".into() };
    stationery.add(german).unwrap();
    let english = render(&stationery, "Ann", Template::Invite, "en");
    assert_eq!((english.text, english.sources), (format!("all {LINK}"), [Source::Builtin, Source::Builtin, Source::Override]));
    let german = render(&stationery, "Ann", Template::Invite, "de");
    assert_eq!((german.text, german.sources[2]), (format!("de {LINK}"), Source::LocaleOverride));
    assert_eq!(render(&stationery, "Ann", Template::Verification, "de").sources, [Source::Builtin; 3]);
}

#[test]
fn words_that_would_be_of_no_use_are_refused() {
    let refusal = |template, part, text: &str| with(template, part, None, text).unwrap_err();
    assert!(refusal(Template::Invite, Part::Html, "<p>{{code}} {{link}}</p>").contains("{{code}}"));
    assert!(refusal(Template::Invite, Part::Html, "<p>hello</p>").contains("{{link}}"));
    assert!(refusal(Template::LoginCode, Part::Text, "hello {{name}}").contains("{{code}}"));
    assert!(refusal(Template::Invite, Part::Subject, "a\r\nBcc: b@example.org").contains("one line"));
    assert!(refusal(Template::NewLogin, Part::Subject, "a\nb").contains("one line"));
    assert!(refusal(Template::Invite, Part::Subject, &"x".repeat(201)).contains("200"));
    assert!(with(Template::NewLogin, Part::Html, None, "<p>hello</p>").is_ok());
    assert!(with(Template::Invite, Part::Subject, None, "hello").is_ok());
}
