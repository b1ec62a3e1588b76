//! The texts about the roles of a person.

use crate::text::texts;

texts! {
    RoleText;

    DefaultsApply: "Default roles apply until you choose.", "Voreingestellte Rollen gelten, bis Sie wählen.";
    DefaultsAre: "By default: {roles}.", "Voreingestellt: {roles}.";
    DefaultsAt: "By default at {client}: {roles}.", "Voreingestellt bei {client}: {roles}.";
    Default: "default", "voreingestellt";
    UntilNow: "Until now by default: {roles}.", "Bis jetzt voreingestellt: {roles}.";
    UntilNowAt: "Until now by default at {client}: {roles}.", "Bis jetzt voreingestellt bei {client}: {roles}.";
    Gained: "New: {roles}.", "Neu: {roles}.";
    Lost: "Taken away: {roles}.", "Fällt weg: {roles}.";
    NothingLost: "No role is taken away.", "Keine Rolle fällt weg.";
    Decided: "From then on these roles count, and no longer what the applications have by default.", "Danach gelten diese Rollen, und nicht mehr, was bei den Anwendungen voreingestellt ist.";
}
