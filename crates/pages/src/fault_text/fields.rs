//! What to write into a field, as a sentence that stands beside it.

use super::choose;
use domain::shared::{Detail, FieldCode, Language};

/// The sentence of what is wrong with a field.
pub(crate) fn field_sentence(language: Language, detail: &Detail) -> String {
    let bound = detail.bound.as_deref().unwrap_or_default();
    choose(language, of_field(detail.code, &detail.field, bound.is_empty())).replace("{}", bound)
}

const INVISIBLE_CHARACTERS: [&str; 2] = [
    "There are characters in it that cannot be seen. Type it anew instead of pasting it.",
    "Darin sind Zeichen, die man nicht sieht. Tippen Sie den Text neu, statt ihn einzufügen.",
];
const ASCII_BEFORE_AT: [&str; 2] = [
    "Before the @, use only letters from a to z, digits and signs. After it, any letters will do.",
    "Vor dem @ sind nur Buchstaben von a bis z, Ziffern und Zeichen möglich. Dahinter geht jede Schrift.",
];
const COMMON_PASSWORD: [&str; 2] = [
    "Many people use this password. Choose one that nobody would guess.",
    "Dieses Passwort benutzen viele. Wählen Sie eines, das niemand errät.",
];
const PERSONAL_PASSWORD: [&str; 2] = [
    "Leave out your name, your address and the name of this service.",
    "Lassen Sie Ihren Namen, Ihre Adresse und den Namen dieses Dienstes weg.",
];
const UNKNOWN_PERSON: [&str; 2] =
    ["Nobody here has this address. Check how it is written.", "Hier hat niemand diese Adresse. Prüfen Sie die Schreibweise."];

/// The English and the German sentence of a code of a field. The bound takes the place of `{}`, unless there
/// is none.
fn of_field(code: FieldCode, field: &str, is_unbounded: bool) -> [&'static str; 2] {
    match code {
        FieldCode::AlreadyMember => ["This person is a member already.", "Diese Person gehört schon dazu."],
        FieldCode::Blank => missing(field),
        FieldCode::Invalid if is_address(field) => ["Write it like name@example.org.", "Schreiben Sie sie so: name@example.org."],
        FieldCode::Invalid => ["This is not valid. Check how it is written.", "Das ist nicht gültig. Prüfen Sie die Schreibweise."],
        FieldCode::InvalidCharacters => INVISIBLE_CHARACTERS,
        FieldCode::LocalPartNotAscii => ASCII_BEFORE_AT,
        FieldCode::TooLong if is_unbounded => ["This is too long. Shorten it.", "Das ist zu lang. Kürzen Sie es."],
        FieldCode::TooShort if is_unbounded => ["This is too short. Write more.", "Das ist zu kurz. Schreiben Sie mehr."],
        FieldCode::TooLong => ["Use at most {} characters.", "Nehmen Sie höchstens {} Zeichen."],
        FieldCode::TooShort => ["Use at least {} characters.", "Nehmen Sie mindestens {} Zeichen."],
        FieldCode::Common => COMMON_PASSWORD,
        FieldCode::Personal => PERSONAL_PASSWORD,
        FieldCode::UppercaseRequired => ["Add an upper case letter.", "Nehmen Sie einen Großbuchstaben dazu."],
        FieldCode::LowercaseRequired => ["Add a lower case letter.", "Nehmen Sie einen Kleinbuchstaben dazu."],
        FieldCode::DigitRequired => ["Add a digit.", "Nehmen Sie eine Ziffer dazu."],
        FieldCode::SymbolRequired => ["Add a symbol, like ! or ?.", "Nehmen Sie ein Sonderzeichen dazu, etwa ! oder ?."],
        FieldCode::Unchanged if is_address(field) => {
            ["This is your address already. Enter another one.", "Das ist schon Ihre Adresse. Geben Sie eine andere ein."]
        }
        FieldCode::Unchanged => {
            ["It is like this already. Enter something else.", "Das ist schon so. Geben Sie etwas anderes ein."]
        }
        FieldCode::UnknownPerson => UNKNOWN_PERSON,
        FieldCode::Unsupported if is_unbounded => ["Choose one from the list.", "Wählen Sie etwas aus der Liste."],
        FieldCode::Unsupported => ["Choose one of these: {}", "Wählen Sie eines davon: {}"],
        FieldCode::Wrong => ["This password is wrong. Type it again.", "Dieses Passwort ist falsch. Geben Sie es noch einmal ein."],
        FieldCode::Passkey => ["A passkey of the account.", "Ein Passkey des Kontos."],
        FieldCode::Password => ["The password of the account.", "Das Passwort des Kontos."],
        FieldCode::Present => ["Leave this out: one of the two is enough.", "Lassen Sie das weg: Eines von beiden genügt."],
        FieldCode::NotEditable => ["This cannot be changed here.", "Das lässt sich hier nicht ändern."],
        FieldCode::UnknownField if is_unbounded => ["There is no such field here.", "Diese Angabe gibt es hier nicht."],
        FieldCode::UnknownField => {
            ["There is no such field here. The nearest is {}.", "Diese Angabe gibt es hier nicht. Am nächsten kommt {}."]
        }
        FieldCode::WrongType => ["This is of the wrong type.", "Das ist von der falschen Art."],
        FieldCode::AttemptsLeft
        | FieldCode::BadPattern
        | FieldCode::BlockedTarget
        | FieldCode::Client
        | FieldCode::ComponentNotAllowed
        | FieldCode::Cycle
        | FieldCode::Default
        | FieldCode::DefaultNotPublished
        | FieldCode::DuplicateRole
        | FieldCode::Excluded
        | FieldCode::ExternalUrlNotAllowed
        | FieldCode::FileTypeNotAllowed
        | FieldCode::Fixed
        | FieldCode::Folder
        | FieldCode::Future
        | FieldCode::Late
        | FieldCode::LinkTypeNotAllowed
        | FieldCode::Missing
        | FieldCode::NotAFolder
        | FieldCode::NotAMultiple
        | FieldCode::NotANumber
        | FieldCode::NotDeleted
        | FieldCode::NotPublished
        | FieldCode::NotRegistered
        | FieldCode::NotSupported
        | FieldCode::OtherComponent
        | FieldCode::OutsideFolder
        | FieldCode::Over
        | FieldCode::Past
        | FieldCode::PatternMismatch
        | FieldCode::PatternUndecided
        | FieldCode::Repeated
        | FieldCode::Reserved
        | FieldCode::StoryTypeNotAllowed
        | FieldCode::Taken
        | FieldCode::TimeNotAllowed
        | FieldCode::TimedOut
        | FieldCode::TooDeep
        | FieldCode::TooEarly
        | FieldCode::TooFew
        | FieldCode::TooLarge
        | FieldCode::TooMany
        | FieldCode::TooManyRoles
        | FieldCode::TooPrecise
        | FieldCode::TooSmall
        | FieldCode::Unavailable
        | FieldCode::Unknown
        | FieldCode::UnknownClient
        | FieldCode::UnknownComponent
        | FieldCode::UnknownCondition
        | FieldCode::UnknownOption
        | FieldCode::UnknownRole
        | FieldCode::UnknownRoleGroup
        | FieldCode::UnknownStory => {
            ["This is not right. Check what you have entered.", "Das stimmt nicht. Prüfen Sie Ihre Eingabe."]
        }
    }
}

/// Whether a field holds an address.
fn is_address(field: &str) -> bool {
    matches!(field, "email" | "newEmail")
}

/// What to do about a field that is empty.
fn missing(field: &str) -> [&'static str; 2] {
    match field {
        "email" => {
            ["Enter your e-mail address, like name@example.org.", "Geben Sie Ihre E-Mail-Adresse ein, etwa name@example.org."]
        }
        "newEmail" => ["Enter the new address, like name@example.org.", "Geben Sie die neue Adresse ein, etwa name@example.org."],
        "password" => ["Enter your password.", "Geben Sie Ihr Passwort ein."],
        "currentPassword" => ["Enter your current password.", "Geben Sie Ihr bisheriges Passwort ein."],
        "newPassword" => ["Choose a new password.", "Wählen Sie ein neues Passwort."],
        "firstName" => ["Enter your first name.", "Geben Sie Ihren Vornamen ein."],
        "code" | "currentCode" => ["Enter the code.", "Geben Sie den Code ein."],
        "user_code" => ["Enter the code that the device shows.", "Geben Sie den Code ein, den das Gerät anzeigt."],
        "backupCode" => ["Enter one of your backup codes.", "Geben Sie einen Ihrer Ersatzcodes ein."],
        "name" => ["Enter a name.", "Geben Sie einen Namen ein."],
        _ => ["Fill this in.", "Füllen Sie das aus."],
    }
}

#[cfg(test)]
mod tests {
    use super::field_sentence;
    use domain::shared::{Detail, FieldCode, Language};

    #[test]
    fn a_field_is_told_what_to_write() {
        let sentence = |field: &str, code| field_sentence(Language::English, &Detail::new(field, code, ""));
        assert_eq!(sentence("email", FieldCode::Invalid), "Write it like name@example.org.");
        assert_eq!(sentence("newEmail", FieldCode::Invalid), "Write it like name@example.org.");
        assert_eq!(sentence("firstName", FieldCode::Blank), "Enter your first name.");
        assert_eq!(sentence("currentPassword", FieldCode::Wrong), "This password is wrong. Type it again.");
        assert_eq!(sentence("user", FieldCode::Blank), "Fill this in.");
    }
}
