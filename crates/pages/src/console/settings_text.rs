//! The texts about settings: times in days, hours, minutes and seconds, and the pages of the configuration
//! and of applications.

use crate::text::texts;

texts! {
    SettingsText;

    // Times
    Day: "1 day", "1 Tag";
    Days: "{count} days", "{count} Tage";
    Hour: "1 hour", "1 Stunde";
    Hours: "{count} hours", "{count} Stunden";
    Minute: "1 minute", "1 Minute";
    Minutes: "{count} minutes", "{count} Minuten";
    Second: "1 second", "1 Sekunde";
    Seconds: "{count} seconds", "{count} Sekunden";

    // Configuration
    ConfigurationLead: "The variables that this process was started with. Secrets are never shown.", "Die Variablen, mit denen dieser Prozess gestartet wurde. Geheimnisse werden nie gezeigt.";
    AllVariables: "All about the variables, in English", "Alles über die Variablen, auf Englisch";

    // Applications
    ClientsLead: "What people sign in to through this server, as it is configured:", "Wobei sich Personen über diesen Server anmelden. So ist es eingerichtet:";
    AboutClients: "All about applications, in English", "Alles über Anwendungen, auf Englisch";
    EntriesOfClient: "What has happened at this application", "Was bei dieser Anwendung geschehen ist";
}
