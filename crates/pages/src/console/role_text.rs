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
    UseDefaults: "Use default roles", "Voreingestellte Rollen verwenden";
    UseDefaultsOf: "Use default roles in {group}", "Voreingestellte Rollen verwenden in {group}";
    UseDefaultsFor: "Use default roles for {name} in {group}", "Voreingestellte Rollen für {name} in {group}";
    WillBeDefault: "From then on by default: {roles}.", "Danach voreingestellt: {roles}.";
    WillBeDefaultAt: "From then on by default at {client}: {roles}.", "Danach voreingestellt bei {client}: {roles}.";
    Undecided: "From then on these roles follow what the applications have by default.", "Danach richten sich diese Rollen nach dem, was bei den Anwendungen voreingestellt ist.";
    Decided: "From then on these roles count, and no longer what the applications have by default.", "Danach gelten diese Rollen, und nicht mehr, was bei den Anwendungen voreingestellt ist.";
}
