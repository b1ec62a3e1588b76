//! The texts of `/studio`. Those of the application itself are in `studio/src/texts`.

use crate::text::texts;

texts! {
    StudioText;

    Spaces: "Your spaces", "Ihre Spaces";
    NewSpace: "New space", "Neuer Space";
    NoSpaceTitle: "You have no space yet", "Sie haben noch keinen Space";
    NoSpaceLead: "A space holds the stories of a site. Make one, or ask for an invitation to one.", "In einem Space liegen die Inhalte einer Website. Legen Sie einen an, oder lassen Sie sich in einen einladen.";
    Changed: "Last change: {time}", "Letzte Änderung: {time}";
    Admin: "Administration", "Verwaltung";
    Editor: "Editing", "Redaktion";
    Viewer: "Reading", "Lesen";

    MissingTitle: "This server has no studio", "Dieser Server hat kein Studio";
    MissingLead: "It was built without the studio. This command builds it with the studio:", "Er wurde ohne das Studio gebaut. Mit Studio wird er so gebaut:";
    ToSpaces: "To your spaces", "Zu Ihren Spaces";

    NameHint: "For example the name of your site.", "Zum Beispiel der Name Ihrer Website.";
    MakeSpace: "Make the space", "Space anlegen";
    SpaceMade: "{space} is ready", "{space} ist fertig";
    TokensLead: "These are the keys that your site reads its stories with. Keep them now: they are not shown again. You can make new ones at any time.", "Mit diesen Schlüsseln liest Ihre Website die Inhalte. Sichern Sie sie jetzt, sie werden nicht noch einmal angezeigt. Neue können Sie jederzeit anlegen.";
    PublicToken: "Public token", "Öffentlicher Token";
    PublicTokenLead: "Reads what is published. It may be in a browser.", "Liest, was veröffentlicht ist. Er darf im Browser stehen.";
    PreviewToken: "Preview token", "Vorschau-Token";
    PreviewTokenLead: "Reads drafts as well. For your preview only.", "Liest auch Entwürfe. Nur für Ihre Vorschau.";
    PrivateToken: "Private token", "Privater Token";
    PrivateTokenLead: "Reads everything, private files too. For your server only.", "Liest alles, auch private Dateien. Nur für Ihren Server.";
    OpenSpace: "Open the space", "Space öffnen";
    TokensGoneTitle: "The tokens were shown", "Die Tokens wurden angezeigt";
    TokensGoneLead: "They are shown once, right after a space was made. You can make new ones at any time.", "Sie werden nur einmal angezeigt, gleich nachdem ein Space angelegt wurde. Neue können Sie jederzeit anlegen.";

    SignedInTitle: "You are signed in again", "Sie sind wieder angemeldet";
    SignedInLead: "You can close this window and go on in the studio.", "Sie können dieses Fenster schließen und im Studio weitermachen.";

    Studio: "Studio", "Studio";
    NeedsScript: "The studio only works with JavaScript. Switch it on in your browser, and load this page again.", "Das Studio funktioniert nur mit JavaScript. Schalten Sie es im Browser ein, und laden Sie diese Seite neu.";
    NotLoaded: "Part of the studio could not be loaded. Check your connection.", "Ein Teil des Studios ließ sich nicht laden. Prüfen Sie Ihre Verbindung.";
    LoadAgain: "Load the page again", "Seite neu laden";
    Loading: "Opening {space} …", "{space} wird geöffnet …";
}
