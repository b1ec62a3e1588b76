//! The texts of the audit trail's filter.

use crate::text::texts;

texts! {
    AuditText;

    Lead: "What has happened with accounts, the newest first.", "Was mit Konten geschehen ist, das Neueste zuerst.";
    Outcome: "Outcome", "Ausgang";
    Succeeded: "succeeded", "gelungen";
    Address: "IP address", "IP-Adresse";
    Application: "Application", "Anwendung";
    Person: "Person (address or id)", "Person (Adresse oder Kennung)";
    AllOfAccounts: "All: people with their account", "Alle: Personen mit ihrem Konto";
    AllOfAdministration: "All: administration", "Alle: Verwaltung";
    AllOfSigningIn: "All: signing in and its means", "Alle: Anmeldung und ihre Mittel";
    AllOfApplications: "All: applications", "Alle: Anwendungen";
    AllOfProvisioning: "All: provisioning", "Alle: Bereitstellung";
    EventsThatBegin: "All that begin with {name}", "Alle, die mit {name} anfangen";
}
