//! Accounts of the run, and the browsers that know them.

use crate::{client::Target, harness::browser::Browser};
use anyhow::Result;
use bytes::Bytes;
use http::{Method, Request};
use http_body_util::Full;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};

const PASSWORD: &str = "a plank of long wood";
/// The number of the next account of this process.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// An account, and a browser that has signed in to it once and is known by that.
pub(crate) struct Person {
    credentials: Value,
    browser: Browser,
}

impl Person {
    /// Registers this many accounts, named after the process and a number.
    pub(crate) async fn register(target: &Target, accounts: u32) -> Result<Vec<Self>> {
        let mut people = Vec::new();
        for _ in 0..accounts {
            let (credentials, mut browser) = Self::new_account(target).await?;
            let before = browser.clone_cookies();
            browser.ask("/api/auth/login", &credentials).await?;
            // What the browser is known by stays with it; the session does not, so that each login is a new
            // one.
            browser.forget_session(before);
            people.push(Self { credentials, browser });
        }
        Ok(people)
    }

    /// The cookies of a browser in which a new account is signed in.
    pub(crate) async fn signed_in(target: &Target) -> Result<String> {
        let (credentials, mut browser) = Self::new_account(target).await?;
        browser.ask("/api/auth/login", &credentials).await?;
        Ok(browser.cookies())
    }

    async fn new_account(target: &Target) -> Result<(Value, Browser)> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let email = format!("load-{}-{number}@example.org", std::process::id());
        let mut browser = Browser::open(target).await?;
        browser.ask("/api/auth/register", &json!({ "email": email, "password": PASSWORD, "firstName": "Load" })).await?;
        Ok((json!({ "email": email, "password": PASSWORD }), browser))
    }

    /// Signs in.
    pub(crate) fn login(&self) -> Result<Request<Full<Bytes>>> {
        self.browser.request(Method::POST, "/api/auth/login", serde_json::to_vec(&self.credentials)?.into())
    }
}
