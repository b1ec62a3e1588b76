//! Two processes on one database: a session that the one has ended is refused by both, from the moment on at
//! which that was acknowledged.

use crate::SITE;
use support::{
    prelude::*,
    world::{Running, World, is_full},
};

/// People who sign in and out at the same time.
const PEOPLE: usize = 8;

/// A person who is signed in.
struct SignedIn {
    browser: reqwest::Client,
    email: String,
    session: String,
}

impl SignedIn {
    async fn new(at: &Running, email: String) -> Self {
        let mut person = Self { browser: browser(), email, session: String::new() };
        person.at(at).register(&person.email).await.expect(201);
        person.sign_in(at).await;
        person
    }

    /// The same browser at one of the processes.
    fn at(&self, process: &Running) -> Person {
        Person { origin: process.url(""), browser: self.browser.clone() }
    }

    async fn sign_in(&mut self, at: &Running) {
        self.session = self.at(at).login(&self.email, PASSWORD).await.cookie("session").unwrap();
    }

    /// Ends the session in one of two ways, and goes on with a new one. Returns the old one.
    async fn end(&mut self, at: &Running, by_signing_out: bool) -> String {
        let old = self.session.clone();
        let path = if by_signing_out { "/api/auth/logout" } else { "/api/me/sessions/revoke-others" };
        let response = self.at(at).post(path, &json!({})).await;
        assert_eq!(response.status, 200, "{}", response.text);
        if !by_signing_out {
            self.session = response.cookie("session").unwrap();
        }
        old
    }
}

/// Whether a session is accepted.
async fn is_accepted(at: &Running, session: &str) -> bool {
    let request = browser().get(at.url("/api/me")).header("cookie", format!("session={session}"));
    match request.answer().await.status {
        200 => true,
        401 => false,
        other => panic!("{other}"),
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
            let mut person = SignedIn::new(&processes[0], format!("ann{number}@example.org")).await;
            let mut accepted = 0;
            for round in 0..tries / PEOPLE {
                let (here, there) = (&processes[round % 2], &processes[(round + 1) % 2]);
                // Any cache of either process that could hold the session holds it now.
                let session = person.session.clone();
                assert!(tokio::join!(is_accepted(here, &session), is_accepted(there, &session)) == (true, true));
                let by_signing_out = round % 10 == 9;
                let old = person.end(here, by_signing_out).await;
                let (first, second) = tokio::join!(is_accepted(here, &old), is_accepted(there, &old));
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
