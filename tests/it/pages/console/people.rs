//! The overview, the list of people, and the page of a person.

use super::{ADMIN, ANN, CLIENTS, app_with, id_of, person, with_administrator, with_ann};
use support::prelude::*;

#[tokio::test]
async fn the_overview_counts_and_says_what_works() {
    let (app, admin, _) = with_ann(&[]).await;
    app.sql("update users set suspended_at = now() where email like 'ann%'").await;
    let page = admin.page("/admin").await;
    for (label, path, count) in [
        ("all", "/admin/users", "2"),
        ("address verified", "/admin/users?emailVerified=true", "2"),
        ("administrators", "/admin/users?isAdmin=true", "1"),
        ("suspended", "/admin/users?suspended=true", "1"),
        ("webhook deliveries given up", "/admin/workers/webhooks", "0"),
    ] {
        let figure = format!("<a href=\"{path}\">{label}</a></dt><dd>{count}</dd>");
        assert!(page.text.contains(&figure), "{figure}: {}", page.text);
        assert_eq!(admin.page(path).await.status, 200, "{path}");
    }
    // The clock of the tests stands at noon.
    let sign_ins = "href=\"/admin/audit?event=auth.login.success&amp;from=2026-02-28\"";
    assert!(page.text.contains(sign_ins), "{}", page.text);
    let job = "insert into jobs (queue, key, due_at, created_at, lease_token, lease_until)
               values ('import', 'held', statement_timestamp(), statement_timestamp(), gen_random_uuid(), clock_timestamp() + interval '5 minutes')";
    app.sql(job).await;
    assert!(admin.page("/admin").await.text.contains("Oldest work that waits"));
    assert!(page.text.contains(env!("CARGO_PKG_VERSION")) && page.text.contains("Database"), "{}", page.text);
}

/// What the overview leads with, as the paths of the ways on.
async fn ways(admin: &Person) -> Vec<String> {
    let page = admin.page("/admin").await;
    let panel = page.text.split("concerns").nth(1).unwrap().split("</section>").next().unwrap();
    panel.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_overview_leads_with_what_needs_a_person_and_nothing_that_is_routine() {
    let mails = MailBox::start().await;
    let mut set_up = mails.variables().to_vec();
    set_up.push(("APP_BASE_URL", "https://cms.example.org"));
    let well = app_with(&set_up).await;
    let admin = Person::at(&well);
    admin.sign_up(ADMIN).await;
    well.sql("update users set email_verified = true").await;
    assert_eq!(admin.sign_in(ADMIN, PASSWORD).await.status, 303);
    mails.next_to(ADMIN).await;
    assert!(admin.page("/admin").await.text.contains("Nothing needs you just now"));

    let (app, admin, _) = with_ann(&[]).await;
    let (mail_off, loopback) = ("/docs/operations#mail", "/docs/operations#before-it-serves-others");
    assert_eq!(ways(&admin).await, [mail_off, loopback], "the routine of the server is no backlog");
    for (broken, way) in [
        (
            "insert into jobs (queue, key, due_at, created_at, dead_at) values ('import', 'x', now(), now(), now())",
            "/admin/workers/imports",
        ),
        (
            "insert into receivers (kind, owner, url, active, created_at, health, failures, circuit, circuit_opened_at, circuit_until)
             values ('webhook', '1', 'https://hooks.example/secret', true, now(), 'failing', 12, 'open', now(), now())",
            "/docs/operations#deliveries-are-late",
        ),
        (
            "insert into mails (id, user_id, template, locale, created_at, dead_at, reason)
             select gen_random_uuid(), id, 'invite', 'en', now(), now(), 'refused' from users limit 1",
            "/admin/mail?state=dead",
        ),
        (
            "insert into mails (id, user_id, template, locale, sealed, created_at)
             select gen_random_uuid(), id, 'invite', 'en', '', '2026-03-01T11:49:00Z' from users limit 1",
            "/admin/mail?measure=true",
        ),
        ("update signing_keys set activated_at = activated_at - interval '92 days' where retired_at is null", "/admin/keys"),
        ("update sending set paused_at = now()", "/docs/operations#sending-is-paused"),
    ] {
        assert!(!ways(&admin).await.contains(&way.to_owned()), "{way}");
        app.sql(broken).await;
        let found = ways(&admin).await;
        assert!(found.contains(&way.to_owned()), "{way}: {found:?}");
        assert_eq!(found[found.len() - 2..], [mail_off, loopback], "what is not urgent comes last");
    }
    let page = admin.page("/admin").await;
    assert!(page.text.contains("hooks.example") && !page.text.contains("hooks.example/secret"), "{}", page.text);
    for way in ways(&admin).await {
        let (path, anchor) = way.split_once('#').unwrap_or((&way, ""));
        let page = admin.page(path).await;
        assert!(
            page.status == 200 && (anchor.is_empty() || page.text.contains(&format!("id=\"{anchor}\""))),
            "{way} leads somewhere"
        );
    }
}

#[tokio::test]
async fn a_page_behind_the_end_and_an_empty_list_say_what_they_are() {
    let (app, admin, _) = with_ann(&[]).await;
    let id = id_of(&app, ANN).await;
    let sessions = person(&id) + "/sessions";
    for path in ["/admin/users", "/admin/audit", &sessions] {
        let page = admin.page(&format!("{path}?page=99")).await;
        assert!(
            page.status == 200 && page.text.contains("There is no page 99: the list ends with page 1."),
            "{path}: {}",
            page.text
        );
        assert!(page.text.contains(&format!("href=\"{path}?page=1\"")), "{path}: {}", page.text);
    }
    for (path, told) in [
        ("/admin/mail", "Mails stand here until"),
        ("/admin/workers/webhooks", "What fails again and again stands here"),
        ("/admin/spaces", "People make spaces"),
        ("/admin/tokens", "They are made in spaces"),
    ] {
        let page = admin.page(path).await;
        assert!(page.text.contains(told), "{path}: {}", page.text);
    }
}

#[tokio::test]
async fn sessions_and_grants_of_a_person_have_pages() {
    let (app, admin, _) = with_ann(&[("APP_OIDC_CLIENTS_JSON", CLIENTS)]).await;
    let id = id_of(&app, ANN).await;
    app.sql("insert into sessions (id, user_id, token_version, ip, amr, auth_at, created_at, last_seen_at, expires_at)
         select gen_random_uuid(), user_id, token_version, '192.0.2.1', amr, auth_at, created_at - n * interval '1 second', last_seen_at, expires_at
         from sessions, generate_series(1, 59) n where user_id = (select id from users where email = 'ann@example.org')",
    )
    .await;
    app.sql("insert into oidc_grants (id, client_id, user_id, scope, resources, claims, auth_at, amr, is_offline, created_at, expires_at)
         select gen_random_uuid(), 'web', id, '{openid,email}', '{}', '{}', now(), '{pwd}', true, '2026-03-01', '2100-01-01'
         from users, generate_series(1, 60) where email = 'ann@example.org'",
    )
    .await;
    let rows = |html: &str| html.matches("<th scope=\"row\"").count();
    let page = admin.page(&person(&id)).await;
    assert!(page.text.contains("60 active sessions") && page.text.contains("Grants: 60"), "{}", page.text);
    for part in ["sessions", "apps"] {
        let path = format!("/admin/users/{id}/{part}");
        assert!(page.text.contains(&format!("href=\"{path}\"")), "{part}: {}", page.text);
        let first = admin.page(&path).await;
        assert_eq!((rows(&first.text), first.text.contains("Page 1 of 2, 60 in all")), (50, true), "{}", first.text);
        assert_eq!(rows(&admin.page(&format!("{path}?page=2")).await.text), 10, "{part}");
        let missing = admin.page(&format!("/admin/users/{}/{part}", uuid::Uuid::nil())).await;
        assert_eq!(missing.status, 404, "{part}");
    }
    let suspend = admin.page(&format!("/admin/users/{id}/suspend")).await;
    assert!(suspend.text.contains("60 sessions end at once.") && suspend.text.contains("50 more"), "{}", suspend.text);
    assert_eq!(suspend.text.matches("<li>Shop &lt;b&gt;</li>").count(), 1, "an application is named once: {}", suspend.text);
}

#[tokio::test]
async fn an_invited_person_is_shown_as_such_until_the_first_sign_in() {
    let (app, admin, _) = with_ann(&[]).await;
    let fields = [("email", "ben@example.org"), ("firstName", "Ben"), ("locale", "en"), ("passwordMode", "invite")];
    assert_eq!(admin.fill_in("/admin/users/new", &fields).await.status, 200);
    let state = async |email: &str| {
        let page = admin.page(&person(&id_of(&app, email).await)).await;
        let list = admin.page(&format!("/admin/users?search={email}")).await;
        let badge = |html: &str| {
            html.split("class=\"badges\">").nth(1).unwrap().split('<').nth(1).unwrap().split('>').nth(1).unwrap().to_owned()
        };
        assert_eq!(badge(&page.text), badge(&list.text));
        badge(&page.text)
    };
    assert_eq!((state("ben@example.org").await, state(ANN).await), ("invited".to_owned(), "active".to_owned()));
    let page = admin.page(&person(&id_of(&app, "ben@example.org").await)).await;
    let groups: Vec<usize> = ["Help<", "Access<", "Danger<"].map(|title| page.text.find(title).unwrap()).to_vec();
    assert!(groups.is_sorted(), "{}", page.text);
    let [invite, delete] = ["/invite\"", "/delete\""].map(|act| page.text.find(act).unwrap());
    assert!(groups[0] < invite && invite < groups[1] && groups[2] < delete, "{}", page.text);
}

#[tokio::test]
async fn people_are_found_by_text_and_kind_and_on_pages() {
    let (app, admin) = with_administrator().await;
    app.sql(
        "insert into users (id, email, first_name, locale, is_admin, email_verified, token_version, created_at, updated_at)
         select gen_random_uuid(), 'person' || n || '@example.org', 'Person ' || n, 'en', false, n % 2 = 0, 0, now(), now()
         from generate_series(1, 119) n",
    )
    .await;
    let rows = |html: &str| html.matches("<th scope=\"row\"").count();
    let page = admin.page("/admin/users").await;
    assert_eq!((rows(&page.text), page.text.contains("People: 120")), (50, true), "{}", page.text);
    assert!(
        page.text.contains("Page 1 of 3")
            && page.text.contains("href=\"/admin/users?page=2\"")
            && !page.text.contains("rel=\"prev\"")
    );
    let last = admin.page("/admin/users?page=3").await;
    assert_eq!((rows(&last.text), last.text.contains("rel=\"next\"")), (20, false));
    let page = admin.page("/admin/users?search=person&emailVerified=true&isAdmin=&suspended=&sort=email&page=2").await;
    assert_eq!(rows(&page.text), 9, "{}", page.text);
    assert!(
        page.text.contains("value=\"person\"") && page.text.contains("<option value=\"true\" selected>"),
        "the filter is shown"
    );
    let before = "href=\"/admin/users?search=person&amp;emailVerified=true&amp;isAdmin=&amp;suspended=&amp;sort=email&amp;page=1\"";
    assert!(page.text.contains(before), "and stays on other pages: {}", page.text);
    let page = admin.page("/admin/users?search=nobody%20at%20all").await;
    assert!(page.text.contains("Nobody matches this filter.") && page.text.contains("Show all"), "{}", page.text);
    let page = admin.page("/admin/users?page=0").await;
    assert_eq!((page.status, page.message().is_empty()), (400, false));
    let page = admin.page(&format!("/admin/users?search={}", "x".repeat(101))).await;
    assert!(page.status == 400 && page.text.contains("id=\"search-error\""), "{}", page.text);
    let page = admin.page("/admin/users?search=%3Cscript%3Ealert(1)%3C/script%3E").await;
    assert!(page.status == 200 && !page.text.contains("<script>alert"), "{}", page.text);
}

#[tokio::test]
async fn a_person_is_created_with_a_password() {
    let (app, admin) = with_administrator().await;
    let fields = |email, mode, password| {
        [
            ("email", email),
            ("firstName", "Ben"),
            ("lastName", "Dee"),
            ("locale", "de"),
            ("passwordMode", mode),
            ("password", password),
        ]
    };
    let page = admin.fill_in("/admin/users/new", &fields("no address", "set", "short")).await;
    assert_eq!((page.status, page.field("firstName").as_deref()), (400, Some("Ben")));
    assert!(page.text.contains("id=\"email-error\"") && !page.text.contains("short\""), "{}", page.text);
    let page = admin.fill_in("/admin/users/new", &fields(ADMIN, "set", PASSWORD)).await;
    assert!(page.status == 409 && page.text.contains("id=\"email-error\""), "{}", page.text);
    let page = admin.fill_in("/admin/users/new", &fields("ben@example.org", "set", PASSWORD)).await;
    let id = id_of(&app, "ben@example.org").await;
    assert_eq!(page.redirect(), (303, format!("/admin/users/{id}?done=created").as_str()));
    let page = admin.page(page.location()).await;
    assert!(page.message() == "The account is created." && page.text.contains("Ben Dee"), "{}", page.text);
    assert_eq!(Person::at(&app).sign_in("ben@example.org", PASSWORD).await.redirect(), (303, "/account"));
}

#[tokio::test]
async fn a_person_is_invited_by_a_link_that_is_shown_once() {
    let (app, admin) = with_administrator().await;
    let fields = [
        ("email", "ben@example.org"),
        ("firstName", "Ben"),
        ("locale", "en"),
        ("passwordMode", "invite"),
        ("password", "filled in"),
    ];
    let page = admin.fill_in("/admin/users/new", &fields).await;
    assert!(page.status == 200 && page.text.contains("pass this link on"), "{}", page.text);
    let link = page.text.split("id=\"link\">").nth(1).unwrap().split('<').next().unwrap();
    let path = &link[link.find("/accept-invite").unwrap()..];
    let ben = Person::at(&app);
    let first = ben.page(path).await;
    assert_eq!(ben.fill_in(first.location(), &[("newPassword", PASSWORD)]).await.status, 303);
    assert!(ben.is_signed_in().await);
}

#[tokio::test]
async fn a_page_tells_everything_about_a_person() {
    let (app, admin, _) = with_ann(&[]).await;
    let id = id_of(&app, ANN).await;
    let page = admin.page(&person(&id)).await;
    assert_eq!(page.status, 200, "{}", page.text);
    for part in [
        "Ann Bee",
        ANN,
        &id,
        "One active session",
        "Password",
        "auth.register",
        "/admin/users/",
        "&quot;event&quot;: &quot;auth.login.success&quot;",
    ] {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
    for act in ["suspend", "sign-out", "reset-factors", "export", "grant-admin", "delete"] {
        assert!(page.text.contains(&format!("href=\"/admin/users/{id}/{act}\"")), "{act}");
    }
    assert!(
        !page.text.contains("/unsuspend\"") && !page.text.contains("/revoke-admin\""),
        "what would change nothing is not offered"
    );
    let own = id_of(&app, ADMIN).await;
    let page = admin.page(&person(&own)).await;
    for act in ["suspend", "delete", "revoke-admin"] {
        assert!(!page.text.contains(&format!("/{act}\"")), "{act} is for others");
    }
    for unknown in ["00000000-0000-0000-0000-000000000000", "x", "1"] {
        assert_eq!(admin.page(&person(unknown)).await.status, 404, "{unknown}");
    }
}

#[tokio::test]
async fn names_and_the_language_are_changed() {
    let (app, admin, _) = with_ann(&[]).await;
    let id = id_of(&app, ANN).await;
    let path = format!("{}/edit", person(&id));
    let fields = [("firstName", "Änne"), ("lastName", ""), ("displayName", ""), ("locale", "de")];
    // A browser sends what was in the fields when it loaded the form, too.
    let hidden = ["firstName", "lastName", "displayName", "locale"].map(|name| format!("loaded:{name}"));
    let edit = async |fields: &[(&str, &str)]| {
        let page = admin.page(&path).await;
        let loaded = hidden.each_ref().map(|name| page.field(name).unwrap());
        let loaded: Vec<(&str, &str)> = hidden.iter().map(String::as_str).zip(loaded.iter().map(String::as_str)).collect();
        admin.fill_in(&path, &[fields, &loaded].concat()).await
    };
    let page = edit(&fields).await;
    assert_eq!(page.redirect(), (303, format!("{}?done=changed", person(&id)).as_str()));
    let stored = "select first_name || ' ' || coalesce(last_name, '-') || ' ' || locale || ' ' || email_verified as text from users where email like 'ann%'";
    assert_eq!(app.value::<String>(stored).await, "Änne - de true");
    let page = edit(&[("firstName", " "), ("lastName", "kept"), ("displayName", ""), ("locale", "de")]).await;
    assert_eq!((page.status, page.field("lastName").as_deref()), (400, Some("kept")));

    // What others changed since the form was loaded stays, and so does a language that cannot be chosen any
    // more.
    app.sql("update users set locale = 'fr' where email like 'ann%'").await;
    let stale = [("loaded:firstName", "Ann"), ("loaded:lastName", ""), ("loaded:locale", "fr")];
    let page = admin.page(&path).await;
    assert!(page.text.contains(r#"<option value="fr" selected"#), "{}", page.text);
    let changed = [&[("firstName", "Ann"), ("lastName", "New"), ("displayName", ""), ("locale", "fr")][..], &stale].concat();
    assert_eq!(admin.fill_in(&path, &changed).await.status, 303);
    assert_eq!(app.value::<String>(stored).await, "Änne New fr true");
}

#[tokio::test]
async fn an_address_counts_as_verified_or_not_only_with_a_proof() {
    let (app, admin, _) = with_ann(&[]).await;
    let id = id_of(&app, ANN).await;
    let stored = "select email_verified::text as text from users where email like 'ann%'";
    for (act, other, verified) in [("unverify-address", "verify-address", "false"), ("verify-address", "unverify-address", "true")]
    {
        let path = format!("{}/{act}", person(&id));
        let page = admin.page(&person(&id)).await;
        assert!(page.text.contains(&format!("/{act}\"")) && !page.text.contains(&format!("/{other}\"")), "{}", page.text);
        let before = app.value::<String>(stored).await;
        for (wrong, status) in [(&[][..], 400), (&[("password", "wrong")], 403)] {
            assert_eq!(
                (admin.fill_in(&path, wrong).await.status, app.value::<String>(stored).await),
                (status, before.clone()),
                "{act}"
            );
        }
        let done = admin.fill_in(&path, &[("password", PASSWORD)]).await;
        assert_eq!(done.redirect(), (303, format!("{}?done={act}", person(&id)).as_str()));
        assert_eq!(app.value::<String>(stored).await, verified);
    }
}

/// Fields as a query.
fn query(fields: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

#[tokio::test]
async fn roles_are_decided_group_by_group() {
    let (app, admin, _) = with_ann(&[("APP_OIDC_CLIENTS_JSON", CLIENTS)]).await;
    let id = id_of(&app, ANN).await;
    let path = format!("{}/roles", person(&id));
    assert!(admin.page(&path).await.text.contains("Default roles apply until you choose. By default: none."));
    let stored =
        "select coalesce(string_agg(role_group || ':' || role, ' ' order by role_group, role), '') as text from role_assignments";
    for (fields, roles) in [
        (&[("group", "shop"), ("role:editor", "on"), ("role:viewer", "on")][..], "shop:editor shop:viewer"),
        (&[("group", "shop"), ("role:viewer", "on")], "shop:viewer"),
        (&[("group", "one"), ("role", "y")], "one:y shop:viewer"),
        (&[("group", "one"), ("role", "")], "one: shop:viewer"),
    ] {
        let ask = format!("{path}/change?{}", query(fields));
        let page = admin.page(&ask).await;
        assert!(page.status == 200 && page.text.contains("Until now"), "{}", page.text);
        assert!(!page.text.contains("name=\"password\""), "no proof is asked for, as by the API: {}", page.text);
        let page = admin.fill_in(&ask, fields).await;
        assert_eq!(page.redirect(), (303, format!("{}?done=roles", person(&id)).as_str()), "{fields:?}");
        assert_eq!(app.value::<String>(stored).await, roles);
    }
    let page = admin.page(&person(&id)).await;
    assert!(page.text.contains("<dt>shop</dt><dd>viewer</dd>") && page.text.contains("<dt>one</dt><dd>none</dd>"), "{}", page.text);
    assert_eq!(admin.page(&format!("{path}/change?group=none")).await.status, 404);
    let page = admin.page(&format!("{path}/change?group=shop&role:owner=on")).await;
    assert!(page.status == 400 && !page.message().is_empty(), "{}", page.text);
    let wrong = [("group", "shop"), ("role:owner", "on")];
    assert_eq!(admin.fill_in(&format!("{path}/change?group=shop"), &wrong).await.status, 400);
    assert_eq!(app.value::<String>(stored).await, "one: shop:viewer");
}

/// One wait for the session, one for the administrator, and those of the page.
#[tokio::test]
async fn a_page_waits_for_the_database_a_few_times() {
    let (app, admin, _) = with_ann(&[]).await;
    let id = id_of(&app, ANN).await;
    let mut waits = Vec::new();
    for path in
        ["/admin", "/admin/users", &person(&id), "/admin/users/new", "/admin/audit", "/admin/clients", "/admin/configuration"]
    {
        // The first one prepares the statements.
        admin.page(path).await;
        let before = app.database.store.round_trips();
        assert_eq!(admin.page(path).await.status, 200);
        waits.push((path.to_owned(), app.database.store.round_trips() - before));
    }
    let expected = [4, 4, 5, 2, 6, 2, 2];
    assert_eq!(waits.iter().map(|(_, waits)| *waits).collect::<Vec<_>>(), expected, "{waits:?}");
}
