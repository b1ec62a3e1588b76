//! The texts about tokens, and about links that administrators make.

use crate::text::texts;

texts! {
    TokenText;

    TokensLead: "Tokens outlive sessions and passwords. These act for a person or a program in a space, or read its drafts. Their secrets are shown to nobody.", "Tokens überdauern Sitzungen und Passwörter. Diese handeln in einem Space für eine Person oder ein Programm oder lesen dessen Entwürfe. Ihr Geheimnis sieht niemand mehr.";
    TokensFound: "Tokens: {count}", "Tokens: {count}";
    NoTokenFound: "No token matches this filter.", "Auf diesen Filter passt kein Token.";
    NoTokenHere: "There is no token yet. They are made in spaces; those that act for people or programs, or read drafts, stand here.", "Noch gibt es kein Token. Sie entstehen in Spaces; wer damit für Personen oder Programme handelt oder Entwürfe liest, steht hier.";
    Token: "Token", "Token";
    May: "May", "Darf";
    ActsFor: "Acts for", "Handelt für";
    NoPerson: "nobody", "niemanden";
    WithPerson: "a person", "eine Person";
    LastUsed: "Last used", "Zuletzt benutzt";
    NotKnown: "not known", "nicht bekannt";
    NeverUsed: "never", "nie";
    RoleAdmin: "full access", "alles";
    RoleEditor: "write content", "Inhalte schreiben";
    RoleViewer: "read", "lesen";
    ReadsDrafts: "read drafts", "Entwürfe lesen";
    Stopped: "stopped: the person is suspended", "ruht: die Person ist gesperrt";
    Revoke: "Take away", "Entziehen";
    RevokeTitle: "Take the token “{name}” away", "Token „{name}“ entziehen";
    RevokeMeans: "The token “{name}” of the space {space} opens nothing from now on. That cannot be undone: whoever uses it needs another one.", "Das Token „{name}“ des Spaces {space} öffnet ab jetzt nichts mehr. Das lässt sich nicht rückgängig machen: wer es benutzt, braucht ein anderes.";
    RevokeActs: "It acts for {email}.", "Es handelt für {email}.";
    RevokeTold: "The audit log of the space says that an administrator took it away.", "Im Protokoll des Spaces steht, dass die Verwaltung es entzogen hat.";
    Revoked: "The token is taken away.", "Das Token ist entzogen.";
    TokensOfPerson: "Tokens that act for the person", "Tokens, die für die Person handeln";
    AllTokens: "All tokens", "Alle Tokens";

    // Before an act on a person
    TokensStopNone: "No token acts for the person.", "Kein Token handelt für die Person.";
    TokensStopOne: "One token stops until the suspension ends.", "Ein Token ruht, bis die Sperre endet.";
    TokensStopMore: "{count} tokens stop until the suspension ends.", "{count} Tokens ruhen, bis die Sperre endet.";
    TokensEndOne: "One token that acts for the person is revoked.", "Ein Token, das für die Person handelt, wird entzogen.";
    TokensEndMore: "{count} tokens that act for the person are revoked.", "{count} Tokens, die für die Person handeln, werden entzogen.";
    TokensBack: "Tokens that stopped with the suspension work again.", "Tokens, die mit der Sperre ruhten, wirken wieder.";
    TokensGoOn: "Tokens that act for the person go on, unless you take them away too.", "Tokens, die für die Person handeln, wirken weiter, außer Sie entziehen sie auch.";
    RevokeTokensToo: "Take the tokens away too", "Auch die Tokens entziehen";
    SpacesStayOwned: "Spaces, imports, schedules, webhooks and tokens of front ends go on.", "Spaces, Importe, Zeitpläne, Webhooks und Tokens von Websites laufen weiter.";
    ListedSessions: "Sessions that end", "Sitzungen, die enden";
    ListedApps: "Applications that lose their access", "Anwendungen, die den Zugriff verlieren";
    ListedTokens: "Tokens", "Tokens";
    ListedSpaces: "Spaces without an owner afterwards", "Spaces, die danach keinen Eigentümer haben";
    AndMore: "and {count} more", "und {count} weitere";

    // Links
    InviteAgain: "Invite again", "Noch einmal einladen";
    ResetLink: "Link for a new password", "Link für ein neues Passwort";
    InviteMailedMeans: "{email} gets the invitation once more by e-mail. It works for 7 days.", "{email} bekommt die Einladung noch einmal per E-Mail. Sie gilt 7 Tage.";
    InviteShownMeans: "You get a new link of the invitation, to pass on to {name}. It works for 7 days.", "Sie erhalten einen neuen Link zur Einladung, den Sie an {name} weitergeben. Er gilt 7 Tage.";
    InviteOld: "Links of earlier invitations do not work any more.", "Links früherer Einladungen gelten nicht mehr.";
    ResetMailedMeans: "{email} gets a link for a new password by e-mail. It works once, within an hour.", "{email} bekommt per E-Mail einen Link für ein neues Passwort. Er gilt einmal, eine Stunde lang.";
    ResetShownMeans: "You get a link for a new password, to pass on to {name}. It works once, within an hour. Who has it can set the password, so give it to nobody else.", "Sie erhalten einen Link für ein neues Passwort, den Sie an {name} weitergeben. Er gilt einmal, eine Stunde lang. Wer ihn hat, kann das Passwort festlegen: geben Sie ihn sonst niemandem.";
    ResetUntil: "Until it is used, the old password and all sessions stay as they are. Then the sessions end.", "Bis er benutzt wird, bleiben das alte Passwort und alle Sitzungen, wie sie sind. Dann enden die Sitzungen.";
    ResetSecond: "A second factor is still asked for at the next sign-in.", "Nach einem zweiten Faktor wird bei der nächsten Anmeldung weiterhin gefragt.";
    LinkMailed: "The link is on its way by e-mail.", "Der Link ist per E-Mail unterwegs.";
    LinkTitle: "Link for {email}", "Link für {email}";
    LinkLead: "This server sends no e-mail: pass this link on to the person. It is shown only now.", "Dieser Server verschickt keine E-Mails: geben Sie diesen Link an die Person weiter. Er wird nur jetzt gezeigt.";
}
