//! What people are told of errors: a sentence for each code and each field, in every language. Pages and the
//! answers of APIs have the same ones.

mod fields;

pub(crate) use fields::field_sentence;

use crate::{Text, text::Words};
use domain::shared::{Code, Detail, Fault, FieldCode, Kind, Language};
use std::time::Duration;

/// The sentence of a fault; for a code that only programs read, that of its class.
pub fn sentence(language: Language, fault: &Fault) -> String {
    match fault.retry_after {
        Some(after) if fault.code == Code::RateLimited => too_many(language, after),
        _ => choose(language, of_code(fault.code).unwrap_or_else(|| of_kind(fault.kind()))).to_owned(),
    }
}

/// The sentence of a fault in the answer of an API. In English it is that of the fault itself, where it has
/// one: it may name values.
pub fn message(language: Language, fault: &Fault) -> String {
    let details = || fault.details.iter().map(|detail| field_sentence(language, detail));
    match language {
        Language::English if !fault.message.is_empty() => fault.message.as_ref().to_owned(),
        Language::German if fault.code == Code::WeakPassword => {
            [sentence(language, fault)].into_iter().chain(details()).collect::<Vec<_>>().join(" ")
        }
        _ => sentence(language, fault),
    }
}

/// What is wrong with a field, in the answer of an API. In English it is what stands in the detail.
pub fn field_message(language: Language, detail: &Detail) -> String {
    match (language, detail.code) {
        (Language::English, _) | (_, FieldCode::AttemptsLeft | FieldCode::Client) => detail.message.clone(),
        _ => field_sentence(language, detail),
    }
}

pub(crate) fn choose(language: Language, [english, german]: [&'static str; 2]) -> &'static str {
    match language {
        Language::English => english,
        Language::German => german,
    }
}

/// Makes the table: codes, and then the English and the German sentence. A code that is missing does not
/// compile.
macro_rules! sentences {
    (people { $($($code:ident)|+: $english:literal, $german:literal;)* } programs { $($program:ident),+ }) => {
        /// The English and the German sentence of a code that people read.
        fn of_code(code: Code) -> Option<[&'static str; 2]> {
            match code {
                $($(Code::$code)|+ => Some([$english, $german]),)*
                $(Code::$program)|+ => None,
            }
        }
    };
}

sentences! { people {
    DiskFull:
        "The disk of this server is full: nothing can be saved until its operators make room.",
        "Die Platte dieses Servers ist voll: Es lässt sich nichts speichern, bis sein Betreiber Platz schafft.";
    RateLimited: "Too many attempts. Try again later.", "Zu viele Versuche. Versuchen Sie es später noch einmal.";
    AccountChanged:
        "Your account has just been changed. Try again.",
        "Ihr Konto wurde gerade eben geändert. Versuchen Sie es noch einmal.";
    InviteeSuspended:
        "This account is suspended. End the suspension first.",
        "Dieses Konto ist gesperrt. Heben Sie zuerst die Sperre auf.";
    AccountSuspended:
        "This account is suspended. Ask an administrator.",
        "Dieses Konto ist gesperrt. Wenden Sie sich an die Verwaltung.";
    AdministratorsOnly:
        "This part is for administrators only. Ask one of them if you need access.",
        "Dieser Teil ist der Verwaltung vorbehalten. Fragen Sie dort, wenn Sie Zugang brauchen.";
    AlreadyUsed | PasswordAlreadySet:
        "This invitation was accepted before. Sign in instead.",
        "Diese Einladung wurde schon angenommen. Melden Sie sich an.";
    CannotDeleteSelf:
        "You cannot delete your own account here. The page of your account can.",
        "Ihr eigenes Konto können Sie hier nicht löschen. Das geht auf der Seite Ihres Kontos.";
    CannotRemoveOwnAdmin:
        "You cannot take away your own right to administer. Another administrator can.",
        "Sie können sich das Recht zu verwalten nicht selbst nehmen. Jemand anderes aus der Verwaltung kann das.";
    CannotSuspendSelf:
        "You cannot suspend your own account. Another administrator can.",
        "Ihr eigenes Konto können Sie nicht sperren. Jemand anderes aus der Verwaltung kann das.";
    ChallengeExpired | RegistrationExpired:
        "That took too long. Please try again.",
        "Das hat zu lange gedauert. Bitte versuchen Sie es noch einmal.";
    ContentErased: "What was to be sent is not kept any more.", "Was zu senden war, ist nicht mehr gespeichert.";
    CredentialExists: "This passkey is registered already.", "Dieser Passkey ist schon registriert.";
    CsrfInvalid:
        "The CSRF token is missing or not valid for this session. Load the page again.",
        "Das CSRF-Token fehlt oder gilt für diese Sitzung nicht. Laden Sie die Seite neu.";
    CurrentCodeRequired:
        "There is an authenticator app already. Enter a code of it, or prove yourself with a passkey, or with the password and a backup code.",
        "Es gibt schon eine Authentifizierungs-App. Geben Sie einen Code von ihr ein, oder weisen Sie sich mit einem Passkey aus, oder mit dem Passwort und einem Ersatzcode.";
    CurrentPasswordRequired: "Enter your current password.", "Geben Sie Ihr bisheriges Passwort ein.";
    DuplicateRole: "A role is named twice.", "Eine Rolle ist zweimal genannt.";
    EmailNotVerified:
        "Confirm your e-mail address first: open the link that we have sent to it.",
        "Bestätigen Sie zuerst Ihre E-Mail-Adresse: Öffnen Sie den Link, den wir dorthin geschickt haben.";
    EmailTaken:
        "There is an account with this e-mail address already. Sign in with it, or use another address.",
        "Mit dieser E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich damit an, oder nehmen Sie eine andere Adresse.";
    GraceOver:
        "This space was deleted more than 30 days ago, and is being removed.",
        "Dieser Space wurde vor mehr als 30 Tagen gelöscht und wird gerade entfernt.";
    InteractionNotFound:
        "This sign-in is finished or took too long. Start again in the application that you came from.",
        "Diese Anmeldung ist schon abgeschlossen oder hat zu lange gedauert. Fangen Sie in der Anwendung, aus der Sie kommen, noch einmal an.";
    InteractionOfOtherBrowser:
        "This sign-in was started in another browser. Start again in the application that you came from.",
        "Diese Anmeldung wurde in einem anderen Browser begonnen. Fangen Sie in der Anwendung, aus der Sie kommen, noch einmal an.";
    InvalidAssertion | InvalidCredential:
        "This passkey was not accepted. Try another one, or another way.",
        "Dieser Passkey wurde nicht akzeptiert. Nehmen Sie einen anderen, oder versuchen Sie es auf einem anderen Weg.";
    InvalidAttestation:
        "The browser's answer was not accepted. Try again.",
        "Die Antwort des Browsers wurde nicht angenommen. Versuchen Sie es noch einmal.";
    InvalidCode | InvalidLoginCode:
        "The code is wrong or has been used before. Enter another one.",
        "Der Code ist falsch oder wurde schon benutzt. Geben Sie einen anderen ein.";
    InvalidCredentials: "The e-mail address or the password is wrong.", "Die E-Mail-Adresse oder das Passwort ist falsch.";
    InvalidPassword: "The password is wrong. Type it again.", "Das Passwort ist falsch. Geben Sie es noch einmal ein.";
    InvalidUserCode:
        "This code is wrong or too old. Check it, or start again on the device.",
        "Dieser Code ist falsch oder zu alt. Prüfen Sie ihn, oder fangen Sie am Gerät noch einmal an.";
    InvitationAccepted:
        "This person signs in already. Make a link for a new password instead.",
        "Diese Person meldet sich schon an. Erstellen Sie stattdessen einen Link für ein neues Passwort.";
    LastAdmin:
        "You are the only administrator. Make somebody else an administrator first.",
        "Außer Ihnen hat niemand die Rechte zum Verwalten. Geben Sie sie zuerst jemand anderem.";
    LastFactor:
        "This is the only way to sign in to your account. Set a password or add another passkey first.",
        "Anders kommen Sie nicht in Ihr Konto. Legen Sie zuerst ein Passwort fest, oder fügen Sie einen anderen Passkey hinzu.";
    LoginRoleRequired:
        "This application is for people with a role that your account does not have. Ask an administrator.",
        "Diese Anwendung ist für Personen mit einer Rolle, die Ihr Konto nicht hat. Wenden Sie sich an die Verwaltung.";
    MailErased:
        "The content of this mail is not kept any more, or cannot be read.",
        "Der Inhalt dieser Mail ist nicht mehr gespeichert oder nicht mehr zu lesen.";
    MailExpired:
        "The link or the code in this mail does not work any more. The person has to ask for a new one.",
        "Der Link oder der Code in dieser Mail gilt nicht mehr. Die Person muss einen neuen anfordern.";
    MailNotDead: "This mail was sent, or is still tried.", "Diese Mail ist gesendet oder wird noch versucht.";
    NextKeyTooNew:
        "Not every application knows the next keys yet. The page of the keys says from when on they can take over.",
        "Noch kennt nicht jede Anwendung die nächsten Schlüssel. Die Seite der Schlüssel sagt, ab wann sie übernehmen können.";
    NoClientSecret:
        "This application authenticates with a key of its own and has no secret.",
        "Diese Anwendung weist sich mit einem eigenen Schlüssel aus und hat kein Geheimnis.";
    NoPasskeys:
        "You added your passkeys after this sign-in. Sign out, and sign in again with one of them.",
        "Sie haben Ihre Passkeys erst nach dieser Anmeldung hinzugefügt. Melden Sie sich ab und mit einem davon wieder an.";
    NoPassword: "This account has no password.", "Dieses Konto hat kein Passwort.";
    NoPendingTotp:
        "That took too long. Start again with the new QR code.",
        "Das hat zu lange gedauert. Fangen Sie mit dem neuen QR-Code noch einmal an.";
    NotDead: "This is done, or is still tried.", "Das ist erledigt oder wird noch versucht.";
    NotEditable: "This cannot be changed here.", "Das lässt sich hier nicht ändern.";
    OwnerSuspended:
        "This person is suspended and cannot sign in. Choose somebody else, or end the suspension first.",
        "Diese Person ist gesperrt und kann sich nicht anmelden. Wählen Sie jemand anderes, oder heben Sie zuerst die Sperre auf.";
    PasskeyRequired:
        "Add a passkey first, or you could no longer sign in.",
        "Fügen Sie zuerst einen Passkey hinzu, sonst könnten Sie sich nicht mehr anmelden.";
    PasswordRequired: "Enter your password.", "Geben Sie Ihr Passwort ein.";
    PasswordReused:
        "You have used this password before. Choose another one.",
        "Dieses Passwort hatten Sie schon einmal. Wählen Sie ein anderes.";
    ProofRequired:
        "This needs a recent proof that it is you. Prove it, and then do this again.",
        "Dafür müssen Sie noch einmal bestätigen, dass Sie es sind. Danach versuchen Sie es wieder.";
    PublicClient: "This application is public and has no secret.", "Diese Anwendung ist öffentlich und hat kein Geheimnis.";
    ReauthenticationRequired:
        "You signed in too long ago to administer. Sign in again.",
        "Ihre Anmeldung ist zu lange her, um zu verwalten. Melden Sie sich neu an.";
    RegistrationDisabled:
        "Nobody can register here at the moment. Ask an administrator for an account.",
        "Registrieren kann man sich hier zurzeit nicht. Bitten Sie die Verwaltung um ein Konto.";
    SameRoleGroup: "Choose two different groups.", "Wählen Sie zwei verschiedene Gruppen.";
    SmtpNotConfigured: "No mail server is configured (APP_SMTP_HOST).", "Es ist kein Mailserver eingerichtet (APP_SMTP_HOST).";
    SmtpSendFailed:
        "The mail server did not accept the mail. Its own words stand beside this.",
        "Der Mailserver hat die Mail nicht angenommen. Seine eigenen Worte stehen dabei.";
    SpaceDeleted: "The space is deleted. Bring it back first.", "Der Space ist gelöscht. Stellen Sie ihn zuerst wieder her.";
    SpaceHasOwner: "The space has an owner by now.", "Der Space hat inzwischen einen Eigentümer.";
    StaleInvitation:
        "This invitation is no longer valid. Ask for another one.",
        "Diese Einladung gilt nicht mehr. Bitten Sie um eine neue.";
    StaleLink: "This link is no longer valid. Ask for a new one.", "Dieser Link gilt nicht mehr. Fordern Sie einen neuen an.";
    TooManyPasskeys:
        "You have as many passkeys as are possible. Remove one first.",
        "Mehr Passkeys sind nicht möglich. Entfernen Sie zuerst einen.";
    TooManyRoles: "A person has one role of this group at most.", "In dieser Gruppe hat eine Person höchstens eine Rolle.";
    TooManyUsers:
        "One request takes 500 accounts at most. Divide them.",
        "So viele Konten nimmt eine Anfrage nicht. Teilen Sie sie auf.";
    TotpNotEnabled: "This account has no authenticator app.", "Dieses Konto hat keine Authentifizierungs-App.";
    Unauthorized: "Sign in first.", "Melden Sie sich an.";
    UnknownField:
        "There is no such field here. Check how its name is written.",
        "Diese Angabe gibt es hier nicht. Prüfen Sie, wie sie heißt.";
    UnknownPerson:
        "Nobody here has this address. Check how it is written.",
        "Hier hat niemand diese Adresse. Prüfen Sie die Schreibweise.";
    UnknownRole: "No application of the group has this role any more.", "Keine Anwendung der Gruppe hat diese Rolle noch.";
    UnknownRoleGroup: "No application has this group.", "Keine Anwendung hat diese Gruppe.";
    UnsupportedLocale: "This language is not offered here.", "Diese Sprache gibt es hier nicht.";
    UnsupportedMediaType:
        "Send the body with the content type that is expected here.",
        "Schicken Sie die Angaben mit dem Content-Type, der hier erwartet wird.";
    WeakPassword: "This password will not do.", "Dieses Passwort geht nicht.";
} programs {
    BadEncoding, BadForm, BadHost, BadJson, BodyBroken, BodyTimeout, BrokenImage, Forbidden, HeadTooLarge,
        ImageTooExpensive, ImageTooLarge, ImportRunning, Internal, InvalidRecord, InvalidTransformation, MalformedRequest,
        MethodNotAllowed, NotAnImage, NotFound, NotRedeliverable, NotResumable, ParamMissing, QueryTooExpensive, Stale,
        RepeatedParameter, ResponseTooLarge, TooLarge, Unavailable, UnknownParameter, UnknownTransformation, UnsupportedEncoding,
        UploadExpired, Validation, WebhookPaused, AccessDenied, AccountSelectionRequired, AuthorizationPending, ConsentRequired,
        DpopNonceRequired, ExpiredToken, InsufficientScope, InteractionRequired, InvalidClient, InvalidDpopProof, InvalidGrant,
        InvalidRedirectUri, InvalidRequest, InvalidRequestUri, InvalidScope, InvalidTarget, InvalidToken, LoginRequired,
        RefusedDpopProof, RegistrationNotSupported, RequestNotSupported, RequestUriNotSupported, SlowDown, UnauthorizedClient,
        UnknownClient, UnmetAuthenticationRequirements, UnsupportedGrantType, UnsupportedResponseMode, UnsupportedResponseType,
        UseDpopNonce
} }

fn too_many(language: Language, after: Duration) -> String {
    let seconds = after.as_secs().max(1);
    let minutes = seconds.div_ceil(60);
    match (language, seconds) {
        (Language::English, ..=90) => format!("Too many attempts. Try again in {seconds} seconds."),
        (Language::English, _) => format!("Too many attempts. Try again in {minutes} minutes."),
        (Language::German, ..=90) => format!("Zu viele Versuche. Versuchen Sie es in {seconds} Sekunden noch einmal."),
        (Language::German, _) => format!("Zu viele Versuche. Versuchen Sie es in {minutes} Minuten noch einmal."),
    }
}

/// The sentence of a class.
fn of_kind(kind: Kind) -> [&'static str; 2] {
    let both = |text: Text| [Language::English, Language::German].map(|language| text.in_language(language));
    match kind {
        Kind::Unavailable => both(Text::BusyLead),
        Kind::Internal => both(Text::ServerFaultLead),
        Kind::NotFound => ["This does not exist, or no longer.", "Das gibt es nicht, oder nicht mehr."],
        Kind::Unauthorized => ["Sign in first.", "Melden Sie sich an."],
        Kind::Forbidden => ["You are not allowed to do this.", "Das dürfen Sie nicht."],
        Kind::MethodNotAllowed => ["That is not possible here.", "Das geht hier nicht."],
        Kind::PreconditionFailed => [
            "This was changed meanwhile. Look at what it is now, and try again.",
            "Das wurde inzwischen geändert. Sehen Sie nach, wie es jetzt ist, und versuchen Sie es noch einmal.",
        ],
        Kind::Conflict => [
            "Something has changed in the meantime. Open the page again.",
            "Inzwischen hat sich etwas geändert. Öffnen Sie die Seite noch einmal.",
        ],
        Kind::TooMany => ["Too many attempts. Try again later.", "Zu viele Versuche. Versuchen Sie es später noch einmal."],
        Kind::TooLarge => ["That is too large.", "Das ist zu groß."],
        Kind::Timeout => ["That took too long. Try again.", "Das hat zu lange gedauert. Versuchen Sie es noch einmal."],
        Kind::BadRequest | Kind::HeadTooLarge | Kind::Invalid | Kind::UnsupportedMedia => [
            "Something that you entered is not right. Please check it.",
            "Etwas an Ihren Angaben stimmt nicht. Bitte prüfen Sie sie.",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::{field_message, message, of_code, sentence};
    use domain::shared::{Code, Detail, Fault, FieldCode, Language, Reader};
    use std::time::Duration;

    #[test]
    fn every_code_that_people_read_has_its_sentences() {
        for code in Code::ALL {
            assert_eq!(of_code(*code).is_some(), code.reader() == Reader::Person, "{code}");
        }
    }

    #[test]
    fn waiting_is_told_in_seconds_or_minutes() {
        let text = |seconds| sentence(Language::English, &Fault::too_many(Duration::from_secs(seconds)));
        assert_eq!(text(30), "Too many attempts. Try again in 30 seconds.");
        assert_eq!(text(601), "Too many attempts. Try again in 11 minutes.");
    }

    #[test]
    fn apis_name_values_in_english_and_the_fields_of_a_password_in_german() {
        let short = Detail::new("password", FieldCode::TooShort, "must have at least 12 characters").bounded(12);
        let weak = Fault::fields(Code::WeakPassword, vec![short.clone(), Detail::new("password", FieldCode::Common, "is common")]);
        assert_eq!(message(Language::English, &weak), "password must have at least 12 characters; password is common");
        let german = "Dieses Passwort geht nicht. Nehmen Sie mindestens 12 Zeichen. \
                      Dieses Passwort benutzen viele. Wählen Sie eines, das niemand errät.";
        assert_eq!(message(Language::German, &weak), german);
        assert_eq!(message(Language::English, &Fault::of(Code::NoPassword)), "This account has no password.");
        assert_eq!(field_message(Language::English, &short), "must have at least 12 characters");
        assert_eq!(field_message(Language::German, &short), "Nehmen Sie mindestens 12 Zeichen.");
        let left = Detail::new("code", FieldCode::AttemptsLeft, "4");
        assert_eq!(field_message(Language::German, &left), "4");
    }
}
