//! Two processes on one database: a session that the one has ended is refused by both, from the moment on at which that was acknowledged.

use crate::person::{Person, SITE, cookie, url};
use serde_json::json;
use std::sync::Arc;
use support::world::{Running, World, is_full};
use tokio::task::JoinSet;

/// People who sign in and out at the same time.
const PEOPLE: usize = 8;

impl Person {
    /// Whether a session is accepted.
    async fn is_accepted(&self, at: &Running, session: &str) -> bool {
        let request = self.client.get(url(at, "/api/me")).header("cookie", format!("session={session}"));
        match request.send().await.unwrap().status().as_u16() {
            200 => true,
            401 => false,
            other => panic!("{other}"),
        }
    }

    /// Ends the session in one of two ways, and goes on with a new one. Answers the old one.
    async fn end(&mut self, at: &Running, by_signing_out: bool) -> String {
        let old = self.session.clone();
        if by_signing_out {
            assert_eq!(self.post(at, "/api/auth/logout", json!({})).await.status(), 200);
            return old;
        }
        let said = self.post(at, "/api/me/sessions/revoke-others", json!({})).await;
        assert_eq!(said.status(), 200);
        self.session = cookie(&said, "session").unwrap();
        old
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_ended_is_accepted_by_no_process_any_more() {
    let tries = if is_full() { 10_000 } else { 1_000 };
    let world = World::new().await;
    let processes = Arc::new([world.serve_with(SITE).await, world.serve_with(SITE).await]);
    let mut people = JoinSet::new();
    for number in 0..PEOPLE {
        let processes = processes.clone();
        people.spawn(async move {
            let mut person = Person::new(&processes[0], format!("ann{number}@example.org")).await;
            let mut accepted = 0;
            for round in 0..tries / PEOPLE {
                let (here, there) = (&processes[round % 2], &processes[(round + 1) % 2]);
                // Any cache of either process that could hold the session holds it now.
                let session = person.session.clone();
                assert!(tokio::join!(person.is_accepted(here, &session), person.is_accepted(there, &session)) == (true, true));
                let by_signing_out = round % 10 == 9;
                let old = person.end(here, by_signing_out).await;
                let (first, second) = tokio::join!(person.is_accepted(here, &old), person.is_accepted(there, &old));
                accepted += usize::from(first) + usize::from(second);
                if by_signing_out {
                    person.sign_in(there).await;
                }
            }
            accepted
        });
    }
    let accepted: usize = people.join_all().await.into_iter().sum();
    println!("{tries} sessions ended, two requests after each on two processes: {accepted} accepted");
    assert_eq!(accepted, 0);
    for process in Arc::into_inner(processes).unwrap() {
        process.stop().await;
    }
}
