//! Roles that applications give by default: they are named and ticked until an administrator chooses, and a
//! choice takes none of them away without a word.

use super::{id_of, person, with_ann};
use crate::pages::ANN;

/// A group of two applications, of which one has a default role; one where a person has one role; and an
/// application without roles.
const CLIENTS: &str = r#"[
    {"clientId":"web","name":"Web","redirectUris":["https://a.example/cb"],"roleGroup":"site","roles":["viewer","editor"],"defaultRoles":["viewer"]},
    {"clientId":"desk","name":"Desk","redirectUris":["https://b.example/cb"],"roleGroup":"site","roles":["editor","agent"]},
    {"clientId":"one","name":"One","redirectUris":["https://c.example/cb"],"roles":["free","paid"],"roleMode":"single","defaultRoles":["free"]},
    {"clientId":"plain","name":"Plain","redirectUris":["https://d.example/cb"]}
]"#;

const STORED: &str =
    "select coalesce(string_agg(role_group || ':' || role, ' ' order by role_group, role), '') as text from role_assignments";

#[tokio::test]
async fn default_roles_are_ticked_and_named_until_a_choice_and_groups_without_roles_are_left_out() {
    let (app, admin, _) = with_ann(&[("APP_OIDC_CLIENTS_JSON", CLIENTS)]).await;
    let path = format!("{}/roles", person(&id_of(&app, ANN).await));
    let page = admin.page(&path).await;
    for part in [
        "Default roles apply until you choose. By default at Web: viewer.",
        "Default roles apply until you choose. By default: free.",
        "name=\"role:viewer\" checked",
        "name=\"role\" value=\"free\" checked",
    ] {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
    assert_eq!(page.text.matches(" checked").count(), 2, "{}", page.text);
    assert_eq!(page.text.matches("class=\"badge\">default").count(), 2, "{}", page.text);
    assert!(!page.text.contains("plain") && !page.text.contains("Plain"), "{}", page.text);
    assert!(!admin.page("/admin/roles").await.text.contains("Plain"));
}

#[tokio::test]
async fn a_role_that_is_added_takes_none_away_and_one_that_goes_is_named_before() {
    let (app, admin, _) = with_ann(&[("APP_OIDC_CLIENTS_JSON", CLIENTS)]).await;
    let id = id_of(&app, ANN).await;
    let path = format!("{}/roles/change", person(&id));
    // The page's form as it stands, with one more tick.
    let page = admin.page(&format!("{path}?group=site&role:viewer=on&role:editor=on")).await;
    for part in ["Until now by default at Web: viewer.", "New: editor.", "No role is taken away.", "From then on these roles count"]
    {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
    let alone = admin.page(&format!("{path}?group=site&role:editor=on")).await;
    assert!(alone.text.contains("Taken away: viewer.") && !alone.text.contains("No role is taken away."), "{}", alone.text);
    let fields = [("group", "site"), ("role:viewer", "on"), ("role:editor", "on")];
    assert_eq!(admin.fill_in(&format!("{path}?group=site"), &fields).await.status, 303);
    assert_eq!(app.value::<String>(STORED).await, "site:editor site:viewer");
    let page = admin.page(&format!("{path}?group=site&role:editor=on&role:agent=on")).await;
    for part in ["Until now: editor, viewer.", "New: agent.", "Taken away: viewer."] {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
    let page = admin.page(&format!("{path}?group=one&role=paid")).await;
    assert!(page.text.contains("Until now by default: free.") && page.text.contains("Taken away: free."), "{}", page.text);
    let roles = admin.page(&format!("{}/roles", person(&id))).await;
    assert_eq!(roles.text.matches("Default roles apply until you choose.").count(), 1, "of the other group: {}", roles.text);
}

#[tokio::test]
async fn an_account_is_given_back_to_the_default_roles() {
    let (app, admin, _) = with_ann(&[("APP_OIDC_CLIENTS_JSON", CLIENTS)]).await;
    let roles = format!("{}/roles", person(&id_of(&app, ANN).await));
    let change = format!("{roles}/change");
    assert!(!admin.page(&roles).await.text.contains("Use default roles"), "they apply already");
    for (group, chosen) in [("site", ("role:agent", "on")), ("one", ("role", "paid"))] {
        assert_eq!(admin.fill_in(&format!("{change}?group={group}"), &[("group", group), chosen]).await.status, 303);
    }
    let page = admin.page(&roles).await;
    assert_eq!(page.text.matches(">Use default roles<").count(), 2, "{}", page.text);
    // The button is one of the form of the group, so that what is ticked is sent, too.
    let page = admin.page(&format!("{change}?group=site&role:agent=on&defaults=on")).await;
    for part in [
        "From then on by default at Web: viewer.",
        "Until now: agent.",
        "New: viewer.",
        "Taken away: agent.",
        "follow what the applications have by default",
    ] {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
    assert_eq!(app.value::<String>(STORED).await, "one:paid site:agent", "the page alone changes nothing");
    let fields = [("group", "site"), ("defaults", "on")];
    assert_eq!(admin.fill_in(&format!("{change}?group=site&defaults=on"), &fields).await.status, 303);
    assert_eq!(app.value::<String>(STORED).await, "one:paid");
    let page = admin.page(&format!("{change}?group=one&defaults=on")).await;
    assert!(page.text.contains("From then on by default: free.") && page.text.contains("Taken away: paid."), "{}", page.text);
    let roles = admin.page(&roles).await;
    assert!(roles.text.contains("Default roles apply until you choose. By default at Web: viewer."), "{}", roles.text);
    assert_eq!(roles.text.matches(">Use default roles<").count(), 1, "of the other group: {}", roles.text);
}
