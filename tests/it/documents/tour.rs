//! The tour of README.md.

use super::Desk;

#[tokio::test]
async fn the_tour_of_the_readme_works_as_it_is_written() {
    let mut desk = Desk::of("README.md", &[]).await;
    let shell = &mut desk.shell;
    let account = shell.next("post /api/auth/login").await;
    assert!(account.contains("\"email\": \"ann@example.org\"") && account.contains("\"isAdmin\": true"), "{account}");
    let space = shell.next("post /api/v1/spaces ").await;
    assert!(space.contains("\"name\": \"My site\"") && space.contains("\"private\": "), "{space}");
    shell.next("/tokens").await;
    let written = shell.next("manage components").await;
    assert!(written.trim_end().ends_with("\"blog/hello\""), "{written}");
    let read = shell.next("/api/v2/cdn/stories/blog/hello").await;
    assert!(read.contains("\"title\": \"Hello, world\"") && read.contains("\n\"blog/hello\"\n"), "{read}");
    let moved = shell.next("audit_log").await;
    assert!(moved.starts_with("\"news\"\n\"news/hello\"\n") && moved.contains(" story.move "), "{moved}");
    let written_in_the_studio = shell.next("jq .story.content.title").await;
    assert_eq!(written_in_the_studio.trim_end(), "\"Hello, world\"", "nobody has changed it");
    desk.end().await;
}
