//! The texts of the page of a person and of the lists below it.

use crate::text::texts;

texts! {
    PersonText;

    Help: "Help", "Helfen";
    Access: "Access", "Zugang";
    Danger: "Danger", "Vorsicht";
    Invited: "invited", "eingeladen";
    SessionsOf: "Sessions of {name}", "Sitzungen von {name}";
    AllSessions: "All sessions", "Alle Sitzungen";
    AppsOf: "Applications of {name}", "Anwendungen von {name}";
    AllApps: "All applications", "Alle Anwendungen";
    GrantsFound: "Grants: {count}", "Zugriffe: {count}";
    Since: "Since", "Seit";
    May: "May read", "Darf lesen";
}
