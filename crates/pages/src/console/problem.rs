//! What the use cases of administrators refuse, in words.

/// The English and the German sentence of a code.
pub(crate) fn sentence(code: &str) -> Option<[&'static str; 2]> {
    Some(match code {
        "administratorsOnly" => [
            "This part is for administrators only. Ask one of them if you need access.",
            "Dieser Teil ist der Verwaltung vorbehalten. Fragen Sie dort, wenn Sie Zugang brauchen.",
        ],
        "cannotDeleteSelf" => [
            "You cannot delete your own account here. The page of your account can.",
            "Ihr eigenes Konto können Sie hier nicht löschen. Das geht auf der Seite Ihres Kontos.",
        ],
        "cannotRemoveOwnAdmin" => [
            "You cannot take away your own right to administer. Another administrator can.",
            "Sie können sich das Recht zu verwalten nicht selbst nehmen. Jemand anderes aus der Verwaltung kann das.",
        ],
        "cannotSuspendSelf" => [
            "You cannot suspend your own account. Another administrator can.",
            "Ihr eigenes Konto können Sie nicht sperren. Jemand anderes aus der Verwaltung kann das.",
        ],
        "graceOver" => [
            "This space was deleted more than 30 days ago, and is being removed.",
            "Dieser Bereich wurde vor mehr als 30 Tagen gelöscht und wird gerade entfernt.",
        ],
        "contentErased" => ["What was to be sent is not kept any more.", "Was zu senden war, ist nicht mehr gespeichert."],
        "mailErased" => [
            "The content of this mail is not kept any more, or cannot be read.",
            "Der Inhalt dieser Mail ist nicht mehr gespeichert oder nicht mehr zu lesen.",
        ],
        "mailExpired" => [
            "The link or the code in this mail does not work any more. The person has to ask for a new one.",
            "Der Link oder der Code in dieser Mail gilt nicht mehr. Die Person muss einen neuen anfordern.",
        ],
        "mailNotDead" => ["This mail was sent, or is still tried.", "Diese Mail ist gesendet oder wird noch versucht."],
        "nextKeyTooNew" => [
            "Not every application knows the next keys yet. The page of the keys says from when on they can take over.",
            "Noch kennt nicht jede Anwendung die nächsten Schlüssel. Die Seite der Schlüssel sagt, ab wann sie übernehmen können.",
        ],
        "notDead" => ["This is done, or is still tried.", "Das ist erledigt oder wird noch versucht."],
        "smtp_not_configured" => {
            ["No mail server is configured (APP_SMTP_HOST).", "Es ist kein Mailserver eingerichtet (APP_SMTP_HOST)."]
        }
        "noClientSecret" => [
            "This application authenticates with a key of its own and has no secret.",
            "Diese Anwendung weist sich mit einem eigenen Schlüssel aus und hat kein Geheimnis.",
        ],
        "publicClient" => {
            ["This application is public and has no secret.", "Diese Anwendung ist öffentlich und hat kein Geheimnis."]
        }
        "sameRoleGroup" => ["Choose two different groups.", "Wählen Sie zwei verschiedene Gruppen."],
        "ownerSuspended" => [
            "This person is suspended and cannot sign in. Choose somebody else, or end the suspension first.",
            "Diese Person ist gesperrt und kann sich nicht anmelden. Wählen Sie jemand anderes, oder heben Sie zuerst die Sperre auf.",
        ],
        "spaceDeleted" => {
            ["The space is deleted. Bring it back first.", "Der Bereich ist gelöscht. Stellen Sie ihn zuerst wieder her."]
        }
        "spaceHasOwner" => ["The space has an owner by now.", "Der Bereich hat inzwischen einen Eigentümer."],
        "tooManyRoles" => {
            ["A person has one role of this group at most.", "In dieser Gruppe hat eine Person höchstens eine Rolle."]
        }
        "unknownRole" => {
            ["No application of the group has this role any more.", "Keine Anwendung der Gruppe hat diese Rolle noch."]
        }
        "unknownRoleGroup" => ["No application has this group.", "Keine Anwendung hat diese Gruppe."],
        _ => return None,
    })
}
