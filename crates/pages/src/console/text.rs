//! The texts of the console.

use crate::text::texts;

texts! {
    ConsoleText;

    // Frame and navigation
    Overview: "Overview", "Überblick";
    Users: "People", "Personen";
    Clients: "Applications", "Anwendungen";
    Audit: "Audit trail", "Protokoll";
    Configuration: "Configuration", "Konfiguration";
    Workers: "Workers", "Hintergrundarbeit";
    Blocks: "Blocks", "Sperren";
    Keys: "Signing keys", "Signaturschlüssel";


    // Lists
    Filter: "Filter", "Filtern";
    ShowAll: "Show all", "Alle zeigen";
    Any: "any", "beliebig";
    Order: "Order", "Reihenfolge";
    NewestFirst: "newest first", "neueste zuerst";
    OldestFirst: "oldest first", "älteste zuerst";
    ByAddress: "by address", "nach Adresse";
    Pages: "Pages", "Seiten";
    NoSuchPage: "There is no page {page}: the list ends with page {pages}.", "Eine Seite {page} gibt es nicht: Die Liste endet mit Seite {pages}.";
    PageOf: "Page {page} of {pages}, {total} in all", "Seite {page} von {pages}, insgesamt {total}";
    About: "about {count}", "etwa {count}";
    PreviousPage: "Previous page", "Vorige Seite";
    NextPage: "Next page", "Nächste Seite";
    Change: "Change", "Ändern";

    // Confirmations
    Consequences: "What follows from it", "Was daraus folgt";

    // Overview
    State: "State", "Zustand";
    Version: "Version {version}", "Version {version}";
    Database: "Database", "Datenbank";
    Storage: "Storage", "Speicherplatz";
    Mail: "E-mail", "E-Mail";
    Provider: "Sign-in for applications", "Anmeldung für Anwendungen";
    Registration: "Registration", "Registrierung";
    Works: "works", "in Ordnung";
    DiskFull: "full", "voll";
    MailIsOn: "on", "an";
    MailIsOff: "off", "aus";
    Configured: "configured", "eingerichtet";
    NotConfigured: "not configured", "nicht eingerichtet";
    Open: "open", "offen";
    Closed: "closed", "geschlossen";
    Stopping: "The server", "Der Server";
    IsStopping: "is stopping", "wird beendet";
    OldestWork: "Oldest work that waits", "Älteste wartende Arbeit";
    WorkWaiting: "waiting to be sent or imported", "wartend auf Versand oder Import";
    DeliveriesWaiting: "webhook deliveries waiting", "wartende Webhook-Zustellungen";
    DeliveriesDead: "webhook deliveries given up", "aufgegebene Webhook-Zustellungen";
    InAll: "all", "alle";
    Verified: "address verified", "Adresse bestätigt";
    Unverified: "address not verified", "Adresse nicht bestätigt";
    Administrators: "administrators", "mit Verwaltungsrecht";
    Others: "others", "ohne Verwaltungsrecht";
    Suspended: "suspended", "gesperrt";
    NotSuspended: "not suspended", "nicht gesperrt";
    WithPasskey: "with a passkey", "mit Passkey";
    WithApp: "with an authenticator app", "mit Authentifizierungs-App";
    NewLastDay: "new in 24 hours", "neu in 24 Stunden";
    NewLastWeek: "new in 7 days", "neu in 7 Tagen";
    NewLastMonth: "new in 30 days", "neu in 30 Tagen";
    SignIns: "Sign-ins", "Anmeldungen";
    ActiveSessions: "active sessions", "aktive Sitzungen";
    SignInsLastDay: "in 24 hours", "in 24 Stunden";
    RefusedLastDay: "refused in 24 hours", "abgelehnt in 24 Stunden";
    MailsSent: "sent in 24 hours", "verschickt in 24 Stunden";
    MailsDead: "given up in 24 hours", "aufgegeben in 24 Stunden";
    MailsWaiting: "waiting", "wartend";
    Applications: "applications", "Anwendungen";

    // List of people
    SearchPeople: "Name or address", "Name oder Adresse";
    Right: "Right to administer", "Verwaltungsrecht";
    Person: "Person", "Person";
    SignsInWith: "Signs in with", "Meldet sich an mit";
    Created: "Created", "Angelegt";
    LastSignIn: "Last sign-in", "Letzte Anmeldung";
    Never: "never", "nie";
    UsersFound: "People: {count}", "Personen: {count}";
    NobodyFound: "Nobody matches this filter.", "Auf diesen Filter passt niemand.";
    NobodyHere: "Nobody has an account yet. People come by registering, by an invitation or by provisioning.", "Noch hat niemand ein Konto. Personen kommen durch Registrierung, Einladung oder Bereitstellung.";
    NothingYet: "nothing yet", "noch nichts";
    Active: "active", "aktiv";
    Administrator: "Administrator", "Verwaltung";
    NewPerson: "New person", "Neue Person";
    UserDeleted: "The account is deleted.", "Das Konto ist gelöscht.";

    // Spaces
    SearchSpaces: "Part of the name", "Teil des Namens";
    Space: "Space", "Space";
    Owner: "Owner", "Eigentümer";
    Orphaned: "without an owner", "ohne Eigentümer";
    Owned: "with an owner", "mit Eigentümer";
    Deleted: "deleted", "gelöscht";
    NotDeleted: "not deleted", "nicht gelöscht";
    Size: "Size", "Umfang";
    SizeOf: "Stories: {stories}, assets: {assets}, {bytes}", "Storys: {stories}, Dateien: {assets}, {bytes}";
    LastChange: "Last change", "Letzte Änderung";
    SpacesFound: "Spaces: {count}", "Spaces: {count}";
    NoSpaceFound: "No space matches this filter.", "Auf diesen Filter passt kein Space.";
    NoSpaceHere: "There is no space yet. People make spaces for their content at /studio, or with POST /api/v1/spaces.", "Noch gibt es keinen Space. Personen legen Spaces für ihre Inhalte unter /studio an oder mit POST /api/v1/spaces.";
    GiveOwner: "Give an owner", "Eigentümer geben";
    GiveOwnerMeans: "{name} belongs to the person with this address from now on: they find it among their spaces, and may change it, make tokens and delete it.", "{name} gehört ab jetzt der Person mit dieser Adresse: sie findet den Space unter ihren eigenen und darf ihn ändern, Tokens anlegen und ihn löschen.";
    GiveOwnerStays: "Content, tokens and webhooks stay as they are. The audit log of the space says that an administrator gave it an owner.", "Inhalte, Tokens und Webhooks bleiben, wie sie sind. Im Protokoll des Spaces steht, dass die Verwaltung ihm einen Eigentümer gegeben hat.";
    GiveOwnerFinal: "A space that has an owner is not taken away again here.", "Ein Space mit Eigentümer wird hier nicht wieder weggenommen.";
    Undelete: "Bring back", "Wiederherstellen";
    UndeleteMeans: "{name} is there again at once, with its content, tokens and webhooks. Front ends that use it show it again.", "{name} ist sofort wieder da, mit Inhalten, Tokens und Webhooks. Websites, die ihn benutzen, zeigen ihn wieder.";
    UndeleteSchedules: "What was scheduled for a time that has passed meanwhile happens at once.", "Was für einen inzwischen vergangenen Zeitpunkt geplant war, geschieht sofort.";
    UndeleteWebhooks: "Webhooks get what happens from now on. What waited for them at the deletion stays cancelled until somebody sends it again.", "Webhooks bekommen, was von jetzt an geschieht. Was bei der Löschung für sie wartete, bleibt abgebrochen, bis es jemand erneut sendet.";
    OwnerGiven: "The space has an owner.", "Der Space hat einen Eigentümer.";
    SpaceUndeleted: "The space is back.", "Der Space ist wieder da.";

    // New person
    FirstSignIn: "First sign-in", "Erste Anmeldung";
    InviteByMail: "By an invitation, which is mailed: the person chooses a password", "Mit einer Einladung per E-Mail: die Person wählt ein Passwort";
    InviteByLink: "By an invitation, whose link you pass on: the person chooses a password", "Mit einer Einladung, deren Link Sie weitergeben: die Person wählt ein Passwort";
    WithPassword: "With a password that you set now, and the address counts as verified", "Mit einem Passwort, das Sie jetzt festlegen, und die Adresse gilt als bestätigt";
    CreatePerson: "Create the account", "Konto anlegen";
    InvitedTitle: "{email} is invited", "{email} ist eingeladen";
    InvitedMailed: "The invitation is on its way by e-mail. Its link is shown only now, if you want to pass it on yourself. It works for 7 days.", "Die Einladung ist per E-Mail unterwegs. Ihr Link wird nur jetzt gezeigt, falls Sie ihn selbst weitergeben möchten. Er gilt 7 Tage.";
    InvitedLink: "This server sends no e-mail: pass this link on to the person. It is shown only now, and works for 7 days.", "Dieser Server verschickt keine E-Mails: geben Sie diesen Link an die Person weiter. Er wird nur jetzt gezeigt und gilt 7 Tage.";
    ToPerson: "To the page of the person", "Zur Seite der Person";
    PersonCreated: "The account is created.", "Das Konto ist angelegt.";

    // Person
    ChangePerson: "Change {name}", "{name} ändern";
    PersonChanged: "The account is changed.", "Das Konto ist geändert.";
    Facts: "Account", "Konto";
    Locale: "Language", "Sprache";
    Id: "Id", "Kennung";
    LegacySub: "Former id", "Frühere Kennung";
    SuspendedSince: "Suspended since", "Gesperrt seit";
    Spaces: "Spaces", "Spaces";
    SpaceTokens: "Tokens", "Tokens";
    Passkey: "Passkey", "Passkey";
    NoPasskeys: "No passkey", "Kein Passkey";
    Roles: "Roles", "Rollen";
    NoRoleGroups: "No application has roles.", "Keine Anwendung hat Rollen.";
    DefaultRoles: "the default roles", "die voreingestellten Rollen";
    NoRole: "none", "keine";
    NoAccess: "No application holds access.", "Keine Anwendung hat Zugriff.";
    Acts: "What you can do", "Was Sie tun können";
    NotOnYourself: "This is your own account. Only another administrator can suspend, delete or demote it.", "Das ist Ihr eigenes Konto. Sperren, löschen oder das Verwaltungsrecht nehmen kann nur jemand anderes aus der Verwaltung.";
    Browser: "Browser", "Browser";
    Begun: "Signed in", "Angemeldet";
    LastSeen: "Last seen", "Zuletzt gesehen";
    SessionsNone: "No active session", "Keine aktive Sitzung";
    SessionsOne: "One active session", "Eine aktive Sitzung";
    SessionsMore: "{count} active sessions", "{count} aktive Sitzungen";
    LastEntries: "What happened last", "Was zuletzt geschah";
    NewestEntries: "The newest entries, at most 20", "Die neuesten Einträge, höchstens 20";
    NoEntries: "Nothing yet. What the person does, and what is done to the account, will stand here.", "Noch nichts. Was die Person tut und was mit dem Konto geschieht, steht dann hier.";

    // Roles of a person
    RolesOf: "Roles of {name}", "Rollen von {name}";
    AddressVerified: "The address counts as verified.", "Die Adresse gilt als bestätigt.";
    AddressUnverified: "The address counts as not verified.", "Die Adresse gilt als nicht bestätigt.";
    RolesLead: "Roles say what a person may do at applications. Without a decision, each application gives its default roles.", "Rollen sagen, was eine Person bei Anwendungen darf. Ohne Entscheidung gibt jede Anwendung ihre voreingestellten Rollen.";
    GroupOf: "for {clients}", "für {clients}";
    ChangeGroup: "Change the roles of {group}", "Rollen von {group} ändern";
    ChangeGroupOf: "Change the roles of {name} in {group}", "Rollen von {name} in {group} ändern";
    RolesWillBe: "At {clients}, {name} will have: {roles}.", "Bei {clients} wird {name} haben: {roles}.";
    RolesWillBeNone: "At {clients}, {name} will have no role, not even the default ones.", "Bei {clients} wird {name} keine Rolle haben, auch nicht die voreingestellten.";
    RolesWere: "Until now: {roles}.", "Bis jetzt: {roles}.";
    RolesTold: "Applications read it when a token is issued or refreshed. What was issued before keeps the roles that are in it until it expires.", "Anwendungen lesen es, wenn ein Token ausgestellt oder erneuert wird. Was vorher ausgestellt wurde, behält die Rollen, die darin stehen, bis es abläuft.";
    RolesChanged: "The roles are changed.", "Die Rollen sind geändert.";

    // Acts
    Suspend: "Suspend", "Sperren";
    Unsuspend: "End the suspension", "Sperre aufheben";
    SignOutPerson: "Sign out everywhere", "Überall abmelden";
    ResetFactors: "Reset the second factors", "Zweite Faktoren zurücksetzen";
    ExportData: "Export the data", "Daten exportieren";
    GrantAdmin: "Make an administrator", "Verwaltungsrecht geben";
    RevokeAdmin: "Take away the right to administer", "Verwaltungsrecht nehmen";
    DeletePerson: "Delete the account", "Konto löschen";
    SuspendMeans: "Nobody can sign in to the account {email} any more.", "Beim Konto {email} kann sich niemand mehr anmelden.";
    SuspendEnds: "You can end the suspension at any time. What was revoked does not come back by that.", "Sie können die Sperre jederzeit aufheben. Was entzogen wurde, kommt dadurch nicht zurück.";
    EndsNone: "No session ends: nobody is signed in.", "Es endet keine Sitzung: niemand ist angemeldet.";
    EndsOne: "One session ends at once.", "Eine Sitzung endet sofort.";
    EndsMore: "{count} sessions end at once.", "{count} Sitzungen enden sofort.";
    NoAccessToRevoke: "No application holds access.", "Keine Anwendung hat Zugriff.";
    AccessRevoked: "These applications lose their access: {apps}.", "Diese Anwendungen verlieren den Zugriff: {apps}.";
    AccessStays: "What was granted to applications stays; those that the person is signed in to are told.", "Was Anwendungen erlaubt wurde, bleibt; die, bei denen die Person angemeldet ist, erfahren es.";
    UnsuspendMeans: "{name} can sign in again, and has to: no session comes back.", "{name} kann sich wieder anmelden und muss das auch: keine Sitzung kommt zurück.";
    FailuresForgotten: "Failed attempts to sign in are forgotten.", "Fehlgeschlagene Anmeldungen sind vergessen.";
    BrowsersForgotten: "Every browser of {name} is unknown again.", "Jeder Browser von {name} ist wieder unbekannt.";
    OwnSessionStays: "This is your own account: your session in this browser goes on.", "Das ist Ihr eigenes Konto: Ihre Sitzung in diesem Browser geht weiter.";
    AppGoes: "The authenticator app and its backup codes are removed.", "Die Authentifizierungs-App und ihre Ersatzcodes werden entfernt.";
    AppIsNone: "There is no authenticator app.", "Es gibt keine Authentifizierungs-App.";
    PasskeysNone: "There is no passkey.", "Es gibt keinen Passkey.";
    PasskeysOne: "One passkey is removed.", "Ein Passkey wird entfernt.";
    PasskeysMore: "{count} passkeys are removed.", "{count} Passkeys werden entfernt.";
    PasskeysStay: "The passkeys stay: without a password they are the only way to sign in.", "Die Passkeys bleiben: ohne Passwort sind sie die einzige Art, sich anzumelden.";
    ToldByMail: "{name} is told by e-mail.", "{name} erfährt es per E-Mail.";
    ExportMeans: "You get a file with everything that is stored about {name}: profile, passkeys, roles, applications, and what has happened.", "Sie erhalten eine Datei mit allem, was über {name} gespeichert ist: Profil, Passkeys, Rollen, Anwendungen und was geschehen ist.";
    ExportPersonal: "It holds personal data. Delete it when it is not needed any more.", "Sie enthält persönliche Daten. Löschen Sie sie, wenn sie nicht mehr gebraucht wird.";
    ExportSeen: "The audit trail records the export, and {name} sees it among the activity.", "Der Export wird im Protokoll vermerkt, und {name} sieht ihn unter den Aktivitäten.";
    GrantMeans: "{name} can see and change everything here: every account, every role, the secrets of applications.", "{name} kann hier alles sehen und ändern: jedes Konto, jede Rolle, die Geheimnisse der Anwendungen.";
    GrantNext: "The right counts at once, and you can take it away again.", "Das Recht gilt sofort, und Sie können es wieder nehmen.";
    VerifyAddress: "Count the address as verified", "Adresse als bestätigt führen";
    UnverifyAddress: "Count the address as not verified", "Adresse als nicht bestätigt führen";
    VerifyMeans: "{email} counts as verified, without a link that {name} opened. {name} can sign in.", "{email} gilt als bestätigt, ohne dass {name} einen Link geöffnet hat. {name} kann sich anmelden.";
    VerifyLinks: "Links to verify the address that were sent so far do not work any more.", "Links zur Bestätigung der Adresse, die bisher verschickt wurden, gelten nicht mehr.";
    VerifyTold: "Applications are told that the address is verified, and may trust it.", "Anwendungen erfahren, dass die Adresse bestätigt ist, und verlassen sich vielleicht darauf.";
    UnverifyMeans: "{name} cannot sign in any more until {email} is verified, by a new link or here.", "{name} kann sich nicht mehr anmelden, bis {email} bestätigt ist, durch einen neuen Link oder hier.";
    UnverifyWithoutMail: "The server sends no mail, so {name} can still sign in.", "Der Server verschickt keine E-Mails, {name} kann sich also weiter anmelden.";
    UnverifySessions: "The sessions stay as they are.", "Die Sitzungen bleiben, wie sie sind.";
    UnverifyTold: "Applications are told that the address is not verified.", "Anwendungen erfahren, dass die Adresse nicht bestätigt ist.";
    RevokeMeans: "{name} cannot open this console any more. That counts at once.", "{name} kann diese Verwaltung nicht mehr öffnen. Das gilt sofort.";
    RevokeStays: "The account and its sessions stay as they are.", "Das Konto und seine Sitzungen bleiben, wie sie sind.";
    DeleteMeans: "The account {email}, its passkeys and its roles are deleted for good. That cannot be undone.", "Das Konto {email}, seine Passkeys und seine Rollen werden endgültig gelöscht. Das lässt sich nicht rückgängig machen.";
    DeleteTrail: "Applications that asked for it are told. What has happened stays in the audit trail.", "Anwendungen, die das wünschen, erfahren es. Was geschehen ist, bleibt im Protokoll.";
    SpacesNone: "The person owns no space.", "Der Person gehört kein Space.";
    SpacesOne: "One space stays, without an owner.", "Ein Space bleibt ohne Eigentümer.";
    SpacesMore: "{count} spaces stay, without an owner.", "{count} Spaces bleiben ohne Eigentümer.";
    IsSuspended: "The account is suspended.", "Das Konto ist gesperrt.";
    IsUnsuspended: "The suspension is ended.", "Die Sperre ist aufgehoben.";
    IsSignedOut: "All sessions of the account are ended.", "Alle Sitzungen des Kontos sind beendet.";
    FactorsReset: "The second factors are reset. Passkeys removed: {count}.", "Die zweiten Faktoren sind zurückgesetzt. Entfernte Passkeys: {count}.";
    AdminGranted: "The person is an administrator now.", "Die Person hat jetzt das Verwaltungsrecht.";
    AdminRevoked: "The person is no administrator any more.", "Die Person hat das Verwaltungsrecht nicht mehr.";

    // Signing everybody out
    SignOutEverybody: "Sign everybody out", "Alle abmelden";
    SignOutEverybodyLead: "After an incident: everybody has to sign in again.", "Nach einem Vorfall: alle müssen sich neu anmelden.";
    EverybodySessions: "Sessions that are active now: {sessions}, of {people} people in all.", "Jetzt aktive Sitzungen: {sessions}, bei insgesamt {people} Personen.";
    EverybodyApps: "The applications that people are signed in to are told. Tokens that applications hold stay valid until they expire.", "Die Anwendungen, bei denen jemand angemeldet ist, erfahren es. Zugriffe, die Anwendungen schon haben, gelten weiter, bis sie ablaufen.";
    EverybodySelf: "Your session in this browser goes on, unless you end it too.", "Ihre Sitzung in diesem Browser geht weiter, außer Sie beenden sie auch.";
    Scope: "Who is signed out", "Wer abgemeldet wird";
    ScopeAll: "Everybody, but not this browser", "Alle, nur dieser Browser nicht";
    ScopeNonAdmins: "Everybody but the administrators", "Alle ohne Verwaltungsrecht";
    ScopeAllAndSelf: "Everybody, and this browser too", "Alle, und dieser Browser auch";
    EverybodySignedOut: "Accounts that were signed out: {count}.", "Abgemeldete Konten: {count}.";

    // Audit trail
    Time: "Time", "Zeit";
    Event: "Event", "Ereignis";
    By: "By", "Durch";
    Origin: "From", "Von";
    Details: "Details", "Einzelheiten";
    Refused: "refused", "abgelehnt";
    SomebodyGone: "somebody who is gone", "jemand, den es nicht mehr gibt";
    ThePerson: "the person", "die Person selbst";
    Application: "application", "Anwendung";
    ProvisioningToken: "provisioning token", "Bereitstellungs-Token";
    TheServer: "the server", "der Server";

    PersonFilter: "Person’s address or id", "Adresse oder Kennung";
    FromDay: "From (day)", "Von (Tag)";
    ToDay: "To (day)", "Bis (Tag)";
    EntriesFound: "Entries: {count}", "Einträge: {count}";
    PersonUnknown: "There is no account with this address.", "Mit dieser Adresse gibt es kein Konto.";
    NoEntriesFound: "No entry matches this filter.", "Auf diesen Filter passt kein Eintrag.";
    CsvFile: "Download as CSV", "Als CSV herunterladen";
    CsvHint: "The file has the newest {count} entries of this filter at most. For older ones, choose an earlier last day.", "Die Datei hat höchstens die neuesten {count} Einträge dieses Filters. Für ältere wählen Sie einen früheren letzten Tag.";
    Anonymize: "Empty entries about people who are gone", "Einträge über gelöschte Personen leeren";
    AnonymizeMeans: "Entries about accounts that do not exist any more lose the address of the caller, the browser and the details.", "Einträge über Konten, die es nicht mehr gibt, verlieren die Adresse des Aufrufers, den Browser und die Einzelheiten.";
    AnonymizeStays: "That something has happened, and when, stays.", "Dass etwas geschehen ist, und wann, bleibt.";
    AnonymizeForGood: "That cannot be undone. Doing it again does no harm.", "Das lässt sich nicht rückgängig machen. Es zu wiederholen schadet nicht.";
    Anonymized: "Entries that were emptied: {count}.", "Geleerte Einträge: {count}.";
    AllEntries: "All entries", "Alle Einträge";

    // Roles and their groups
    RolesPageLead: "Roles say what people may do at applications. They are assigned on the page of a person, for a group of applications.", "Rollen sagen, was Personen bei Anwendungen dürfen. Sie werden auf der Seite einer Person zugewiesen, für eine Gruppe von Anwendungen.";
    RoleGroups: "Groups of roles", "Gruppen von Rollen";
    Group: "Group", "Gruppe";
    RolesAtOnce: "At once", "Gleichzeitig";
    OneRole: "one role", "eine Rolle";
    AnyRoles: "any number of roles", "beliebig viele Rollen";
    Rekey: "Move roles to another group", "Rollen in eine andere Gruppe verschieben";
    RekeyLead: "After the role group of applications got another name in the configuration, people have the default roles there until theirs are moved.", "Nachdem die Rollengruppe von Anwendungen in der Konfiguration anders heißt, haben Personen dort die voreingestellten Rollen, bis ihre verschoben sind.";
    OldGroup: "Old name of the group", "Alter Name der Gruppe";
    NewGroup: "New group", "Neue Gruppe";
    RekeyTitle: "Move the roles of “{from}” to “{to}”", "Rollen von „{from}“ nach „{to}“ verschieben";
    RekeyNone: "Nobody has a role under the old name.", "Niemand hat eine Rolle unter dem alten Namen.";
    RekeyOne: "One person has a role under the old name.", "Eine Person hat eine Rolle unter dem alten Namen.";
    RekeyMore: "{count} people have a role under the old name.", "{count} Personen haben eine Rolle unter dem alten Namen.";
    RekeyMeans: "Nothing stays assigned under “{from}”. Whoever has the same role in “{to}” already keeps it once.", "Unter „{from}“ bleibt nichts zugewiesen. Wer dieselbe Rolle in „{to}“ schon hat, behält sie einmal.";
    RekeySingle: "Where a person can have one role only, the one in the new group stays.", "Wo eine Person nur eine Rolle haben kann, bleibt die in der neuen Gruppe.";
    Rekeyed: "Roles that were moved: {count}.", "Verschobene Rollen: {count}.";

    // Applications
    ClientsCaption: "Applications, in the order of the configuration", "Anwendungen, in der Reihenfolge der Konfiguration";
    NoClients: "No application is configured.", "Es ist keine Anwendung eingerichtet.";
    Name: "Name", "Name";
    Kind: "Kind", "Art";
    Confidential: "confidential", "vertraulich";
    Public: "public", "öffentlich";
    Consent: "Consent", "Zustimmung";
    ConsentAsked: "people are asked", "wird erfragt";
    ConsentAskedEachTime: "people are asked each time", "wird jedes Mal erfragt";
    ConsentNotAsked: "nobody is asked", "wird nicht erfragt";
    RoleGroup: "Role group", "Rollengruppe";
    RedirectUris: "Redirect URIs", "Redirect-URIs";
    Identity: "How it identifies itself", "Wie sie sich ausweist";
    Addresses: "Addresses", "Adressen";
    Tokens: "Tokens", "Token";
    Authentication: "Authentication", "Authentifizierung";
    KeyCount: "{count} keys", "{count} Schlüssel";
    Native: "Native app", "Native App";
    PushedRequests: "Pushed requests", "Pushed Requests";
    Grants: "Grant types", "Grant-Typen";
    Scopes: "Scopes", "Scopes";
    SecretVersion: "Version of the secret", "Version des Geheimnisses";
    SecretGrace: "Old secret until", "Altes Geheimnis bis";
    AfterSignOut: "After signing out", "Nach dem Abmelden";
    BackchannelLogout: "Back-channel logout", "Back-Channel-Logout";
    Webhook: "Webhook", "Webhook";
    Logo: "Logo", "Logo";
    Privacy: "Privacy policy", "Datenschutz";
    Terms: "Terms of service", "Nutzungsbedingungen";
    SignedWith: "Signed with", "Signiert mit";
    AccessToken: "Access token", "Access-Token";
    RefreshToken: "Refresh token", "Refresh-Token";
    Introspects: "May look up", "Darf nachsehen";
    IntrospectsAll: "every token of this server", "jedes Token dieses Servers";
    IntrospectsOwn: "its own tokens", "eigene Tokens";
    AsUsual: "as configured for all", "wie für alle eingestellt";
    WithoutDecision: "By default", "Voreingestellt";
    ToSignIn: "Needed to sign in", "Nötig zum Anmelden";
    NoneNeeded: "none", "keine";
    Yes: "yes", "ja";
    No: "no", "nein";
    TestSignIn: "Begin a test sign-in", "Anmeldung testen";
    TestSignInLead: "This address begins a sign-in as the application would. You end at its redirect URI with a code; the application itself should refuse it, because it did not ask.", "Diese Adresse beginnt eine Anmeldung, wie es die Anwendung täte. Sie landen mit einem Code bei ihrer Redirect-URI; die Anwendung selbst sollte ihn ablehnen, weil sie nicht gefragt hat.";
    NoTestSignIn: "A sign-in to this application cannot be begun by an address: it signs nobody in by a redirect, or has to push its requests.", "Bei dieser Anwendung lässt sich keine Anmeldung mit einer Adresse beginnen: sie meldet niemanden mit einer Weiterleitung an, oder muss ihre Anfragen vorab schicken.";
    Secret: "Secret", "Geheimnis";
    SecretLead: "The secret that the application authenticates with.", "Das Geheimnis, mit dem sich die Anwendung ausweist.";
    ShowSecret: "Show the secret", "Geheimnis zeigen";
    SecretMeans: "You see the secret of {client}. Whoever has it can pass for the application.", "Sie sehen das Geheimnis von {client}. Wer es hat, kann sich als die Anwendung ausgeben.";
    SecretKeep: "Put it into the application and nowhere else.", "Tragen Sie es in der Anwendung ein und nirgends sonst.";
    SecretRecorded: "The audit trail records that you have seen it.", "Das Protokoll vermerkt, dass Sie es gesehen haben.";
    WebhookKey: "Key of the webhook’s signatures", "Schlüssel für die Signaturen des Webhooks";
    ToClient: "To the page of the application", "Zur Seite der Anwendung";

    // Configuration
    SearchVariables: "Name or effect", "Name oder Wirkung";
    Value: "Value", "Wert";
    Variable: "Variable", "Variable";
    IsSet: "set", "gesetzt";
    IsDefault: "default", "voreingestellt";
    Default: "default:", "voreingestellt:";
    NeedsRestart: "Change needs a restart", "Änderung braucht Neustart";
    NoVariables: "No variable matches this filter.", "Auf diesen Filter passt keine Variable.";
    VariablesOf: "Variables: {group}", "Variablen: {group}";
    GroupServer: "Server", "Server";
    GroupNetwork: "Network", "Netz";
    GroupAccounts: "Accounts", "Konten";
    GroupLimits: "Limits", "Grenzen";
    GroupContent: "Content", "Inhalte";
    GroupWebhooks: "Webhooks", "Webhooks";
}
