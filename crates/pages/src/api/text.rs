//! The texts of the pages about the API. What is described there is English: it comes from the description of
//! the API itself.

use crate::text::texts;

texts! {
    ApiText;

    Title: "API", "API";
    Lead: "Every operation of this server, with its parameters, bodies and answers, and a form to try it. The descriptions are in English.", "Jede Operation dieses Servers, mit Parametern, Inhalten und Antworten, und einem Formular zum Ausprobieren. Die Beschreibungen sind englisch.";
    Document: "The whole description for programs (OpenAPI 3.1)", "Die ganze Beschreibung für Programme (OpenAPI 3.1)";
    Documents: "The documents of this server", "Die Dokumentation dieses Servers";
    About: "What holds for all operations", "Was für alle Operationen gilt";
    Find: "Find an operation", "Operation suchen";
    NothingFound: "No operation has this in its path or its summary.", "Keine Operation hat das in Pfad oder Kurzbeschreibung.";
    AllOperations: "All operations", "Alle Operationen";
    WhoMayCall: "Who may call it", "Wer sie aufrufen darf";
    Everybody: "Everybody", "Jeder";
    Roles: "Management tokens with the role {roles}.", "Management-Tokens mit der Rolle {roles}.";
    Parameters: "Parameters", "Parameter";
    Name: "Name", "Name";
    Place: "Where", "Wo";
    Kind: "Type", "Typ";
    Meaning: "Meaning", "Bedeutung";
    Required: "required", "nötig";
    Body: "Body", "Inhalt";
    Members: "Members", "Felder";
    Example: "Example", "Beispiel";
    Answers: "Answers", "Antworten";
    TryIt: "Try it", "Ausprobieren";
    TryLead: "The request goes to this server and really does what it says.", "Die Anfrage geht an diesen Server und tut wirklich, was da steht.";
    NeedsScript: "Trying it needs JavaScript.", "Zum Ausprobieren ist JavaScript nötig.";
    Token: "Token", "Token";
    TokenHint: "Kept in this tab until it is closed.", "Bleibt in diesem Tab, bis er geschlossen wird.";
    BySession: "The session of this browser is used, with its CSRF token.", "Die Sitzung dieses Browsers wird verwendet, mit ihrem CSRF-Token.";
    ClientId: "Client id", "Client-Kennung";
    ClientSecret: "Client secret", "Client-Geheimnis";
    Send: "Send", "Senden";
    Answer: "Answer", "Antwort";
    Unreachable: "The server did not answer.", "Der Server hat nicht geantwortet.";
}
