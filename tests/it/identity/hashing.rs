//! The threads that hash passwords, in the real server.

use super::FREE;
use support::prelude::*;

#[tokio::test]
async fn the_threads_that_hash_have_a_lower_priority_than_those_that_serve() {
    let data = data_directory();
    let server = Server::start(data.path(), FREE).await;
    let ann = Person::at_origin(format!("http://{}", server.address));
    assert_eq!(ann.register("ann@example.org").await.status, 201);
    let threads = server.threads();
    let (hashing, others): (Vec<_>, Vec<_>) = threads.iter().partition(|thread| thread.name.starts_with("password-"));
    // Those of the image service have a lower priority as well.
    let (images, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|thread| thread.name == "image");
    assert_eq!(hashing.len(), std::thread::available_parallelism().unwrap().get());
    let usual = others[0].niceness;
    // The highest value of Linux, for a test run that is itself started with `nice`.
    let expected = (usual + 10).min(19);
    assert!(others.iter().all(|other| other.niceness == usual) && others.len() > 1, "{threads:?}");
    assert!(hashing.iter().chain(&images).all(|thread| thread.niceness == expected) && !images.is_empty(), "{threads:?}");
}
