//! docs/webhooks.md.

use super::Desk;

#[tokio::test]
async fn a_webhook_is_registered() {
    let mut desk = Desk::of("docs/webhooks.md", &[]).await;
    let space = desk.server.person("ann@example.org").await.space().await;
    let set = format!("BASE={} SPACE={} TOKEN={}", desk.server.url(""), space.id, space.admin);
    desk.shell.run(&set).await;
    let made = desk.shell.next("/webhooks").await;
    assert!(made.contains("\"https://ci.example.org/hook\"") && !made.contains("32 random bytes"), "{made}");
    desk.end().await;
}
