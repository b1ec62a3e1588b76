//! The texts about what needs an administrator.

use crate::text::texts;

texts! {
    ConcernText;

    NeedsYou: "Needs you", "Braucht Sie";
    NothingNeedsYou: "Nothing needs you just now", "Gerade braucht nichts Ihre Hilfe";
    DataGone: "The data directory was deleted. What is written now is lost with the process.", "Das Datenverzeichnis wurde gelöscht. Was jetzt geschrieben wird, geht mit dem Prozess verloren.";
    ReadRestore: "How to restore a backup", "So spielen Sie eine Sicherung ein";
    LowDisk: "Only {free} MB are free on the disk. When it is full, nothing can be saved.", "Nur noch {free} MB sind auf der Platte frei. Ist sie voll, lässt sich nichts mehr speichern.";
    DiskFull: "The disk of the database is full: nothing can be saved.", "Die Platte der Datenbank ist voll: Es lässt sich nichts mehr speichern.";
    ReadDisk: "What to do", "Was zu tun ist";
    SendingPaused: "Sending is paused: no mail and no webhook leaves this server.", "Der Versand ruht: Weder Mails noch Webhooks verlassen diesen Server.";
    ReadSending: "Why that is, and how to resume", "Warum das so ist und wie es weitergeht";
    KeysStuck: "The signing keys do not rotate. Applications may soon refuse to sign people in.", "Die Signaturschlüssel wechseln nicht. Anwendungen könnten Anmeldungen bald ablehnen.";
    LookAtKeys: "Look at the keys", "Schlüssel ansehen";
    MailGivenUp: "One mail could not be sent and was given up.", "Eine Mail ließ sich nicht senden und wurde aufgegeben.";
    MailsGivenUp: "{count} mails could not be sent and were given up.", "{count} Mails ließen sich nicht senden und wurden aufgegeben.";
    LookAtMails: "Look at them", "Ansehen";
    MailsLate: "Mails wait since {time}. The mail server may be away, or its certificate not valid.", "Seit {time} warten Mails. Vielleicht ist der Mailserver nicht erreichbar oder sein Zertifikat ungültig.";
    TestMail: "Test the connection", "Verbindung testen";
    NoticeGivenUp: "One application was not told that a person signed out or changed.", "Eine Anwendung hat nicht erfahren, dass sich jemand abgemeldet oder geändert hat.";
    NoticesGivenUp: "{count} notices to applications, that people signed out or changed, were given up.", "{count} Nachrichten an Anwendungen, dass sich jemand abgemeldet oder geändert hat, wurden aufgegeben.";
    DeliveryGivenUp: "One webhook delivery was given up.", "Eine Webhook-Zustellung wurde aufgegeben.";
    DeliveriesGivenUp: "{count} webhook deliveries were given up.", "{count} Webhook-Zustellungen wurden aufgegeben.";
    ImportGivenUp: "One import failed.", "Ein Import ist gescheitert.";
    ImportsGivenUp: "{count} imports failed.", "{count} Importe sind gescheitert.";
    LookAtDead: "Look at them, and send again", "Ansehen und erneut senden";
    ReceiverFails: "One receiver fails again and again; deliveries to it wait:", "Ein Empfänger schlägt immer wieder fehl; Zustellungen an ihn warten:";
    ReceiversFail: "{count} receivers fail again and again; deliveries to them wait:", "{count} Empfänger schlagen immer wieder fehl; Zustellungen an sie warten:";
    ReadDeliveries: "What to do", "Was zu tun ist";
    MailOff: "No mail server is set up: nobody gets links, codes or notices by mail.", "Es ist kein Mailserver eingerichtet: Niemand bekommt Links, Codes oder Hinweise per Mail.";
    SetUpMail: "Set up mail", "Mail einrichten";
    LoopbackAddress: "The address of this server leads to this machine only: links and passkeys work nowhere else.", "Die Adresse dieses Servers führt nur zu diesem Rechner: Links und Passkeys funktionieren nirgends sonst.";
    SetUpAddress: "Before others use it", "Bevor andere ihn benutzen";
}
