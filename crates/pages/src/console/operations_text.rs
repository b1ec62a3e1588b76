//! The texts of the console about the work of the server: mails, workers, keys and blocks.

use crate::text::texts;

texts! {
    OperationsText;

    // Signing keys
    KeysLead: "Tokens for applications are signed with these keys. They rotate by themselves: a key signs for 90 days, and the next one is published from the beginning.", "Mit diesen Schlüsseln werden Token für Anwendungen signiert. Sie wechseln von selbst: ein Schlüssel signiert 90 Tage, und der nächste ist von Anfang an veröffentlicht.";
    KeysCaption: "Keys, the newest first", "Schlüssel, die neuesten zuerst";
    KeyId: "Key", "Schlüssel";
    Algorithm: "Algorithm", "Verfahren";
    KeyState: "State", "Zustand";
    KeyNext: "next", "nächster";
    KeyActive: "signs", "signiert";
    KeyRetired: "retired", "abgelöst";
    KeyUnpublished: "not published any more", "nicht mehr veröffentlicht";
    Made: "Made", "Angelegt";
    SignsSince: "Signs since", "Signiert seit";
    RetiredAt: "Retired", "Abgelöst";
    RotateKeys: "Rotate the keys now", "Schlüssel jetzt wechseln";
    RotateLead: "Every application knows the next keys. They can take over at any time.", "Jede Anwendung kennt die nächsten Schlüssel. Sie können jederzeit übernehmen.";
    RotateLater: "Not every application knows the next keys yet. They can take over from then on:", "Noch kennt nicht jede Anwendung die nächsten Schlüssel. Ab dann können sie übernehmen:";
    RotateNext: "The next keys sign from now on.", "Die nächsten Schlüssel signieren ab jetzt.";
    RotateOld: "What the present keys have signed stays valid until it expires.", "Was die jetzigen Schlüssel signiert haben, bleibt gültig, bis es abläuft.";
    RotateFollowing: "New keys are made and published, to follow these. They can take over after ten minutes.", "Neue Schlüssel werden angelegt und veröffentlicht, um auf diese zu folgen. Sie können nach zehn Minuten übernehmen.";
    ReplaceKeys: "Replace compromised keys", "Bekannt gewordene Schlüssel ersetzen";
    ReplaceLead: "For when others may know a private key: all keys are removed, and new ones sign at once.", "Für den Fall, dass andere einen privaten Schlüssel kennen könnten: alle Schlüssel werden entfernt, und neue signieren sofort.";
    ReplaceAll: "Every key is removed, also those that follow and those that were retired. It cannot be undone.", "Jeder Schlüssel wird entfernt, auch die nächsten und die abgelösten. Das lässt sich nicht rückgängig machen.";
    ReplaceTokens: "Nothing that was signed so far is valid any more: ID tokens, and access tokens that are JWTs.", "Nichts, was bisher signiert wurde, gilt noch: ID-Token, und Zugriffstoken, die JWTs sind.";
    ReplaceClients: "An application that does not fetch the new keys by itself refuses sign-ins until then, for five minutes at most.", "Eine Anwendung, die die neuen Schlüssel nicht von selbst holt, lehnt Anmeldungen so lange ab, höchstens fünf Minuten.";
    ReplaceSessions: "Nobody is signed out here, and refresh tokens go on.", "Hier wird niemand abgemeldet, und Refresh-Token gelten weiter.";
    KeysRotated: "The next keys sign now.", "Die nächsten Schlüssel signieren jetzt.";
    KeysReplaced: "All keys are replaced.", "Alle Schlüssel sind ersetzt.";

    // Blocks
    BlocksLead: "Who is refused just now after too many wrong passwords or codes, or too many requests. Each of them ends by itself.", "Wer gerade abgelehnt wird, nach zu vielen falschen Passwörtern oder Codes oder zu vielen Anfragen. Jede dieser Sperren endet von selbst.";
    BlocksFound: "Blocks: {count}", "Sperren: {count}";
    NoBlocks: "Nobody is blocked just now.", "Gerade ist niemand gesperrt.";
    Blocked: "Who", "Wer";
    Limit: "Reason", "Grund";
    Until: "Until", "Bis";
    Lockout: "wrong passwords or codes", "falsche Passwörter oder Codes";
    LockoutPassword: "wrong passwords", "falsche Passwörter";
    LockoutCode: "wrong codes of the app", "falsche Codes der App";
    LockoutMailedCode: "wrong mailed codes", "falsche Codes aus E-Mails";
    LockoutDeviceCode: "wrong codes of devices", "falsche Codes von Geräten";
    LockoutReauth: "wrong passwords for a change", "falsche Passwörter bei einer Änderung";
    TooManyRequests: "too many requests", "zu viele Anfragen";
    Failures: "{count} failures in a day", "{count} Fehler an einem Tag";
    UnknownAccount: "an address that cannot be told", "eine Adresse, die sich nicht nennen lässt";
    OfThisProcess: "at this process", "bei diesem Prozess";
    LiftBlock: "Lift", "Aufheben";
    LiftBlockOf: "Lift the block of {who}", "Sperre von {who} aufheben";
    BlockLifted: "The block is lifted.", "Die Sperre ist aufgehoben.";

    // Mail
    Connection: "Connection to the mail server", "Verbindung zum Mailserver";
    NoMailServer: "No mail server is configured, so no e-mail is sent.", "Es ist kein Mailserver eingerichtet, es werden keine E-Mails verschickt.";
    Measure: "Measure", "Messen";
    MeasureLead: "Connects to the mail server as for a mail, and sends nothing.", "Verbindet sich mit dem Mailserver wie für eine Mail und verschickt nichts.";
    MailServer: "Server", "Server";
    MailFrom: "Sender", "Absender";
    MailLogin: "Login", "Anmeldung";
    MailWorks: "works", "in Ordnung";
    MailFails: "fails", "gestört";
    Encrypted: "Encryption", "Verschlüsselung";
    NotEncrypted: "none", "keine";
    CertificateValid: "certificate valid", "Zertifikat gültig";
    CertificateInvalid: "certificate not valid", "Zertifikat nicht gültig";
    WithLogin: "with a password", "mit Passwort";
    WithoutLogin: "without", "ohne";
    MailQueue: "Mails that are not sent", "Nicht verschickte Mails";
    MailState: "State", "Zustand";
    MailWaiting: "waiting", "wartet";
    MailRetrying: "tried again", "wird wiederholt";
    MailDead: "given up", "aufgegeben";
    MailKind: "Mail", "Mail";
    Verification: "Verification of an address", "Bestätigung einer Adresse";
    Invite: "Invitation", "Einladung";
    PasswordReset: "New password", "Neues Passwort";
    LoginCode: "Code for a sign-in", "Code für eine Anmeldung";
    NewLogin: "Notice about an event", "Hinweis auf ein Ereignis";
    Recipient: "Recipient", "Empfänger";
    Erased: "erased", "gelöscht";
    Attempts: "Attempts", "Versuche";
    LastError: "Last error", "Letzter Fehler";
    Written: "Written", "Geschrieben";
    NextAttempt: "Next attempt", "Nächster Versuch";
    SendAgain: "Send again", "Noch einmal senden";
    SendAgainTo: "Send the mail to {who} again", "Mail an {who} noch einmal senden";
    SendAllAgain: "Send all dead mails again", "Alle aufgegebenen noch einmal senden";
    MailsFound: "Mails: {count}", "Mails: {count}";
    NoMails: "No mail waits, and none was given up.", "Keine Mail wartet, und keine wurde aufgegeben.";
    MailQueuedAgain: "The mail is on its way again.", "Die Mail ist wieder unterwegs.";
    MailsQueuedAgain: "Mails that are on their way again: {count}. Those whose link or code does not work any more stay where they are.", "Mails, die wieder unterwegs sind: {count}. Die, deren Link oder Code nicht mehr gilt, bleiben liegen.";
    Preview: "How a mail looks", "Wie eine Mail aussieht";
    PreviewLead: "With sample values. Nothing is sent.", "Mit Beispielwerten. Es wird nichts verschickt.";
    ShowPreview: "Show", "Zeigen";
    Language: "Language", "Sprache";
    Subject: "Subject", "Betreff";
    PlainText: "Text", "Text";
    HtmlText: "HTML", "HTML";
    BuiltIn: "built in", "eingebaut";
    Configured: "configured", "eingerichtet";
    Test: "Test mail", "Testmail";
    TestLead: "A mail with sample values, once. Its link does not work.", "Eine Mail mit Beispielwerten, einmal. Ihr Link gilt nicht.";
    SendTest: "Send a test mail", "Testmail senden";
    TestSent: "The mail server has taken the mail.", "Der Mailserver hat die Mail angenommen.";
    TestRefused: "The mail server refused the mail: {answer}", "Der Mailserver hat die Mail abgelehnt: {answer}";

    // Workers and queues
    WorkersLead: "What is done in the background. The figures are those of all processes, the workers those of the one that answers.", "Was im Hintergrund geschieht. Die Zahlen sind die aller Prozesse, die Arbeiter die dessen, der antwortet.";
    Queues: "Queues", "Warteschlangen";
    Queue: "Queue", "Warteschlange";
    Waiting: "Waiting", "Wartend";
    Running: "Running", "In Arbeit";
    Dead: "Given up", "Aufgegeben";
    Oldest: "Oldest", "Älteste";
    Seconds: "{count} s", "{count} s";
    Minutes: "{count} min", "{count} min";
    Hours: "{count} h", "{count} h";
    QueueMail: "Mails", "Mails";
    QueueWebhooks: "Webhooks of spaces", "Webhooks von Bereichen";
    QueueLogouts: "Sign-outs for applications", "Abmeldungen für Anwendungen";
    QueueAccountWebhooks: "Deleted accounts for applications", "Gelöschte Konten für Anwendungen";
    QueueImports: "Imports", "Importe";
    QueueSchedules: "Scheduled publishing", "Geplantes Veröffentlichen";
    QueueMaintenance: "Maintenance", "Wartung";
    Actors: "Workers of this process", "Arbeiter dieses Prozesses";
    Actor: "Worker", "Arbeiter";
    ActorRunning: "runs", "läuft";
    ActorUnresponsive: "does not answer", "antwortet nicht";
    ActorStopping: "is ending", "endet";
    ActorRestarting: "is started again", "wird neu gestartet";
    Mailbox: "Waiting messages", "Wartende Nachrichten";
    Restarts: "Restarts", "Neustarts";
    Observed: "What it tells", "Was er sagt";
    ShowObserved: "Show", "Zeigen";
    DeadOf: "Given up: {queue}", "Aufgegeben: {queue}";
    DeadFound: "Given up: {count}", "Aufgegeben: {count}";
    NothingDead: "Nothing was given up here.", "Hier wurde nichts aufgegeben.";
    What: "What", "Was";
    Target: "Where to", "Wohin";
    GivenUp: "Given up", "Aufgegeben";
    Retry: "Try again", "Noch einmal versuchen";
    RetryOf: "Try {what} again", "{what} noch einmal versuchen";
    RetryAll: "Try everything again", "Alles noch einmal versuchen";
    Retried: "It is tried again.", "Es wird noch einmal versucht.";
    AllRetried: "Tried again: {count}.", "Noch einmal versucht: {count}.";
    BackToWorkers: "Back to the workers", "Zurück zur Arbeit im Hintergrund";
    Live: "Renew these figures", "Diese Zahlen erneuern";

    // Audit trail
    EventMailRetried: "Mail sent again", "Mail noch einmal gesendet";
    EventQueueRetried: "Work tried again", "Arbeit noch einmal versucht";
    EventKeysRotated: "Signing keys rotated", "Signaturschlüssel gewechselt";
    EventBlockLifted: "Block lifted", "Sperre aufgehoben";
}
