//! The texts of the audit trail's filter.

use crate::text::texts;

texts! {
    AuditText;

    Lead: "What has happened with accounts, the newest first.", "Was mit Konten geschehen ist, das Neueste zuerst.";
    Outcome: "Outcome", "Ausgang";
    Succeeded: "succeeded", "gelungen";
    Address: "IP address", "IP-Adresse";
    Application: "Application", "Anwendung";
    Person: "Person (address, id)", "Person (Adresse, Id)";
    WriteAddress: "Write an address such as 203.0.113.7 or 2001:db8::7.", "Schreiben Sie eine Adresse wie 203.0.113.7 oder 2001:db8::7.";
    WritePerson: "Write an e-mail address, or the id of an account.", "Schreiben Sie eine E-Mail-Adresse oder die Id eines Kontos.";
    AllOfAccounts: "All: people with their account", "Alle: Personen mit ihrem Konto";
    AllOfAdministration: "All: administration", "Alle: Verwaltung";
    AllOfSigningIn: "All: signing in and its means", "Alle: Anmeldung und ihre Mittel";
    AllOfApplications: "All: applications", "Alle: Anwendungen";
    AllOfProvisioning: "All: provisioning", "Alle: Bereitstellung";
    EventsThatBegin: "All that begin with {name}", "Alle, die mit {name} anfangen";
}
