//! The form for a new person: what an invitation does not need is not asked for, and has no effect.

use super::{ANN, with_administrator};

#[tokio::test]
async fn a_password_that_is_sent_with_an_invitation_has_no_effect() {
    let (app, admin) = with_administrator().await;
    let page = admin.page("/admin/users/new").await;
    let field = page.text.split("name=\"password\"").nth(1).unwrap().split('>').next().unwrap();
    assert!(page.text.contains("data-with=\"set\"") && !field.contains(" required"), "{}", page.text);
    let new = [("email", ANN), ("firstName", "Ann"), ("lastName", ""), ("locale", "en")];
    let invited = [&new[..], &[("passwordMode", "invite"), ("password", "short")]].concat();
    let page = admin.fill_in("/admin/users/new", &invited).await;
    assert_eq!(page.status, 200, "not even looked at: {}", page.text);
    let without = "select (password_hash is null)::text as text from users where email = 'ann@example.org'";
    assert_eq!(app.value::<String>(without).await, "true");
    let other = [&[("email", "bob@example.org")][..], &new[1..], &[("passwordMode", "set"), ("password", "")]].concat();
    let page = admin.fill_in("/admin/users/new", &other).await;
    assert!(page.status == 400 && page.text.contains("id=\"password-error\""), "{}", page.text);
}
