//! The list of spaces, and what an administrator does with them.

use super::{ANN, with_ann};
use support::prelude::*;

/// Spaces of Ann, one without an owner, and a deleted one.
async fn spaces(app: &TestApp) {
    app.sql("with made as (
             insert into spaces (name, owner_id, created_at, updated_at, deleted_at)
             select name, case when name <> 'Left behind' then users.id end, '2026-02-01', '2026-02-01', case when name = 'Gone' then timestamptz '2026-02-28' end
             from users, unnest(array['Garden', 'Left behind', 'Gone']) name where email = 'ann@example.org' returning id
         )
         insert into space_counters (space_id, cv, stories, assets, asset_bytes) select id, 1, 1200, 3, 4500000 from made",
    )
    .await;
}

async fn space(app: &TestApp, name: &str) -> String {
    app.value::<String>(&format!("select id::text as text from spaces where name = '{name}'")).await
}

#[tokio::test]
async fn the_list_is_filtered_by_its_address() {
    let (app, admin, _) = with_ann(&[]).await;
    spaces(&app).await;
    let page = admin.page("/admin/spaces").await;
    for shown in
        ["Garden", "Left behind", "Gone", ANN, "Stories: 1,200, assets: 3, 4.5 MB", "without an owner", "28 Feb 2026", "Spaces: 3"]
    {
        assert!(page.text.contains(shown), "{shown}: {}", page.text);
    }
    for (query, shown) in [("orphaned=true", "Left behind"), ("deleted=true", "Gone"), ("search=GARD", "Garden")] {
        let page = admin.page(&format!("/admin/spaces?{query}")).await;
        let found: Vec<&str> =
            ["Garden", "Left behind", "Gone"].into_iter().filter(|name| page.text.contains(&format!(">{name}<"))).collect();
        assert_eq!(found, [shown], "{query}");
    }
    assert!(admin.page("/admin/spaces?search=nothing").await.text.contains("No space matches"));
    assert_eq!(admin.page("/admin/spaces?deleted=maybe").await.status, 400);
}

#[tokio::test]
async fn a_space_gets_an_owner_without_a_proof_as_by_the_api() {
    let (app, admin, _) = with_ann(&[]).await;
    spaces(&app).await;
    let path = format!("/admin/spaces/{}/owner", space(&app, "Left behind").await);
    assert!(admin.page("/admin/spaces").await.text.contains(&format!("href=\"{path}\"")));
    let page = admin.page(&path).await;
    assert!(page.text.contains("Left behind belongs to the person with this address"), "{}", page.text);
    assert!(!page.text.contains("name=\"password\""), "{}", page.text);
    assert_eq!(admin.send_form(&path, &[("email", ANN)]).await.status, 403, "without a CSRF token");
    let unknown = admin.fill_in(&path, &[("email", "nobody@example.org")]).await;
    assert_eq!(unknown.field("email").as_deref(), Some("nobody@example.org"));
    assert!(unknown.status == 400 && unknown.text.contains("Nobody here has this address."), "{}", unknown.text);
    assert_eq!(admin.fill_in(&path, &[("email", ANN)]).await.redirect(), (303, "/admin/spaces?done=owner"));
    assert!(admin.page("/admin/spaces?done=owner").await.message().contains("The space has an owner."));
    let owner =
        app.value::<String>("select email as text from spaces join users on users.id = owner_id where name = 'Left behind'").await;
    assert_eq!(owner, ANN);
    assert_eq!(admin.page("/admin/spaces/999/owner").await.status, 404);
}

#[tokio::test]
async fn a_deleted_space_is_brought_back_without_a_proof_as_by_the_api() {
    let (app, admin, _) = with_ann(&[]).await;
    spaces(&app).await;
    let path = format!("/admin/spaces/{}/undelete", space(&app, "Gone").await);
    assert!(admin.page("/admin/spaces?deleted=true").await.text.contains(&format!("href=\"{path}\"")));
    let page = admin.page(&path).await;
    assert!(page.text.contains("Gone is there again at once") && page.text.contains("stays cancelled"), "{}", page.text);
    assert_eq!(admin.fill_in(&path, &[]).await.redirect(), (303, "/admin/spaces?done=undelete"));
    assert_eq!(app.value::<String>("select count(*)::text as text from spaces where deleted_at is not null").await, "0");
    app.sql("update spaces set deleted_at = timestamptz '2026-01-01' where name = 'Gone'").await;
    let late = admin.fill_in(&path, &[]).await;
    assert!(late.status == 409 && late.text.contains("more than 30 days ago"), "{}", late.text);
}
