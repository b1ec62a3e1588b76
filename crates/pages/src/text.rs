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
    Menu: "Menu", "Menü";
    ProblemsTitle: "Please check what you have entered", "Bitte prüfen Sie Ihre Angaben";
    ErrorInTitle: "Error: {title}", "Fehler: {title}";
    Optional: "optional", "optional";
    ShowPassword: "Show", "Anzeigen";
    HidePassword: "Hide", "Verbergen";
    Email: "E-mail address", "E-Mail-Adresse";
    Password: "Password", "Passwort";
    NewPassword: "New password", "Neues Passwort";
    Code: "Code", "Code";
    Name: "Name", "Name";
    Cancel: "Cancel", "Abbrechen";
    Save: "Save", "Speichern";
    Continue: "Continue", "Weiter";
    BackToSignIn: "Back to sign-in", "Zurück zur Anmeldung";

    AboutSite: "About this service", "Über diesen Dienst";
    Help: "Help", "Hilfe";
    Privacy: "Privacy", "Datenschutz";
    Imprint: "Legal notice", "Impressum";

    // Signing in
    SignIn: "Sign in", "Anmelden";
    SignInTo: "Sign in to {site}", "Bei {site} anmelden";
    StaySignedIn: "Stay signed in on this device", "Auf diesem Gerät angemeldet bleiben";
    ForgotPassword: "Forgot password?", "Passwort vergessen?";
    NoAccountYet: "No account yet?", "Noch kein Konto?";
    CreateAccount: "Create an account", "Konto anlegen";
    Or: "or", "oder";
    SignInWithPasskey: "Sign in with a passkey", "Mit Passkey anmelden";
    PasskeyCancelled: "That did not work with the passkey. Try again, or sign in another way.", "Das hat mit dem Passkey nicht geklappt. Versuchen Sie es noch einmal, oder melden Sie sich anders an.";
    NoticeVerified: "Your e-mail address is confirmed. You can sign in now.", "Ihre E-Mail-Adresse ist bestätigt. Sie können sich jetzt anmelden.";
    NoticeLinkExpired: "This link is no longer valid.", "Dieser Link ist nicht mehr gültig.";
    NoticeReset: "Your new password is set. Sign in with it.", "Ihr neues Passwort gilt ab sofort. Melden Sie sich damit an.";
    NoticeRegistered: "Your account is ready. Sign in.", "Ihr Konto ist fertig. Melden Sie sich jetzt an.";
    NoticeAddressChanged: "Your e-mail address has been changed. Sign in with the new one.", "Ihre E-Mail-Adresse wurde geändert. Melden Sie sich mit der neuen an.";
    NoticeDeleted: "Your account has been deleted.", "Ihr Konto wurde gelöscht.";
    NoticeSignInFirst: "Please sign in to continue.", "Bitte melden Sie sich an, dann geht es weiter.";
    NoticeSignInAgain: "That took too long. Please sign in again.", "Das hat zu lange gedauert. Bitte melden Sie sich noch einmal an.";
    NoticeAdminister: "You signed in a while ago. Please sign in again to open the administration.", "Ihre Anmeldung ist schon etwas her. Melden Sie sich bitte noch einmal an, um die Verwaltung zu öffnen.";
    SendNewLink: "Send me a new link", "Neuen Link schicken";
    AskForNewLink: "Ask for a new link", "Neuen Link anfordern";

    // Interactions with other applications
    ContinueTo: "to continue to {client}", "um bei {client} fortzufahren";
    CancelSignIn: "Cancel and go back to {client}", "Abbrechen und zurück zu {client}";
    ConsentTitle: "{client} wants access to your account", "{client} möchte auf Ihr Konto zugreifen";
    ConsentLead: "You are signed in as {email}. If you allow it, {client} gets:", "Sie sind als {email} angemeldet. Wenn Sie zustimmen, bekommt {client}:";
    ConsentEachTime: "{client} is an app on this device. Any program here could use that name, so we ask you every time. Allow it only if you have just opened the app yourself.", "{client} ist eine App auf diesem Gerät. Jedes Programm hier könnte sich so nennen, deshalb fragen wir jedes Mal nach. Erlauben Sie es nur, wenn Sie die App gerade selbst geöffnet haben.";
    ConsentRemember: "For 90 days, the app may renew your sign-in in this browser without asking", "Die App darf Ihre Anmeldung in diesem Browser 90 Tage lang ohne Rückfrage erneuern";
    ConsentLeadsTo: "After that you go on to {host}.", "Danach geht es weiter zu {host}.";
    ConsentLeadsToApp: "After that you go back to an app on this device.", "Danach geht es zurück zu einer App auf diesem Gerät.";
    ConsentLater: "You can withdraw this at any time on the page of your account.", "Sie können das jederzeit auf der Seite Ihres Kontos widerrufen.";
    Allow: "Allow", "Erlauben";
    Deny: "Deny", "Ablehnen";
    PrivacyPolicy: "Privacy policy of {client}", "Datenschutzerklärung von {client}";
    TermsOfService: "Terms of service of {client}", "Nutzungsbedingungen von {client}";
    ScopeOpenid: "an ID by which it recognises you", "eine Kennung, an der die Anwendung Sie wiedererkennt";
    ScopeProfile: "your name and your language", "Ihren Namen und Ihre Sprache";
    ScopeEmail: "your e-mail address", "Ihre E-Mail-Adresse";
    ScopeRoles: "your roles in this application", "Ihre Rollen in dieser Anwendung";
    ScopeOffline: "access while you are not using it", "Zugriff, auch während Sie die Anwendung nicht benutzen";
    ScopeOther: "the permission “{scope}”", "die Berechtigung „{scope}“";
    ChooseAccount: "Choose an account", "Konto wählen";
    ChooseAccountLead: "to continue to {client}", "um bei {client} fortzufahren";
    ContinueAs: "Continue as {email}", "Weiter als {email}";
    AnotherAccount: "Use another account", "Anderes Konto verwenden";
    RoleMissingTitle: "You have no access to {client}", "Sie haben keinen Zugang zu {client}";
    RoleMissingLead: "Your account {email} is missing a role that {client} asks for. An administrator can give you one.", "Ihrem Konto {email} fehlt eine Rolle, die {client} verlangt. Die Verwaltung kann sie Ihnen geben.";
    BackTo: "Back to {client}", "Zurück zu {client}";

    // Devices
    DeviceTitle: "Connect a device", "Gerät verbinden";
    DeviceLead: "Enter the code that your device shows.", "Geben Sie den Code ein, den Ihr Gerät anzeigt.";
    DeviceFilledLead: "Continue only if a device in front of you shows this code.", "Machen Sie nur weiter, wenn ein Gerät vor Ihnen diesen Code anzeigt.";
    DeviceCode: "Code on the device", "Code auf dem Gerät";
    DeviceCheck: "Allow this only if a device in front of you shows this code. If somebody sent you the code, deny it.", "Erlauben Sie das nur, wenn ein Gerät vor Ihnen diesen Code anzeigt. Hat Ihnen jemand den Code geschickt, lehnen Sie ab.";
    DeviceAllowedTitle: "The device is connected", "Das Gerät ist verbunden";
    DeviceAllowedLead: "Continue on the device. You can close this page.", "Machen Sie am Gerät weiter. Diese Seite können Sie schließen.";
    DeviceDeniedTitle: "The device was not connected", "Das Gerät wurde nicht verbunden";
    DeviceDeniedLead: "You have denied it access. You can close this page.", "Sie haben den Zugriff abgelehnt. Diese Seite können Sie schließen.";
    ToApps: "Your applications", "Ihre Anwendungen";

    // Second factor
    SecondStep: "One more step", "Noch ein Schritt";
    AppCodeLead: "Enter the code that your authenticator app shows.", "Geben Sie den Code ein, den Ihre Authentifizierungs-App anzeigt.";
    AppCodeLabel: "Code from the app", "Code aus der App";
    BackupCodeLead: "Enter one of your backup codes. Each of them works only once.", "Geben Sie einen Ihrer Ersatzcodes ein. Jeder funktioniert nur einmal.";
    BackupCodeLabel: "Backup code", "Ersatzcode";
    MailedCodeLead: "We have sent a code to {address}. It works for 10 minutes.", "Wir haben einen Code an {address} geschickt. Er ist 10 Minuten gültig.";
    MailedCodeLabel: "Code from the e-mail", "Code aus der E-Mail";
    UseBackupCode: "Use a backup code", "Ersatzcode verwenden";
    UseApp: "Use the authenticator app", "Authentifizierungs-App verwenden";
    SendAnotherCode: "Send another code", "Neuen Code schicken";
    AnotherCodeSent: "Another code is on its way.", "Ein neuer Code ist unterwegs.";
    WrongCode: "The code is wrong or has been used before. Attempts left: {left}.", "Der Code ist falsch oder wurde schon benutzt. Verbleibende Versuche: {left}.";

    // Registration
    FirstName: "First name", "Vorname";
    LastName: "Last name", "Nachname";
    HaveAccount: "Already have an account?", "Haben Sie schon ein Konto?";
    FirstAccountNote: "This is the first account of this server. It becomes the administrator.", "Das ist das erste Konto auf diesem Server. Es bekommt die Rechte zum Verwalten.";
    RuleLength: "at least {count} characters", "mindestens {count} Zeichen";
    RuleUppercase: "an upper case letter", "ein Großbuchstabe";
    RuleLowercase: "a lower case letter", "ein Kleinbuchstabe";
    RuleDigit: "a digit", "eine Ziffer";
    RuleSymbol: "a symbol", "ein Sonderzeichen";
    PasswordRules: "The password needs", "Das Passwort braucht";

    // Links that are mailed
    CheckMail: "Check your e-mail", "Schauen Sie in Ihr Postfach";
    VerificationSent: "We have sent you a link. Open it to confirm your address, then sign in. It works for 24 hours.", "Wir haben Ihnen einen Link geschickt. Öffnen Sie ihn, um Ihre Adresse zu bestätigen, und melden Sie sich dann an. Er ist 24 Stunden gültig.";
    NoMailArrived: "Nothing there yet? Look in the spam folder, or ask for another link.", "Noch nichts da? Schauen Sie im Spam-Ordner nach, oder fordern Sie einen neuen Link an.";
    VerifyTitle: "Confirm your e-mail address", "E-Mail-Adresse bestätigen";
    VerifyLead: "Enter your address, and we will send you a link to confirm it.", "Geben Sie Ihre Adresse ein. Wir schicken Ihnen einen Link, mit dem Sie sie bestätigen.";
    SendLink: "Send the link", "Link schicken";
    ForgotTitle: "Forgot your password?", "Passwort vergessen?";
    ForgotLead: "Enter your address, and we will send you a link to set a new password.", "Geben Sie Ihre Adresse ein. Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort festlegen.";
    ForgotSent: "If there is an account with this address, a link is on its way. It works once, within 60 minutes.", "Wenn es zu dieser Adresse ein Konto gibt, ist ein Link unterwegs. Er funktioniert einmal, innerhalb von 60 Minuten.";
    MailIsOff: "This server sends no e-mail. Ask an administrator if you need help with your account.", "Dieser Server verschickt keine E-Mails. Wenden Sie sich an die Verwaltung, wenn Sie Hilfe mit Ihrem Konto brauchen.";
    ResetTitle: "Set a new password", "Neues Passwort festlegen";
    ResetLead: "This signs you out everywhere. After that, sign in with the new password.", "Damit werden Sie überall abgemeldet. Melden Sie sich danach mit dem neuen Passwort an.";
    VerifyClickLead: "Confirm that {email} is your address. After that you can sign in.", "Bestätigen Sie, dass {email} Ihre Adresse ist. Danach können Sie sich anmelden.";
    VerifyPasswordLead: "Enter your password to confirm {email}. We ask for it because you did not register in this browser.", "Geben Sie Ihr Passwort ein, um {email} zu bestätigen. Wir fragen danach, weil Sie sich nicht in diesem Browser registriert haben.";
    VerifyNotYou: "You have not registered here? Then just close this page, and nothing happens.", "Sie haben sich hier gar nicht registriert? Dann schließen Sie diese Seite einfach, und es passiert nichts.";
    SetPassword: "Set the password", "Passwort festlegen";
    LinkExpiredTitle: "This link is no longer valid", "Dieser Link ist nicht mehr gültig";
    LinkExpiredLead: "It has been used already, or it is too old.", "Er wurde schon benutzt oder ist zu alt.";
    InviteExpiredLead: "The invitation has been accepted already, or it is too old. Ask an administrator for a new one, or sign in.", "Die Einladung wurde schon angenommen oder ist zu alt. Bitten Sie die Verwaltung um eine neue, oder melden Sie sich an.";
    InviteTitle: "Welcome, {name}", "Willkommen, {name}";
    InviteLead: "We have set up an account for {email}. Choose a password, and you can use it.", "Für {email} ist ein Konto angelegt. Wählen Sie ein Passwort, dann können Sie es benutzen.";
    AcceptInvite: "Accept the invitation", "Einladung annehmen";
    SpaceInviteExpiredLead: "The invitation was accepted or withdrawn, or it is too old. Ask the person who invited you for a new one.", "Die Einladung wurde schon angenommen, zurückgezogen oder ist zu alt. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.";
    JoinTitle: "Invitation to {space}", "Einladung zu {space}";
    JoinLead: "{inviter} would like you to work on {space}.", "{inviter} möchte, dass Sie an {space} mitarbeiten.";
    JoinLeadUnnamed: "You are invited to work on {space}.", "Sie sind eingeladen, an {space} mitzuarbeiten.";
    JoinAddress: "For", "Für";
    JoinRole: "Your role", "Ihre Rolle";
    RoleAdmin: "Administration: everything, with settings and people", "Verwaltung: alles, auch Einstellungen und Personen";
    RoleEditor: "Editing: write and publish content", "Redaktion: Inhalte schreiben und veröffentlichen";
    RoleViewer: "Reading: see content, change nothing", "Lesen: Inhalte sehen, nichts ändern";
    JoinButton: "Join", "Beitreten";
    JoinSignInFirst: "Sign in with this address to join, or create an account with it.", "Melden Sie sich mit dieser Adresse an, oder legen Sie damit ein Konto an.";
    JoinSignInOnly: "Sign in with this address to join.", "Melden Sie sich mit dieser Adresse an, um beizutreten.";
    JoinOtherAccount: "You are signed in as {email}, but the invitation is for another address.", "Sie sind als {email} angemeldet; die Einladung gilt aber für eine andere Adresse.";
    JoinChangeAccount: "Sign in with the other account", "Mit dem anderen Konto anmelden";
    Joined: "You are a member of the space now.", "Sie gehören jetzt zum Space.";
    ConfirmEmailTitle: "Confirm your new address", "Neue Adresse bestätigen";
    ConfirmEmailLead: "After that you sign in as {email}. Other devices will be signed out.", "Danach melden Sie sich mit {email} an. Andere Geräte werden abgemeldet.";
    ConfirmEmailPasswordLead: "After that you sign in as {email}. Other devices will be signed out. We need your password, because you are not signed in to your account here.", "Danach melden Sie sich mit {email} an. Andere Geräte werden abgemeldet. Wir brauchen Ihr Passwort, weil Sie hier nicht bei Ihrem Konto angemeldet sind.";
    ConfirmEmailNotYou: "You have not asked for a new address? Then just close this page, and nothing happens.", "Sie wollten gar keine neue Adresse? Dann schließen Sie diese Seite einfach, und es passiert nichts.";
    ConfirmAddress: "Confirm the address", "Adresse bestätigen";

    // Signing out
    SignOut: "Sign out", "Abmelden";
    SignOutQuestion: "Sign out?", "Abmelden?";
    SignOutLead: "This ends your session in this browser.", "Damit endet Ihre Sitzung in diesem Browser.";
    SignedOutTitle: "You are signed out", "Sie sind abgemeldet";
    SignedOutLead: "If others use this computer as well, close the browser now.", "Wenn auch andere diesen Computer benutzen, schließen Sie jetzt den Browser.";
    SignInAgain: "Sign in again", "Wieder anmelden";
    StaySignedInButton: "Stay signed in", "Angemeldet bleiben";

    // Errors
    NotFoundTitle: "Page not found", "Seite nicht gefunden";
    NotFoundLead: "There is nothing at this address. Perhaps it is misspelt, or the page has moved.", "Unter dieser Adresse ist nichts zu finden. Vielleicht ist sie falsch geschrieben, oder die Seite ist umgezogen.";
    ForbiddenTitle: "Not allowed", "Nicht erlaubt";
    FormExpiredTitle: "This form has expired", "Dieses Formular ist abgelaufen";
    FormExpiredLead: "You have signed in or out since you opened it, or your browser keeps no cookies. Open the page again.", "Sie haben sich inzwischen an- oder abgemeldet, oder Ihr Browser speichert keine Cookies. Öffnen Sie die Seite noch einmal.";
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
    DisplayNameHint: "This is how others see you. Without one, they see your first and last name.", "So sehen andere Sie. Ohne Anzeigenamen sehen sie Ihren Vor- und Nachnamen.";
    PreferredLanguage: "Language of e-mails and pages", "Sprache für E-Mails und Seiten";
    ChangeAddress: "Change the address", "Adresse ändern";
    CurrentAddress: "Current address", "Bisherige Adresse";
    NewAddress: "New address", "Neue Adresse";
    AddressLead: "We send a link to the new address. Your address changes once you open the link.", "Wir schicken einen Link an die neue Adresse. Sobald Sie ihn öffnen, wird Ihre Adresse geändert.";
    AddressLeadWithoutMail: "Your address changes at once. Other devices will be signed out.", "Ihre Adresse wird sofort geändert. Andere Geräte werden abgemeldet.";
    AddressLinkSent: "We have sent a link to the new address. Open it to finish the change.", "Wir haben einen Link an die neue Adresse geschickt. Öffnen Sie ihn, um die Änderung abzuschließen.";
    AddressChanged: "Your e-mail address has been changed.", "Ihre E-Mail-Adresse wurde geändert.";
    ProveTitle: "Confirm that it is you", "Bestätigen Sie, dass Sie es sind";
    ProveLead: "You signed in a while ago. Before you go on, please confirm that it is still you.", "Ihre Anmeldung ist schon etwas her. Bevor es weitergeht, bestätigen Sie bitte, dass Sie es noch sind.";
    ProveWithPasskey: "Use a passkey", "Passkey verwenden";
    ProveBySignIn: "Please sign in again to go on.", "Bitte melden Sie sich noch einmal an, dann geht es weiter.";
    ConfirmWithPassword: "Your password, to confirm that it is you", "Ihr Passwort, zur Bestätigung";
    ConfirmWithPasskey: "Your browser will ask for your passkey, to confirm that it is you.", "Ihr Browser fragt gleich nach Ihrem Passkey, zur Bestätigung.";
    PasskeyNeedsScript: "Passkeys only work with JavaScript.", "Passkeys funktionieren nur mit JavaScript.";
    PasskeyNotUsed: "That did not work with the passkey. Try again.", "Das hat mit dem Passkey nicht geklappt. Versuchen Sie es noch einmal.";

    // Account: first steps of an administrator
    FirstSteps: "First steps", "Erste Schritte";
    FirstStepsLead: "This is what your server still needs. The list disappears when everything is done.", "Das fehlt Ihrem Server noch. Die Liste verschwindet, sobald alles erledigt ist.";
    FirstStepsHide: "Hide this list", "Liste ausblenden";
    StepDone: "Done", "Erledigt";
    StepMail: "Send e-mail", "E-Mails verschicken";
    StepMailLead: "Invitations, confirmations and new passwords go by e-mail.", "Einladungen, Bestätigungen und neue Passwörter kommen per E-Mail.";
    StepMailHow: "Set up e-mail", "E-Mail einrichten";
    StepAddress: "Give the server its address", "Dem Server seine Adresse geben";
    StepAddressLead: "It still calls itself {address}, which only works on this computer.", "Noch nennt er sich {address}, und das funktioniert nur auf diesem Computer.";
    StepAddressDone: "It is reached at {address}.", "Er ist unter {address} zu erreichen.";
    StepAddressHow: "Set the address", "Adresse festlegen";
    StepSpace: "Make the first space", "Den ersten Space anlegen";
    StepSpaceLead: "A space holds the stories of a site. You write them in the studio.", "In einem Space liegen die Inhalte einer Website. Geschrieben werden sie im Studio.";
    StepSpaceAlone: "A space holds the stories of a site.", "In einem Space liegen die Inhalte einer Website.";
    StepSpaceHow: "Make a space", "Space anlegen";
    StepApp: "Connect the first application", "Die erste Anwendung anbinden";
    StepAppLead: "Then people can sign in there with their account here.", "Dann können sich Ihre Leute dort mit ihrem Konto von hier anmelden.";
    StepAppHow: "Connect an application", "Anwendung anbinden";

    // Account: security
    PasswordIsSet: "Set", "Festgelegt";
    PasswordIsNotSet: "Not set", "Nicht festgelegt";
    ChangePassword: "Change the password", "Passwort ändern";
    SetAPassword: "Set a password", "Passwort festlegen";
    RemovePassword: "Remove the password", "Passwort entfernen";
    RemovePasswordLead: "From then on you sign in with a passkey only. Other devices will be signed out, and applications lose their access.", "Danach melden Sie sich nur noch mit einem Passkey an. Andere Geräte werden abgemeldet, und Anwendungen verlieren ihren Zugriff.";
    CurrentPassword: "Current password", "Bisheriges Passwort";
    SetPasswordLead: "Other devices will be signed out.", "Andere Geräte werden abgemeldet.";
    ChangePasswordLead: "Other devices will be signed out, and applications lose their access.", "Andere Geräte werden abgemeldet, und Anwendungen verlieren ihren Zugriff.";
    PasswordChanged: "Your password has been changed.", "Ihr Passwort wurde geändert.";
    PasswordRemoved: "Your password has been removed.", "Ihr Passwort wurde entfernt.";
    Passkeys: "Passkeys", "Passkeys";
    PasskeysLead: "Sign in with your fingerprint, your face or the code of your device, without a password.", "Melden Sie sich mit Fingerabdruck, Gesicht oder dem Code Ihres Geräts an, ganz ohne Passwort.";
    NoPasskeys: "You have no passkey yet.", "Sie haben noch keinen Passkey.";
    PasskeyAddedOn: "Added {time}", "Hinzugefügt am {time}";
    PasskeyUsedOn: "last used {time}", "zuletzt verwendet am {time}";
    PasskeyNeverUsed: "never used", "noch nie verwendet";
    PasskeyName: "Name", "Name";
    AddPasskey: "Add a passkey", "Passkey hinzufügen";
    PasskeyKnown: "This device already has a passkey for your account.", "Auf diesem Gerät gibt es schon einen Passkey für Ihr Konto.";
    PasskeyAdded: "Your passkey is ready. You can rename it below.", "Ihr Passkey ist fertig. Unten können Sie ihn umbenennen.";
    PasskeyRemoved: "The passkey has been removed here. Delete it on your device as well.", "Der Passkey wurde hier entfernt. Löschen Sie ihn auch auf Ihrem Gerät.";
    Rename: "Rename", "Umbenennen";
    Remove: "Remove", "Entfernen";
    RemoveNamed: "Remove {name}", "{name} entfernen";
    RenameNamed: "Rename {name}", "{name} umbenennen";
    RemovePasskeyLead: "You will no longer be able to sign in with it.", "Sie können sich dann nicht mehr damit anmelden.";
    AppTitle: "Authenticator app", "Authentifizierungs-App";
    AppLead: "After your password, we also ask for a code from an app on your phone.", "Nach dem Passwort fragen wir noch nach einem Code aus einer App auf Ihrem Telefon.";
    AppOn: "On", "An";
    AppOff: "Off", "Aus";
    SetUpApp: "Set up the app", "App einrichten";
    ReplaceApp: "Set up another app", "Andere App einrichten";
    TurnOffApp: "Turn the app off", "App abschalten";
    TurnOffAppLead: "We will no longer ask for a code after your password, and your backup codes stop working.", "Nach dem Passwort fragen wir dann nicht mehr nach einem Code, und Ihre Ersatzcodes werden ungültig.";
    AppOrBackupCode: "Code from the app, or a backup code", "Code aus der App oder ein Ersatzcode";
    AppTurnedOff: "The authenticator app has been turned off.", "Die Authentifizierungs-App wurde abgeschaltet.";
    BackupCodesLeft: "Backup codes left: {count}", "Verbleibende Ersatzcodes: {count}";
    NewBackupCodes: "New backup codes", "Neue Ersatzcodes";
    NewBackupCodesLead: "The old ones stop working.", "Die alten werden damit ungültig.";
    MakeBackupCodes: "Make new codes", "Neue Codes erzeugen";
    ScanLead: "Scan this code with an authenticator app.", "Scannen Sie diesen Code mit einer Authentifizierungs-App.";
    ScanAlt: "QR code for the authenticator app", "QR-Code für die Authentifizierungs-App";
    OpenInApp: "Open in an app", "In einer App öffnen";
    TypeInstead: "Or type this key into the app:", "Oder geben Sie diesen Schlüssel in der App ein:";
    EnterFirstCode: "Enter the code that the app now shows.", "Geben Sie den Code ein, den die App jetzt anzeigt.";
    NewAppCode: "Code from the new app", "Code aus der neuen App";
    CurrentAppCode: "Code from the app that you have used so far", "Code aus der bisherigen App";
    LostApp: "I no longer have the old app", "Ich habe die alte App nicht mehr";
    HaveOldApp: "I still have the old app", "Ich habe die alte App noch";
    TurnOn: "Turn on", "Einschalten";
    BackupCodesTitle: "Your backup codes", "Ihre Ersatzcodes";
    BackupCodesLead: "Each of these codes stands in for the app once. Keep them where you can find them without your phone. We show them only now.", "Jeder dieser Codes ersetzt die App ein einziges Mal. Bewahren Sie sie so auf, dass Sie sie auch ohne Ihr Telefon finden. Wir zeigen sie nur jetzt.";
    BackupCodesStored: "I have stored these codes", "Ich habe mir diese Codes notiert";
    Print: "Print", "Drucken";
    Copy: "Copy", "Kopieren";
    Copied: "Copied", "Kopiert";

    // Account: applications
    Apps: "Applications", "Anwendungen";
    AppsLead: "These applications can use your account to sign you in.", "Bei diesen Anwendungen haben Sie sich mit diesem Konto angemeldet.";
    NoApps: "There are none yet.", "Bisher gibt es keine.";
    AppSince: "Since {time}", "Seit {time}";
    Withdraw: "Withdraw", "Widerrufen";
    WithdrawFrom: "Withdraw the access of {client}", "{client} den Zugriff entziehen";
    Withdrawn: "The access has been withdrawn.", "Der Zugriff wurde entzogen.";
    SignedInAt: "signed in to {clients}", "angemeldet bei {clients}";

    // Account: sessions, activity, data
    SessionsLead: "This is where you are signed in to your account.", "Hier sind Sie bei Ihrem Konto angemeldet.";
    ThisBrowser: "This browser", "Dieser Browser";
    SignedInOn: "Signed in {time}", "Angemeldet am {time}";
    LastSeenOn: "last active {time}", "zuletzt aktiv am {time}";
    EndSession: "End", "Beenden";
    EndSessionOf: "End the session of {device}", "Sitzung von {device} beenden";
    EndOtherSessions: "End all other sessions", "Alle anderen Sitzungen beenden";
    SessionEnded: "The session has been ended.", "Die Sitzung wurde beendet.";
    OtherSessionsEnded: "All other sessions have been ended.", "Alle anderen Sitzungen wurden beendet.";
    ActivityLead: "What has happened in your account recently.", "Was zuletzt in Ihrem Konto passiert ist.";
    OlderEntries: "Older entries", "Ältere Einträge";
    NoMoreEntries: "There is nothing more.", "Mehr gibt es nicht.";
    UnknownBrowser: "A program", "Ein Programm";
    BrowserOn: "{browser} on {system}", "{browser} auf {system}";
    ExportTitle: "Export", "Export";
    ExportLead: "A file with everything that we have stored about your account, as JSON.", "Eine Datei mit allem, was wir über Ihr Konto gespeichert haben, als JSON.";
    Download: "Download", "Herunterladen";
    DeleteTitle: "Delete the account", "Konto löschen";
    DeleteLead: "Your account, its passkeys and its sessions are deleted for good. This cannot be undone.", "Ihr Konto, Ihre Passkeys und Ihre Sitzungen werden endgültig gelöscht. Das lässt sich nicht rückgängig machen.";
    DeleteTokens: "Management tokens that act for you stop working at once: {count}.", "Verwaltungs-Tokens, die für Sie handeln, gelten ab sofort nicht mehr: {count}.";
    DeleteSpacesNone: "You do not own a space.", "Ihnen gehört kein Space.";
    DeleteSpacesOne: "The space that you own stays, without an owner. An administrator can hand it over to somebody else.", "Ihr Space bleibt bestehen, ohne Eigentümer. Die Verwaltung kann ihn jemand anderem geben.";
    DeleteSpaces: "The {count} spaces that you own stay, without an owner. An administrator can hand them over to somebody else.", "Ihre {count} Spaces bleiben bestehen, ohne Eigentümer. Die Verwaltung kann sie jemand anderem geben.";
    DeleteForGood: "Delete for good", "Endgültig löschen";
}

#[cfg(test)]
mod tests {
    use super::{Text, Words};
    use crate::{
        account::activity_text::ActivityText,
        api::text::ApiText,
        console::{
            audit_text::AuditText, client_setup::SetupText, concern_text::ConcernText, event_text::EventText, mail_text::MailText,
            operations_text::OperationsText, role_text::RoleText, settings_text::SettingsText, text::ConsoleText,
            token_text::TokenText, user::PersonText,
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
        check(ActivityText::ALL);
    }

    #[test]
    fn values_are_filled_in_once() {
        let filled = Text::InviteTitle.fill(Language::German, &[("name", "{name} <b>")]);
        assert_eq!(filled, "Willkommen, {name} <b>");
    }
}
