//! Every text of the pages, in each language. A text that is missing in one of them does not compile.

use domain::shared::Language;

/// A text in every language.
pub trait Words: Copy {
    /// The text in a language.
    fn in_language(self, language: Language) -> &'static str;

    /// The text with values in its places, which are written in braces.
    fn fill(self, language: Language, values: &[(&str, &str)]) -> String {
        // One pass, so that braces in a value stay what they are.
        let (mut filled, mut rest) = (String::new(), self.in_language(language));
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            filled.push_str(before);
            filled.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
            rest = after;
        }
        filled + rest
    }
}

/// Makes an enum of texts: its name, and then each text with its English and its German form.
macro_rules! texts {
    ($enum:ident; $($name:ident: $english:literal, $german:literal;)*) => {
        /// Texts of pages. Words in braces are places that [`Words::fill`](crate::text::Words::fill) fills.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(clippy::doc_markdown, reason = "each is documented by itself, which is no Markdown")]
        pub enum $enum {
            $(#[doc = $english] $name,)*
        }

        impl $enum {
            /// Every text.
            pub const ALL: &[Self] = &[$(Self::$name,)*];
        }

        impl $crate::text::Words for $enum {
            fn in_language(self, language: domain::shared::Language) -> &'static str {
                match (self, language) {
                    $((Self::$name, domain::shared::Language::English) => $english, (Self::$name, domain::shared::Language::German) => $german,)*
                }
            }
        }
    };
}
pub(crate) use texts;

texts! {
    Text;

    // Frame
    SkipToContent: "Skip to the content", "Zum Inhalt springen";
    LanguageOfPage: "Language", "Sprache";
    ProblemsTitle: "Please check what you have entered", "Bitte prüfen Sie Ihre Angaben";
    ErrorInTitle: "Error: {title}", "Fehler: {title}";
    Optional: "optional", "freiwillig";
    ShowPassword: "Show", "Zeigen";
    HidePassword: "Hide", "Verbergen";
    Email: "E-mail address", "E-Mail-Adresse";
    Password: "Password", "Passwort";
    NewPassword: "New password", "Neues Passwort";
    Code: "Code", "Code";
    Cancel: "Cancel", "Abbrechen";
    Save: "Save", "Speichern";
    Continue: "Continue", "Weiter";
    BackToSignIn: "Back to sign-in", "Zurück zur Anmeldung";

    // Signing in
    SignIn: "Sign in", "Anmelden";
    SignInTo: "Sign in to {site}", "Bei {site} anmelden";
    StaySignedIn: "Stay signed in on this device", "Auf diesem Gerät angemeldet bleiben";
    ForgotPassword: "Forgot password?", "Passwort vergessen?";
    NoAccountYet: "No account yet?", "Noch kein Konto?";
    CreateAccount: "Create an account", "Konto anlegen";
    Or: "or", "oder";
    SignInWithPasskey: "Sign in with a passkey", "Mit Passkey anmelden";
    PasskeyCancelled: "The passkey was not used. Try again, or sign in another way.", "Der Passkey wurde nicht benutzt. Versuchen Sie es noch einmal oder melden Sie sich anders an.";
    NoticeVerified: "Your e-mail address is confirmed. You can sign in now.", "Ihre E-Mail-Adresse ist bestätigt. Sie können sich jetzt anmelden.";
    NoticeLinkExpired: "This link is not valid any more.", "Dieser Link gilt nicht mehr.";
    NoticeReset: "Your new password is set. Sign in with it.", "Ihr neues Passwort ist festgelegt. Melden Sie sich damit an.";
    NoticeRegistered: "Your account is ready. Sign in.", "Ihr Konto ist eingerichtet. Melden Sie sich an.";
    NoticeAddressChanged: "Your e-mail address is changed. Sign in with the new one.", "Ihre E-Mail-Adresse ist geändert. Melden Sie sich mit der neuen an.";
    NoticeDeleted: "Your account is deleted.", "Ihr Konto ist gelöscht.";
    NoticeSignInFirst: "Please sign in to continue.", "Bitte melden Sie sich an, um fortzufahren.";
    NoticeSignInAgain: "That took too long. Please sign in again.", "Das hat zu lange gedauert. Bitte melden Sie sich noch einmal an.";
    NoticeAdminister: "You signed in a while ago. Sign in again to administer.", "Ihre Anmeldung liegt schon länger zurück. Melden Sie sich noch einmal an, um zu verwalten.";
    AskForNewLink: "Ask for a new link", "Neuen Link anfordern";

    // Interactions with other applications
    ContinueTo: "to continue to {client}", "um bei {client} fortzufahren";
    CancelSignIn: "Cancel and go back to {client}", "Abbrechen und zurück zu {client}";
    ConsentTitle: "{client} wants access to your account", "{client} möchte Zugriff auf Ihr Konto";
    ConsentLead: "You are signed in as {email}. {client} would get:", "Sie sind als {email} angemeldet. {client} erhielte:";
    ConsentEachTime: "{client} is an app on this device. Any program here could call itself that, so you are asked each time. Allow it only if you have just started it yourself.", "{client} ist eine App auf diesem Gerät. Jedes Programm hier könnte sich so nennen, deshalb werden Sie jedes Mal gefragt. Erlauben Sie es nur, wenn Sie die App gerade selbst gestartet haben.";
    ConsentRemember: "For 90 days, let the app renew the sign-in in this browser without showing this page", "90 Tage lang darf die App die Anmeldung in diesem Browser erneuern, ohne diese Seite zu zeigen";
    ConsentLater: "You can withdraw this at any time, on the page of your account.", "Sie können das jederzeit widerrufen, auf der Seite Ihres Kontos.";
    Allow: "Allow", "Erlauben";
    Deny: "Deny", "Ablehnen";
    PrivacyPolicy: "Privacy policy of {client}", "Datenschutzerklärung von {client}";
    TermsOfService: "Terms of service of {client}", "Nutzungsbedingungen von {client}";
    ScopeOpenid: "a number that stands for you", "eine Nummer, die für Sie steht";
    ScopeProfile: "your name and your language", "Ihren Namen und Ihre Sprache";
    ScopeEmail: "your e-mail address", "Ihre E-Mail-Adresse";
    ScopeRoles: "your roles there", "Ihre Rollen dort";
    ScopeOffline: "access while you are away", "Zugriff, während Sie nicht da sind";
    ScopeOther: "the right “{scope}”", "das Recht „{scope}“";
    ChooseAccount: "Choose an account", "Konto wählen";
    ChooseAccountLead: "to continue to {client}", "um bei {client} fortzufahren";
    ContinueAs: "Continue as {email}", "Weiter als {email}";
    AnotherAccount: "Use another account", "Anderes Konto benutzen";
    RoleMissingTitle: "You have no access to {client}", "Sie haben keinen Zugang zu {client}";
    RoleMissingLead: "Your account {email} has none of the roles that {client} demands. Ask an administrator for one.", "Ihr Konto {email} hat keine der Rollen, die {client} verlangt. Bitten Sie die Verwaltung um eine.";
    BackTo: "Back to {client}", "Zurück zu {client}";

    // Devices
    DeviceTitle: "Connect a device", "Gerät verbinden";
    DeviceLead: "Enter the code that your device shows.", "Geben Sie den Code ein, den Ihr Gerät zeigt.";
    DeviceFilledLead: "Continue only if a device that you are using shows this code.", "Fahren Sie nur fort, wenn ein Gerät, das Sie gerade benutzen, diesen Code zeigt.";
    DeviceCode: "Code on the device", "Code auf dem Gerät";
    DeviceCheck: "Allow this only if a device that you are using shows this code. If somebody has sent it to you, deny it.", "Erlauben Sie das nur, wenn ein Gerät, das Sie gerade benutzen, diesen Code zeigt. Hat ihn Ihnen jemand geschickt, lehnen Sie ab.";
    DeviceAllowedTitle: "The device is connected", "Das Gerät ist verbunden";
    DeviceAllowedLead: "Go on at the device. You can close this page.", "Fahren Sie am Gerät fort. Sie können diese Seite schließen.";
    DeviceDeniedTitle: "The device gets no access", "Das Gerät erhält keinen Zugriff";
    DeviceDeniedLead: "You have denied it. You can close this page.", "Sie haben es abgelehnt. Sie können diese Seite schließen.";
    ToApps: "Your applications", "Ihre Anwendungen";

    // Second factor
    SecondStep: "One more step", "Noch ein Schritt";
    AppCodeLead: "Enter the code that your authenticator app shows.", "Geben Sie den Code ein, den Ihre Authentifizierungs-App zeigt.";
    AppCodeLabel: "Code from the app", "Code aus der App";
    BackupCodeLead: "Enter one of the backup codes that you stored. Each works once.", "Geben Sie einen der Ersatzcodes ein, die Sie aufbewahrt haben. Jeder gilt einmal.";
    BackupCodeLabel: "Backup code", "Ersatzcode";
    MailedCodeLead: "We have sent a code to {address}. It works for 10 minutes.", "Wir haben einen Code an {address} geschickt. Er gilt 10 Minuten.";
    MailedCodeLabel: "Code from the e-mail", "Code aus der E-Mail";
    UseBackupCode: "Use a backup code", "Ersatzcode benutzen";
    UseApp: "Use the authenticator app", "Authentifizierungs-App benutzen";
    SendAnotherCode: "Send another code", "Neuen Code schicken";
    AnotherCodeSent: "Another code is on its way.", "Ein neuer Code ist unterwegs.";
    WrongCode: "The code is wrong, or was used before. Attempts left: {left}.", "Der Code ist falsch oder wurde schon benutzt. Verbleibende Versuche: {left}.";

    // Registration
    FirstName: "First name", "Vorname";
    LastName: "Last name", "Nachname";
    HaveAccount: "Have an account already?", "Schon ein Konto?";
    FirstAccountNote: "This is the first account of this server. It becomes the administrator.", "Dies ist das erste Konto auf diesem Server. Es erhält die Verwaltungsrechte.";
    RuleLength: "at least {count} characters", "mindestens {count} Zeichen";
    RuleUppercase: "an upper case letter", "ein Großbuchstabe";
    RuleLowercase: "a lower case letter", "ein Kleinbuchstabe";
    RuleDigit: "a digit", "eine Ziffer";
    RuleSymbol: "a symbol", "ein Sonderzeichen";
    PasswordRules: "The password needs", "Das Passwort braucht";

    // Links that are mailed
    CheckMail: "Check your e-mail", "Sehen Sie in Ihre E-Mails";
    VerificationSent: "We have sent you a link. Follow it to confirm your address, then sign in. It works for 24 hours.", "Wir haben Ihnen einen Link geschickt. Folgen Sie ihm, um Ihre Adresse zu bestätigen, und melden Sie sich dann an. Er gilt 24 Stunden.";
    NoMailArrived: "Nothing arrived? Look into the spam folder, or ask for another link.", "Nichts angekommen? Sehen Sie in den Spam-Ordner, oder fordern Sie einen neuen Link an.";
    VerifyTitle: "Confirm your e-mail address", "E-Mail-Adresse bestätigen";
    VerifyLead: "Enter your address, and we send you a link that confirms it.", "Geben Sie Ihre Adresse ein, und wir schicken Ihnen einen Link, der sie bestätigt.";
    SendLink: "Send the link", "Link schicken";
    ForgotTitle: "Forgot your password?", "Passwort vergessen?";
    ForgotLead: "Enter your address, and we send you a link to set a new password.", "Geben Sie Ihre Adresse ein, und wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort festlegen.";
    ForgotSent: "If there is an account with this address, a link is on its way to it. It works once, within 60 minutes.", "Wenn es zu dieser Adresse ein Konto gibt, ist ein Link dorthin unterwegs. Er gilt einmal, innerhalb von 60 Minuten.";
    MailIsOff: "This server sends no e-mail. Ask an administrator for help with your account.", "Dieser Server verschickt keine E-Mails. Wenden Sie sich an die Verwaltung, wenn Sie Hilfe mit Ihrem Konto brauchen.";
    ResetTitle: "Set a new password", "Neues Passwort festlegen";
    ResetLead: "You will be signed out everywhere, and sign in with the new password.", "Sie werden überall abgemeldet und melden sich mit dem neuen Passwort an.";
    VerifyClickLead: "Press the button to confirm that {email} is your address. After that you can sign in.", "Bestätigen Sie mit einem Klick, dass {email} Ihre Adresse ist. Danach können Sie sich anmelden.";
    VerifyPasswordLead: "Enter your password to confirm {email}. We ask for it because you did not register in this browser.", "Geben Sie Ihr Passwort ein, um {email} zu bestätigen. Wir fragen danach, weil Sie sich nicht in diesem Browser registriert haben.";
    VerifyNotYou: "You have not registered here? Then just close this page, and nothing happens.", "Sie haben sich hier gar nicht registriert? Dann schließen Sie diese Seite einfach, und es passiert nichts.";
    SetPassword: "Set the password", "Passwort festlegen";
    LinkExpiredTitle: "This link is not valid any more", "Dieser Link gilt nicht mehr";
    LinkExpiredLead: "It was used before, or its time is over.", "Er wurde schon benutzt, oder seine Zeit ist abgelaufen.";
    InviteExpiredLead: "It was accepted before, or its time is over. Ask an administrator for another invitation, or sign in.", "Sie wurde schon angenommen, oder ihre Zeit ist abgelaufen. Bitten Sie die Verwaltung um eine neue Einladung, oder melden Sie sich an.";
    InviteTitle: "Welcome, {name}", "Willkommen, {name}";
    InviteLead: "An account has been made for {email}. Choose a password, and it is yours.", "Für {email} wurde ein Konto angelegt. Wählen Sie ein Passwort, und es gehört Ihnen.";
    AcceptInvite: "Accept the invitation", "Einladung annehmen";
    ConfirmEmailTitle: "Confirm your new address", "Neue Adresse bestätigen";
    ConfirmEmailLead: "Your account then has the address that you received this link at. You will be signed out on other devices.", "Ihr Konto hat dann die Adresse, an die Sie diesen Link bekommen haben. Auf anderen Geräten werden Sie abgemeldet.";
    ConfirmAddress: "Confirm the address", "Adresse bestätigen";

    // Signing out
    SignOut: "Sign out", "Abmelden";
    SignOutQuestion: "Sign out?", "Abmelden?";
    SignOutLead: "You end your session in this browser.", "Sie beenden Ihre Sitzung in diesem Browser.";
    SignedOutTitle: "You are signed out", "Sie sind abgemeldet";
    SignedOutLead: "Close the browser if others use this computer.", "Schließen Sie den Browser, wenn andere diesen Computer benutzen.";
    SignInAgain: "Sign in again", "Wieder anmelden";
    StaySignedInButton: "Stay signed in", "Angemeldet bleiben";

    // Errors
    NotFoundTitle: "Page not found", "Seite nicht gefunden";
    NotFoundLead: "There is nothing at this address. It may have been mistyped or moved.", "Unter dieser Adresse gibt es nichts. Vielleicht ist sie vertippt oder umgezogen.";
    ForbiddenTitle: "Not allowed", "Nicht erlaubt";
    FormExpiredTitle: "This form has expired", "Dieses Formular ist abgelaufen";
    FormExpiredLead: "You have signed in or out since it was opened, or the browser keeps no cookies. Open the page again.", "Seit es geöffnet wurde, haben Sie sich an- oder abgemeldet, oder der Browser behält keine Cookies. Öffnen Sie die Seite noch einmal.";
    WrongRequestTitle: "That did not work", "Das hat nicht geklappt";
    ServerFaultTitle: "Something went wrong on our side", "Bei uns ist etwas schiefgegangen";
    ServerFaultLead: "It was not your fault. Try again in a moment.", "Es lag nicht an Ihnen. Versuchen Sie es gleich noch einmal.";
    BusyTitle: "Too much is going on at the moment", "Im Moment ist zu viel los";
    BusyLead: "The server is busy. Try again in a moment.", "Der Server ist ausgelastet. Versuchen Sie es gleich noch einmal.";
    TooManyTitle: "Too many attempts", "Zu viele Versuche";
    UnknownAppTitle: "This application is not known here", "Diese Anwendung ist hier nicht bekannt";
    UnknownAppLead: "The application that sent you here calls itself “{app}”, and there is none of that name at {site}. There is nothing you can do here: tell the people who run the application.", "Die Anwendung, von der Sie kommen, nennt sich „{app}“. Unter diesem Namen kennt {site} keine. Sie selbst können hier nichts tun: Geben Sie den Betreibern der Anwendung Bescheid.";
    UnknownAppRemedy: "Either the client_id in the application is misspelt, or the client is missing here: then an administrator adds one with this clientId to APP_OIDC_CLIENTS_JSON and starts the server again.", "Entweder ist die client_id in der Anwendung falsch geschrieben, oder der Client fehlt hier: Dann trägt ihn die Verwaltung mit dieser clientId in APP_OIDC_CLIENTS_JSON ein und startet den Server neu.";
    WrongAppTitle: "{app} is not set up correctly", "{app} ist nicht richtig eingerichtet";
    ReturnAddressLead: "{app} asked us to send you back to an address that is not registered for it. To keep your sign-in safe, we do not send you there. Trying again will not help: tell the people who run {app}.", "{app} will, dass wir Sie an eine Adresse zurückschicken, die dafür nicht eingetragen ist. Zu Ihrer Sicherheit tun wir das nicht. Noch einmal versuchen hilft nicht: Geben Sie den Betreibern von {app} Bescheid.";
    ReturnAddressRemedy: "Either correct the address in the application, or an administrator adds it, letter by letter as it stands below, to redirectUris of the client {client} in APP_OIDC_CLIENTS_JSON and starts the server again.", "Entweder die Adresse in der Anwendung berichtigen, oder die Verwaltung trägt sie genau so, wie sie unten steht, bei redirectUris des Clients {client} in APP_OIDC_CLIENTS_JSON ein und startet den Server neu.";
    LogoutAddressLead: "After signing out, {app} wants to send you to an address that is not registered for it. We do not send you there, and nothing has been ended yet: if you are still signed in, you can sign out here. Please tell the people who run {app}.", "{app} will Sie nach dem Abmelden an eine Adresse schicken, die dafür nicht eingetragen ist. Dorthin schicken wir Sie nicht, und beendet ist noch nichts: Wenn Sie noch angemeldet sind, können Sie sich hier abmelden. Geben Sie bitte den Betreibern von {app} Bescheid.";
    LogoutAddressRemedy: "Either correct the address in the application, or an administrator adds it, letter by letter as it stands below, to postLogoutRedirectUris of the client {client} in APP_OIDC_CLIENTS_JSON and starts the server again.", "Entweder die Adresse in der Anwendung berichtigen, oder die Verwaltung trägt sie genau so, wie sie unten steht, bei postLogoutRedirectUris des Clients {client} in APP_OIDC_CLIENTS_JSON ein und startet den Server neu.";
    AppRequestTitle: "The application made a mistake", "Die Anwendung hat einen Fehler gemacht";
    AppRequestLead: "The application that you come from sent a request that cannot be answered. Start again there; if that does not help, tell the people who run it.", "Die Anwendung, von der Sie kommen, hat eine Anfrage geschickt, auf die es keine Antwort gibt. Beginnen Sie dort von vorn. Hilft das nicht, geben Sie den Betreibern Bescheid.";
    SignOutHere: "Sign out here", "Hier abmelden";
    ForDevelopers: "For developers", "Für die Entwicklung";
    ErrorCode: "Code", "Code";
    ErrorMeaning: "Meaning", "Bedeutung";
    ClientOfRequest: "Client", "Client";
    Parameter: "Parameter", "Parameter";
    SentValue: "Sent value", "Gesendet";
    RequestId: "Request", "Anfrage";
    RequestNumber: "Request {id}", "Anfrage {id}";
    TryAgain: "Try again", "Noch einmal versuchen";
    ToStart: "To the start", "Zum Anfang";

    // Account
    Account: "Account", "Konto";
    Profile: "Profile", "Profil";
    Security: "Security", "Sicherheit";
    Sessions: "Sessions", "Sitzungen";
    Activity: "Activity", "Aktivität";
    ToConsole: "Administration", "Verwaltung";
    Data: "Your data", "Ihre Daten";
    Saved: "Saved.", "Gespeichert.";
    DisplayName: "Display name", "Anzeigename";
    DisplayNameHint: "How others see you. If it is empty, your first and last name.", "So sehen Sie andere. Ist er leer, Ihr Vor- und Nachname.";
    PreferredLanguage: "Language of e-mails and pages", "Sprache der E-Mails und Seiten";
    ChangeAddress: "Change the address", "Adresse ändern";
    CurrentAddress: "Current address", "Jetzige Adresse";
    NewAddress: "New address", "Neue Adresse";
    AddressLead: "We send a link to the new address. The change takes effect once you follow it.", "Wir schicken einen Link an die neue Adresse. Die Änderung gilt, sobald Sie ihm folgen.";
    AddressLeadWithoutMail: "The change takes effect at once. You will be signed out on other devices.", "Die Änderung gilt sofort. Auf anderen Geräten werden Sie abgemeldet.";
    AddressLinkSent: "Follow the link that we have sent to the new address.", "Folgen Sie dem Link, den wir an die neue Adresse geschickt haben.";
    AddressChanged: "Your e-mail address is changed.", "Ihre E-Mail-Adresse ist geändert.";
    ProveTitle: "Confirm that it is you", "Bestätigen Sie, dass Sie es sind";
    ProveLead: "You signed in a while ago. Before you go on, confirm once more that it is you.", "Ihre Anmeldung ist eine Weile her. Bestätigen Sie noch einmal, dass Sie es sind; dann geht es weiter.";
    ProveWithPasskey: "Use a passkey", "Passkey benutzen";
    ProveBySignIn: "Sign in again for this.", "Melden Sie sich dafür noch einmal an.";
    ConfirmWithPassword: "Your password, to confirm that it is you", "Ihr Passwort, zur Bestätigung";
    ConfirmWithPasskey: "You are asked for your passkey, to confirm that it is you.", "Sie werden nach Ihrem Passkey gefragt, zur Bestätigung.";
    PasskeyNeedsScript: "A passkey can be used only with JavaScript.", "Ein Passkey lässt sich nur mit JavaScript benutzen.";
    PasskeyNotUsed: "The passkey was not used. Try again.", "Der Passkey wurde nicht benutzt. Versuchen Sie es noch einmal.";

    // Account: security
    PasswordIsSet: "Set", "Festgelegt";
    PasswordIsNotSet: "Not set", "Nicht festgelegt";
    ChangePassword: "Change the password", "Passwort ändern";
    SetAPassword: "Set a password", "Passwort festlegen";
    RemovePassword: "Remove the password", "Passwort entfernen";
    RemovePasswordLead: "You then sign in with a passkey only. You will be signed out on other devices, and applications lose their access.", "Sie melden sich dann nur noch mit einem Passkey an. Auf anderen Geräten werden Sie abgemeldet, und Anwendungen verlieren ihren Zugriff.";
    CurrentPassword: "Current password", "Jetziges Passwort";
    SetPasswordLead: "You will be signed out on other devices.", "Auf anderen Geräten werden Sie abgemeldet.";
    ChangePasswordLead: "You will be signed out on other devices, and applications lose their access.", "Auf anderen Geräten werden Sie abgemeldet, und Anwendungen verlieren ihren Zugriff.";
    PasswordChanged: "Your password is changed.", "Ihr Passwort ist geändert.";
    PasswordRemoved: "Your password is removed.", "Ihr Passwort ist entfernt.";
    Passkeys: "Passkeys", "Passkeys";
    PasskeysLead: "Sign in with your fingerprint, your face or the code of your device, without a password.", "Melden Sie sich mit Fingerabdruck, Gesicht oder dem Code Ihres Geräts an, ohne Passwort.";
    NoPasskeys: "You have no passkey yet.", "Sie haben noch keinen Passkey.";
    PasskeyAddedOn: "Added {time}", "Hinzugefügt {time}";
    PasskeyUsedOn: "last used {time}", "zuletzt benutzt {time}";
    PasskeyNeverUsed: "never used", "nie benutzt";
    PasskeyName: "Name", "Name";
    PasskeyNameHint: "So that you recognise it later, for example the name of the device.", "Damit Sie ihn später erkennen, zum Beispiel der Name des Geräts.";
    AddPasskey: "Add a passkey", "Passkey hinzufügen";
    PasskeyKnown: "This device holds a passkey for your account already.", "Dieses Gerät hat schon einen Passkey für Ihr Konto.";
    PasskeyAdded: "The passkey is added.", "Der Passkey ist hinzugefügt.";
    PasskeyRemoved: "The passkey is removed here. Delete it on your device as well.", "Der Passkey ist hier entfernt. Löschen Sie ihn auch auf Ihrem Gerät.";
    Rename: "Rename", "Umbenennen";
    Remove: "Remove", "Entfernen";
    RemoveNamed: "Remove {name}", "{name} entfernen";
    RenameNamed: "Rename {name}", "{name} umbenennen";
    RemovePasskeyLead: "You cannot sign in with it any more.", "Sie können sich damit nicht mehr anmelden.";
    AppTitle: "Authenticator app", "Authentifizierungs-App";
    AppLead: "After your password, you are asked for a code that an app on your phone shows.", "Nach dem Passwort werden Sie nach einem Code gefragt, den eine App auf Ihrem Telefon zeigt.";
    AppOn: "On", "An";
    AppOff: "Off", "Aus";
    SetUpApp: "Set up the app", "App einrichten";
    ReplaceApp: "Set up another app", "Andere App einrichten";
    TurnOffApp: "Turn the app off", "App abschalten";
    TurnOffAppLead: "You are then not asked for a code after your password any more. Your backup codes become invalid.", "Nach dem Passwort werden Sie dann nicht mehr nach einem Code gefragt. Ihre Ersatzcodes werden ungültig.";
    AppOrBackupCode: "Code from the app, or a backup code", "Code aus der App, oder ein Ersatzcode";
    AppTurnedOff: "The authenticator app is turned off.", "Die Authentifizierungs-App ist abgeschaltet.";
    BackupCodesLeft: "Backup codes left: {count}", "Verbleibende Ersatzcodes: {count}";
    NewBackupCodes: "New backup codes", "Neue Ersatzcodes";
    NewBackupCodesLead: "The old ones become invalid.", "Die alten werden ungültig.";
    MakeBackupCodes: "Make new codes", "Neue Codes erzeugen";
    ScanLead: "Scan this with an authenticator app.", "Scannen Sie das mit einer Authentifizierungs-App.";
    ScanAlt: "QR code for the authenticator app", "QR-Code für die Authentifizierungs-App";
    TypeInstead: "Or type this key into the app:", "Oder tippen Sie diesen Schlüssel in die App:";
    EnterFirstCode: "Enter the code that the app now shows.", "Geben Sie den Code ein, den die App jetzt zeigt.";
    NewAppCode: "Code from the new app", "Code aus der neuen App";
    CurrentAppCode: "Code from the app that you use now", "Code aus der App, die Sie jetzt benutzen";
    LostApp: "I cannot use the old app any more", "Ich kann die alte App nicht mehr benutzen";
    HaveOldApp: "I can use the old app", "Ich kann die alte App benutzen";
    TurnOn: "Turn on", "Einschalten";
    BackupCodesTitle: "Your backup codes", "Ihre Ersatzcodes";
    BackupCodesLead: "Each of these codes replaces the app once. Store them where you find them without your phone. They are shown only now.", "Jeder dieser Codes ersetzt die App einmal. Bewahren Sie sie dort auf, wo Sie sie ohne Ihr Telefon finden. Sie werden nur jetzt gezeigt.";
    BackupCodesStored: "I have stored these codes", "Ich habe diese Codes aufbewahrt";
    Print: "Print", "Drucken";
    Copy: "Copy", "Kopieren";
    Copied: "Copied", "Kopiert";

    // Account: applications
    Apps: "Applications", "Anwendungen";
    AppsLead: "The applications that you have signed in to with this account.", "Die Anwendungen, bei denen Sie sich mit diesem Konto angemeldet haben.";
    NoApps: "There are none.", "Es gibt keine.";
    AppSince: "Since {time}", "Seit {time}";
    Withdraw: "Withdraw", "Widerrufen";
    WithdrawFrom: "Withdraw the access of {client}", "{client} den Zugriff entziehen";
    Withdrawn: "The access is withdrawn.", "Der Zugriff ist entzogen.";
    SignedInAt: "signed in to {clients}", "angemeldet bei {clients}";

    // Account: sessions, activity, data
    SessionsLead: "The browsers that are signed in to your account.", "Die Browser, die bei Ihrem Konto angemeldet sind.";
    ThisBrowser: "This browser", "Dieser Browser";
    SignedInOn: "Signed in {time}", "Angemeldet {time}";
    LastSeenOn: "last seen {time}", "zuletzt gesehen {time}";
    EndSession: "End", "Beenden";
    EndSessionOf: "End the session of {device}", "Sitzung von {device} beenden";
    EndOtherSessions: "End all other sessions", "Alle anderen Sitzungen beenden";
    SessionEnded: "The session is ended.", "Die Sitzung ist beendet.";
    OtherSessionsEnded: "All other sessions are ended.", "Alle anderen Sitzungen sind beendet.";
    ActivityLead: "What has happened with your account lately.", "Was zuletzt mit Ihrem Konto geschehen ist.";
    Failed: "refused", "abgelehnt";
    OlderEntries: "Older entries", "Ältere Einträge";
    NoMoreEntries: "There are no more entries.", "Es gibt keine weiteren Einträge.";
    UnknownBrowser: "Unknown browser", "Unbekannter Browser";
    BrowserOn: "{browser} on {system}", "{browser} auf {system}";
    ExportTitle: "Export", "Export";
    ExportLead: "A file with everything that is stored about your account, as JSON.", "Eine Datei mit allem, was über Ihr Konto gespeichert ist, als JSON.";
    Download: "Download", "Herunterladen";
    DeleteTitle: "Delete the account", "Konto löschen";
    DeleteLead: "Your account, its passkeys and its sessions are deleted for good. That cannot be undone.", "Ihr Konto, seine Passkeys und seine Sitzungen werden endgültig gelöscht. Das lässt sich nicht rückgängig machen.";
    DeleteTokens: "Management tokens that act for you end at once: {count}.", "Verwaltungs-Tokens, die für Sie handeln, enden sofort: {count}.";
    DeleteSpacesNone: "You own no space.", "Ihnen gehört kein Bereich.";
    DeleteSpacesOne: "One space that you own stays, without an owner. An administrator can give it to somebody.", "Ein Bereich, der Ihnen gehört, bleibt ohne Eigentümer. Die Verwaltung kann ihn jemandem geben.";
    DeleteSpaces: "{count} spaces that you own stay, without an owner. An administrator can give them to somebody.", "{count} Bereiche, die Ihnen gehören, bleiben ohne Eigentümer. Die Verwaltung kann sie jemandem geben.";
    DeleteForGood: "Delete for good", "Endgültig löschen";

    // Events
    EventLogin: "Signed in", "Angemeldet";
    EventNewDevice: "Signed in with a new device", "Mit einem neuen Gerät angemeldet";
    EventSuspicious: "Unusual sign-in", "Ungewöhnliche Anmeldung";
    EventLogout: "Signed out", "Abgemeldet";
    EventRegister: "Account created", "Konto angelegt";
    EventPasswordChanged: "Password changed", "Passwort geändert";
    EventPasswordSet: "Password set", "Passwort festgelegt";
    EventPasswordRemoved: "Password removed", "Passwort entfernt";
    EventPasswordReset: "Password set by a link", "Passwort durch einen Link festgelegt";
    EventResetRequested: "Link for a new password requested", "Link für ein neues Passwort angefordert";
    EventEmailChangeRequested: "Change of the address requested", "Änderung der Adresse angefordert";
    EventEmailChanged: "Address changed", "Adresse geändert";
    EventEmailVerified: "Address confirmed", "Adresse bestätigt";
    EventVerificationRequested: "Link to confirm the address requested", "Link zum Bestätigen der Adresse angefordert";
    EventInviteAccepted: "Invitation accepted", "Einladung angenommen";
    EventPasskeyAdded: "Passkey added", "Passkey hinzugefügt";
    EventPasskeyRemoved: "Passkey removed", "Passkey entfernt";
    EventPasskeyRenamed: "Passkey renamed", "Passkey umbenannt";
    EventAppEnabled: "Authenticator app set up", "Authentifizierungs-App eingerichtet";
    EventAppDisabled: "Authenticator app turned off", "Authentifizierungs-App abgeschaltet";
    EventBackupUsed: "Backup code used", "Ersatzcode benutzt";
    EventBackupRenewed: "New backup codes made", "Neue Ersatzcodes erzeugt";
    EventSessionRevoked: "Session ended", "Sitzung beendet";
    EventOthersRevoked: "Other sessions ended", "Andere Sitzungen beendet";
    EventProfile: "Profile changed", "Profil geändert";
    EventConsentGranted: "Access allowed to an application", "Einer Anwendung Zugriff erlaubt";
    EventConsentDenied: "Access denied to an application", "Einer Anwendung den Zugriff verweigert";
    EventConsentWithdrawn: "Access of an application withdrawn", "Einer Anwendung den Zugriff entzogen";
    EventExported: "Data exported", "Daten exportiert";
}

#[cfg(test)]
mod tests {
    use super::{Text, Words};
    use crate::{
        api::text::ApiText,
        console::{
            audit_text::AuditText, client_setup::SetupText, concern_text::ConcernText, event_text::EventText, mail_text::MailText, operations_text::OperationsText, role_text::RoleText, settings_text::SettingsText, text::ConsoleText, token_text::TokenText, user::PersonText,
        },
        licenses::text::LicensesText,
    };
    use domain::shared::Language;
    use std::{collections::BTreeSet, fmt::Debug};

    fn places(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).map(|rest| rest.split('}').next().unwrap()).collect()
    }

    fn check(all: &[impl Words + Debug]) {
        for text in all {
            let [english, german] = [Language::English, Language::German].map(|language| text.in_language(language));
            assert_eq!(places(english), places(german), "{text:?}");
            assert!(!english.trim().is_empty() && !german.trim().is_empty(), "{text:?}");
        }
    }

    #[test]
    fn both_languages_have_the_same_places_and_neither_is_empty() {
        check(Text::ALL);
        check(ConsoleText::ALL);
        check(OperationsText::ALL);
        check(SetupText::ALL);
        check(TokenText::ALL);
        check(ConcernText::ALL);
        check(PersonText::ALL);
        check(AuditText::ALL);
        check(EventText::ALL);
        check(RoleText::ALL);
        check(MailText::ALL);
        check(SettingsText::ALL);
        check(ApiText::ALL);
        check(LicensesText::ALL);
    }

    #[test]
    fn values_are_filled_in_once() {
        let filled = Text::InviteTitle.fill(Language::German, &[("name", "{name} <b>")]);
        assert_eq!(filled, "Willkommen, {name} <b>");
    }
}
