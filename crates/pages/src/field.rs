//! The parts of forms.

use crate::{Frame, Problems, Text};
use domain::identity::PasswordRules;
use maud::{Markup, html};

/// A line of text that a person types.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    /// The name in the form, which is its id as well.
    pub name: &'a str,
    /// What it is called.
    pub label: Text,
    /// `text`, `email` or `password`.
    pub kind: &'a str,
    /// What a browser fills in.
    pub autocomplete: &'a str,
    /// What was typed before.
    pub value: &'a str,
    /// A sentence below it.
    pub hint: Option<&'a str>,
    /// Whether it has to be filled in.
    pub required: bool,
    /// Whether the page begins here.
    pub autofocus: bool,
}

impl<'a> Field<'a> {
    /// A line of text.
    pub(crate) fn text(name: &'a str, label: Text, autocomplete: &'a str, value: &'a str) -> Self {
        Self { name, label, kind: "text", autocomplete, value, hint: None, required: true, autofocus: false }
    }

    /// An address.
    pub(crate) fn email(name: &'a str, value: &'a str) -> Self {
        Self { kind: "email", ..Self::text(name, Text::Email, "username", value) }
    }

    pub(crate) fn optional(self) -> Self {
        Self { required: false, ..self }
    }

    /// The page begins here, unless something is wrong with what was sent: then it begins with that. A field
    /// that is filled in already is left to what follows.
    pub(crate) fn first(self, problems: &Problems) -> Self {
        Self { autofocus: problems.is_empty() && self.value.is_empty(), ..self }
    }

    pub(crate) fn render(self, frame: &Frame<'_>, problems: &Problems) -> Markup {
        let error = problems.of_field(self.name);
        html! {
            div .field {
                label for=(self.name) {
                    (frame.t(self.label))
                    @if !self.required { " " span .optional { "(" (frame.t(Text::Optional)) ")" } }
                }
                input #(self.name) name=(self.name) type=(self.kind) value=(self.value) autocomplete=(self.autocomplete)
                    required[self.required] autofocus[self.autofocus] maxlength="254" spellcheck="false"
                    autocapitalize=[(self.kind == "email").then_some("none")]
                    aria-invalid=[error.map(|_| "true")] aria-describedby=[described_by(self.name, error, self.hint.is_some())];
                @if let Some(hint) = self.hint { p .hint id=(format!("{}-hint", self.name)) { (hint) } }
                (error_line(self.name, error))
            }
        }
    }
}

fn described_by(name: &str, error: Option<&str>, has_hint: bool) -> Option<String> {
    let ids = [error.map(|_| format!("{name}-error")), has_hint.then(|| format!("{name}-hint"))];
    let ids: Vec<String> = ids.into_iter().flatten().collect();
    (!ids.is_empty()).then(|| ids.join(" "))
}

fn error_line(name: &str, error: Option<&str>) -> Markup {
    html! { @if let Some(error) = error { p .field-error id=(format!("{name}-error")) { (error) } } }
}

/// A password that is known, with a button that shows it. `aside` stands beside the label.
pub(crate) fn password(frame: &Frame<'_>, problems: &Problems, name: &str, label: Text, aside: Option<Markup>) -> Markup {
    password_input(frame, problems, name, label, "current-password", aside, false)
}

/// The same, and the page begins here, unless something is wrong with what was sent.
pub(crate) fn first_password(frame: &Frame<'_>, problems: &Problems, name: &str, label: Text) -> Markup {
    password_line(frame, problems, name, label, "current-password", None, (false, true, problems.is_empty()))
}

/// A password that is chosen, with the rules that it has to follow.
pub(crate) fn new_password(frame: &Frame<'_>, problems: &Problems, name: &str, label: Text, rules: &PasswordRules) -> Markup {
    html! {
        (password_input(frame, problems, name, label, "new-password", None, true))
        (rule_list(frame, name, rules))
    }
}

/// The same where it may be left out.
pub(crate) fn optional_new_password(
    frame: &Frame<'_>,
    problems: &Problems,
    name: &str,
    label: Text,
    rules: &PasswordRules,
) -> Markup {
    html! {
        (password_line(frame, problems, name, label, "new-password", None, (true, false, false)))
        (rule_list(frame, name, rules))
    }
}

fn password_input(
    frame: &Frame<'_>,
    problems: &Problems,
    name: &str,
    label: Text,
    autocomplete: &str,
    aside: Option<Markup>,
    has_hint: bool,
) -> Markup {
    password_line(frame, problems, name, label, autocomplete, aside, (has_hint, true, false))
}

fn password_line(
    frame: &Frame<'_>,
    problems: &Problems,
    name: &str,
    label: Text,
    autocomplete: &str,
    aside: Option<Markup>,
    (has_hint, is_required, is_first): (bool, bool, bool),
) -> Markup {
    let error = problems.of_field(name);
    let (show, hide) = (frame.t(Text::ShowPassword), frame.t(Text::HidePassword));
    html! {
        div .field {
            div .label-line {
                label for=(name) { (frame.t(label)) }
                @if let Some(aside) = aside { (aside) }
            }
            div .with-toggle {
                input #(name) name=(name) type="password" autocomplete=(autocomplete) required[is_required] autofocus[is_first] autocapitalize="none" spellcheck="false"
                    aria-invalid=[error.map(|_| "true")] aria-describedby=[described_by(name, error, has_hint)];
                button .toggle type="button" hidden data-toggle=(name) data-show=(show) data-hide=(hide) aria-pressed="false"
                    aria-controls=(name) { (show) }
            }
            (error_line(name, error))
        }
    }
}

fn rule_list(frame: &Frame<'_>, name: &str, rules: &PasswordRules) -> Markup {
    let length = frame.fill(Text::RuleLength, &[("count", &rules.min_length.to_string())]);
    let classes = [
        (rules.uppercase, "uppercase", Text::RuleUppercase),
        (rules.lowercase, "lowercase", Text::RuleLowercase),
        (rules.digit, "digit", Text::RuleDigit),
        (rules.symbol, "symbol", Text::RuleSymbol),
    ];
    html! {
        div id=(format!("{name}-hint")) {
            p .visually-hidden { (frame.t(Text::PasswordRules)) }
            ul .rules data-rules=(name) {
                li data-rule="length" data-bound=(rules.min_length) { (length) }
                @for (_, rule, text) in classes.into_iter().filter(|(is_on, ..)| *is_on) { li data-rule=(rule) { (frame.t(text)) } }
            }
        }
    }
}

/// A code that is typed or filled in by the system. A long one has letters too.
pub(crate) fn code(frame: &Frame<'_>, problems: &Problems, name: &str, label: Text, is_long: bool) -> Markup {
    code_line(frame, problems, name, label, (is_long, problems.is_empty()))
}

fn code_line(frame: &Frame<'_>, problems: &Problems, name: &str, label: Text, (is_long, is_first): (bool, bool)) -> Markup {
    let error = problems.of_field(name);
    html! {
        div .field {
            label for=(name) { (frame.t(label)) }
            input .code .long[is_long] #(name) name=(name) type="text" inputmode=(if is_long { "text" } else { "numeric" }) required
                autocomplete=(if is_long { "off" } else { "one-time-code" }) maxlength="40" spellcheck="false" autocapitalize="none"
                autofocus[is_first] aria-invalid=[error.map(|_| "true")] aria-describedby=[described_by(name, error, false)];
            (error_line(name, error))
        }
    }
}

/// The same where the page does not begin at it: the QR code above it has to be scanned first.
pub(crate) fn later_code(frame: &Frame<'_>, problems: &Problems, name: &str, label: Text, is_long: bool) -> Markup {
    code_line(frame, problems, name, label, (is_long, false))
}

/// The code of a device, with what was typed before.
pub(crate) fn device_code(frame: &Frame<'_>, problems: &Problems, name: &str, label: Text, typed: &str) -> Markup {
    let error = problems.of_field(name);
    html! {
        div .field {
            label for=(name) { (frame.t(label)) }
            input .code .long #(name) name=(name) type="text" value=(typed) required autocomplete="off" maxlength="64" spellcheck="false"
                autocapitalize="characters" autofocus[problems.is_empty()] aria-invalid=[error.map(|_| "true")]
                aria-describedby=[described_by(name, error, false)];
            (error_line(name, error))
        }
    }
}

/// A box to tick.
pub(crate) fn check(name: &str, label: &str, is_checked: bool, is_required: bool) -> Markup {
    html! {
        label .check {
            input type="checkbox" name=(name) checked[is_checked] required[is_required] data-remember[name == "remember"];
            span { (label) }
        }
    }
}

/// A hidden field.
pub(crate) fn hidden(name: &str, value: &str) -> Markup {
    html! { input type="hidden" name=(name) value=(value); }
}

/// What is wrong, at the top of the form, with links to the fields.
pub(crate) fn problems(frame: &Frame<'_>, problems: &Problems) -> Markup {
    html! {
        @if !problems.is_empty() {
            div .message .bad role="alert" tabindex="-1" data-focus {
                @if let Some(summary) = &problems.summary { p { (summary) } }
                @if !problems.fields.is_empty() {
                    p { (frame.t(Text::ProblemsTitle)) }
                    ul {
                        @for (name, text) in &problems.fields {
                            li { a href=(format!("#{name}")) { @if let Some(label) = label(name) { (frame.t(label)) ": " } (text) } }
                        }
                    }
                }
            }
        }
    }
}

/// What a field is called in the summary.
fn label(name: &str) -> Option<Text> {
    Some(match name {
        "email" => Text::Email,
        "newEmail" => Text::NewAddress,
        "password" => Text::Password,
        "currentPassword" => Text::CurrentPassword,
        "newPassword" => Text::NewPassword,
        "firstName" => Text::FirstName,
        "lastName" => Text::LastName,
        "displayName" => Text::DisplayName,
        "name" => Text::Name,
        "code" | "currentCode" => Text::Code,
        "user_code" => Text::DeviceCode,
        "backupCode" => Text::BackupCodeLabel,
        _ => return None,
    })
}

/// A message that all is well.
pub(crate) fn notice(class: &str, text: &str) -> Markup {
    html! { div class=(format!("message {class}")) role="status" { p { (text) } } }
}

/// A button of a form that leads to another page and takes along what was typed here, so that it is not asked
/// for again (WCAG 2.2, success criterion 3.3.7). It stands below the button of the form, which is the one
/// that the enter key presses.
pub(crate) fn leading(frame: &Frame<'_>, form: &str, place: &str, text: Text) -> Markup {
    html! { button .link-button form=(form) name="go" value=(place) formnovalidate { (frame.t(text)) } }
}

/// The logo of an application. Its name stands beside it, so that it says nothing of its own. The script of
/// the page hides one that cannot be loaded.
pub(crate) fn logo(uri: Option<&str>) -> Markup {
    html! { @if let Some(uri) = uri { img .logo src=(uri) data-logo alt="" width="64" height="64" referrerpolicy="no-referrer"; } }
}

/// The heading of a card.
pub(crate) fn heading(title: &str, lead: Option<&str>) -> Markup {
    html! { header { h1 { (title) } @if let Some(lead) = lead { p .lead { (lead) } } } }
}
