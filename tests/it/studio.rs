//! The studio through the wire: the spaces of a person, a new space, and the shell. What happens in the
//! application is in tests/browser/studio.

mod build;
mod environments;
mod options;
mod relay;

use support::{Setup, prelude::*};

const FREE: &[(&str, &str)] = &[("APP_RATE_LIMITS", "off"), ("APP_ARGON2_MEMORY_KIB", "64"), ("APP_ARGON2_ITERATIONS", "1")];

async fn app() -> TestApp {
    TestApp::with_variables(FREE).await
}

/// Makes a space on the page. Returns its number.
async fn make_space(person: &Person, name: &str) -> i64 {
    let made = person.fill_in("/studio/new", &[("name", name)]).await;
    assert_eq!(made.redirect(), (303, "/studio/new/tokens"));
    let page = person.page("/studio/new/tokens").await;
    let link = page.text.split("class=\"button\" href=\"/studio/").nth(1).unwrap_or_else(|| panic!("{}", page.text));
    link.split('"').next().unwrap().parse().unwrap()
}

/// What the shell brings for the first screen.
fn data(page: &Response) -> Value {
    let text = page.text.split("data-shell=\"").nth(1).unwrap_or_else(|| panic!("{}", page.text)).split('"').next().unwrap();
    serde_json::from_str(&text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")).unwrap()
}

#[tokio::test]
async fn the_list_has_the_spaces_of_the_person_with_role_and_last_change() {
    let app = app().await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let page = ann.page("/studio").await;
    assert!(page.text.contains("You have no space yet") && page.text.contains("href=\"/studio/new\""), "{}", page.text);
    let first = make_space(&ann, "First <b>").await;
    app.clock.advance(SignedDuration::from_hours(1));
    let second = make_space(&ann, "Second").await;
    let order = |page: &Response| {
        let links = page.text.split("class=\"space-name\" href=\"/studio/").skip(1);
        links.map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect::<Vec<i64>>()
    };
    let page = ann.page("/studio").await;
    assert_eq!(order(&page), [second, first]);
    assert!(
        page.text.contains("First &lt;b&gt;") && page.text.contains("Administration") && page.text.contains("Last change: <time")
    );
    // A change of the content counts, and what others have is not shown.
    app.clock.advance(SignedDuration::from_hours(1));
    let story = json!({ "story": { "name": "Home", "slug": "home", "content": { "component": "page" } } });
    ann.post(&format!("/api/v1/spaces/{first}/stories"), &story).await.expect(201);
    assert_eq!(order(&ann.page("/studio").await), [first, second]);
    let ben = Person::signed_in(&app, "ben@example.org").await;
    assert_eq!(order(&ben.page("/studio").await), [0; 0]);
    let german = ann.browser.get(ann.url("/studio")).header("accept-language", "de").answer().await;
    assert!(german.text.contains("<h1>Ihre Spaces</h1>") && german.text.contains("Verwaltung"), "{}", german.text);
    // A space that was deleted is gone.
    ann.delete(&format!("/api/v1/spaces/{second}"), &json!({})).await.expect(200);
    assert_eq!(order(&ann.page("/studio").await), [first]);
}

#[tokio::test]
async fn the_tokens_of_a_new_space_are_shown_once_to_the_person_who_made_it() {
    let app = app().await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let made = ann.fill_in("/studio/new", &[("name", "  Newsroom ")]).await;
    assert_eq!(made.redirect(), (303, "/studio/new/tokens"));
    let sealed = made.cookie("new_tokens").unwrap();
    assert!(
        made.header("set-cookie").contains("Max-Age=300") && made.header("set-cookie").contains("HttpOnly"),
        "{:?}",
        made.headers
    );
    assert!(!sealed.contains("sbpub_"));
    let as_given = |person: &Person| person.browser.get(person.url("/studio/new/tokens")).header("accept", "text/html");
    // Only the account that made it opens the cookie.
    let ben = Person::signed_in(&app, "ben@example.org").await;
    let other = as_given(&ben).header("cookie", format!("new_tokens={sealed}")).answer().await;
    assert!(!other.text.contains("sbpub_"), "{}", other.text);
    let page = ann.page("/studio/new/tokens").await;
    assert!(page.status == 200 && page.text.contains("<h1>Newsroom is ready</h1>"), "{}", page.text);
    assert_eq!(page.cookie("new_tokens").as_deref(), Some(""));
    for kind in ["sbpub_", "sbprev_", "sbpriv_"] {
        let token = page.text.split("class=\"secret\">").find(|rest| rest.starts_with(kind)).unwrap().split('<').next().unwrap();
        assert_eq!(ann.get(&format!("/api/v2/cdn/stories?token={token}")).await.status, 200, "{kind}");
    }
    let again = ann.page("/studio/new/tokens").await;
    assert!(again.status == 404 && again.text.contains("The tokens were shown"), "{}", again.text);
}

#[tokio::test]
async fn tokens_that_nobody_looked_at_are_gone_after_five_minutes() {
    let app = app().await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    ann.fill_in("/studio/new", &[("name", "Newsroom")]).await;
    app.clock.advance(SignedDuration::from_secs(301));
    let page = ann.page("/studio/new/tokens").await;
    assert!(page.status == 404 && !page.text.contains("sbpub_"), "{}", page.text);
}

#[tokio::test]
async fn a_space_that_cannot_be_made_is_told_at_its_form() {
    let app = app().await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let long = "a".repeat(256);
    for name in ["", "   ", long.as_str()] {
        let refused = ann.fill_in("/studio/new", &[("name", name)]).await;
        assert_eq!(refused.status, 400, "{name}");
        assert!(refused.text.contains("id=\"name-error\"") && refused.message().contains("Name:"), "{}", refused.text);
    }
    assert_eq!(app.count("select count(*) from spaces").await, 0);
    // An address that is not verified makes none, as by the API.
    app.sql("update users set email_verified = false").await;
    let refused = ann.fill_in("/studio/new", &[("name", "Newsroom")]).await;
    assert!(refused.status == 403 && refused.field("name").as_deref() == Some("Newsroom"), "{}", refused.text);
    // Nor does a form of another site.
    let foreign = ann.send_form("/studio/new", &[("name", "Newsroom")]).await;
    assert_eq!((foreign.status, app.count("select count(*) from spaces").await), (403, 0));
}

#[tokio::test]
async fn the_shell_brings_what_the_first_screen_shows() {
    let app = app().await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let space = make_space(&ann, "Tea & <Cake>").await;
    let path = |rest: &str| format!("/api/v1/spaces/{space}/{rest}");
    let languages = json!({ "space": { "languages": [{ "code": "de", "name": "German" }], "default_lang_name": "English" } });
    ann.send(Method::PUT, &format!("/api/v1/spaces/{space}"), &languages).await.expect(200);
    let component = json!({ "component": { "name": "page", "is_root": true, "schema": {} } });
    ann.post(&path("components"), &component).await.expect(201);
    let folder = json!({ "story": { "name": "Blog \"&\"", "slug": "blog", "is_folder": true } });
    ann.post(&path("stories"), &folder).await.expect(201);
    for address in ["", "/", "/stories", "/stories/12?at=body%2F3&uid=a"] {
        let page = ann.page(&format!("/studio/{space}{address}")).await;
        assert_eq!((page.status, page.header("cache-control")), (200, "no-store"), "{address}");
        let data = data(&page);
        let told =
            [&data["role"], &data["language"], &data["space"]["name"], &data["tree"]["folders"][0]["name"], &data["tree"]["total"]];
        assert_eq!(told, [&json!("admin"), &json!("en"), &json!("Tea & <Cake>"), &json!("Blog \"&\""), &json!(1)], "{data}");
        assert_eq!(data["space"]["languages"], json!([{ "code": "de", "name": "German" }]));
        assert_eq!(data["components"], json!([{ "name": "page", "display_name": null, "is_root": true }]));
        assert_eq!((&data["person"]["name"], &data["base_url"]), (&json!("Ann Bee"), &json!(app.url(""))));
        // The token is one that requests are let in with.
        let request = ann.browser.post(app.url(&path("stories"))).header("x-csrf-token", data["csrf_token"].as_str().unwrap());
        let refused = request.json(&json!({ "story": { "name": "Blog", "slug": "blog", "is_folder": true } })).answer().await;
        assert_eq!(refused.status, 422, "the slug is taken: {}", refused.text);
    }
}

#[tokio::test]
async fn the_shell_has_a_policy_of_its_own_and_runs_nothing_that_is_written_into_it() {
    let app = app().await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let space = make_space(&ann, "Newsroom").await;
    let page = ann.page(&format!("/studio/{space}/stories")).await;
    let policy: BTreeSet<&str> = page.header("content-security-policy").split("; ").collect();
    let expected = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; font-src 'none'; img-src 'self' data: blob: https:; media-src 'self' data: blob: https:; frame-src 'self'; worker-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html ProseMirrorClipboard lectern-paste";
    assert_eq!(policy, expected.split("; ").collect());
    let places = json!({ "space": {
        "domain": app.url("/preview"),
        "environments": [
            { "name": "Live", "location": "https://www.example.org/{full_slug}" },
            { "name": "Mine", "location": "http://localhost:3000/?path=" },
            { "name": "Live too", "location": "https://www.example.org/de/" },
        ],
    } });
    ann.send(Method::PUT, &format!("/api/v1/spaces/{space}"), &places).await.expect(200);
    let framing = ann.page(&format!("/studio/{space}/stories")).await;
    let frames = framing.header("content-security-policy").split("; ").find(|directive| directive.starts_with("frame-src"));
    assert_eq!(frames, Some("frame-src 'self' http://localhost:3000 https://www.example.org"), "this server is no such place");
    let headers =
        ["cross-origin-opener-policy", "cross-origin-resource-policy", "x-content-type-options"].map(|name| page.header(name));
    assert_eq!(headers, ["same-origin", "same-origin", "nosniff"]);
    assert!(page.text.split("<script").skip(1).all(|script| script.split('>').next().unwrap().contains("src=\"/assets/studio/")));
    assert!(
        page.text.contains("href=\"/assets/studio/main.2.css\"")
            && page.text.contains("rel=\"modulepreload\" href=\"/assets/studio/en.3.js\"")
    );
    let german = ann.page(&format!("/studio/{space}/stories?lang=de")).await;
    assert_eq!(german.redirect(), (303, format!("/studio/{space}/stories").as_str()));
    let german = ann.page(german.location()).await;
    assert!(
        german.text.contains("lang=\"de\"") && german.text.contains("/assets/studio/de.4.js") && data(&german)["language"] == "de"
    );
}

#[tokio::test]
async fn a_space_is_shown_to_its_members_only() {
    let app = app().await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let space = make_space(&ann, "Newsroom").await;
    let (path, none) = (format!("/studio/{space}/stories?at=body%2F3"), format!("/studio/{}/stories", space + 1));
    // Who is not signed in is led to sign in, and back to the same place.
    let ben = Person::at(&app);
    let led = ben.page(&path).await;
    assert_eq!(
        led.redirect(),
        (303, format!("/login?notice=sign-in&return_to=/studio/{space}/stories%3Fat%3Dbody%252F3").as_str())
    );
    ben.register("ben@example.org").await.expect(201);
    let return_to = ben.page(led.location()).await.field("return_to").unwrap();
    let fields = [("email", "ben@example.org"), ("password", PASSWORD), ("return_to", return_to.as_str())];
    assert_eq!(ben.fill_in(led.location(), &fields).await.redirect(), (303, path.as_str()));
    // A space that is not theirs is like one that does not exist.
    let (foreign, missing) = (ben.page(&path).await, ben.page(&none).await);
    let without_number = |page: &Response| page.text.split("Number").next().unwrap().split("<footer").next().unwrap().to_owned();
    assert_eq!((foreign.status, missing.status), (404, 404));
    assert!(foreign.text.contains("<h1") && !foreign.text.contains("Newsroom"), "{}", without_number(&foreign));
    for other in ["/studio/x", "/studio/x/stories", "/studio/new/x", "/studio/signed-in/x"] {
        assert_eq!(ann.page(other).await.status, 404, "{other}");
    }
    ann.delete(&format!("/api/v1/spaces/{space}"), &json!({})).await.expect(200);
    assert_eq!(ann.page(&path).await.status, 404);
}

#[tokio::test]
async fn the_start_leads_people_with_a_space_to_the_studio() {
    let app = app().await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    assert_eq!(ann.page("/").await.redirect(), (303, "/account"));
    let space = make_space(&ann, "Newsroom").await;
    assert_eq!(ann.page("/").await.redirect(), (303, "/studio"));
    // In a process without the content service there is no studio to lead to.
    let identity = app.beside(&[FREE, &[("APP_SERVICES", "identity")]].concat()).await;
    let there = Person::at(&identity);
    there.login("ann@example.org", PASSWORD).await.expect(200);
    assert_eq!(there.page("/").await.redirect(), (303, "/account"));
    ann.delete(&format!("/api/v1/spaces/{space}"), &json!({})).await.expect(200);
    assert_eq!(ann.page("/").await.redirect(), (303, "/account"));
}

#[tokio::test]
async fn without_the_application_it_says_how_to_build_it() {
    let app = TestApp::with(Setup { variables: FREE, without_studio: true, ..Setup::default() }).await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let space = make_space(&ann, "Newsroom").await;
    for (language, sentence) in [("en", "This server has no studio"), ("de", "Dieser Server hat kein Studio")] {
        for (path, status) in [("/studio".to_owned(), 200), (format!("/studio/{space}/stories"), 501)] {
            let asked = ann.browser.get(ann.url(&path)).header("accept", "text/html").header("accept-language", language);
            let page = asked.answer().await;
            assert_eq!(page.status, status, "{path}");
            assert!(page.text.contains(sentence) && page.text.contains("<code>make build</code>"), "{}", page.text);
        }
    }
    assert!(ann.page("/studio").await.text.contains("Newsroom"), "the list is there all the same");
}

#[tokio::test]
async fn a_process_with_one_service_has_no_studio() {
    for service in ["identity", "content"] {
        let app = TestApp::with_variables(&[("APP_SERVICES", service)]).await;
        for path in ["/studio", "/studio/new", "/studio/7/stories", "/studio/signed-in", "/assets/studio/main.1.js"] {
            assert_eq!(app.get(path).send().await.unwrap().status(), 404, "{service} {path}");
        }
    }
}

#[tokio::test]
async fn the_files_are_kept_for_good_in_the_coding_that_the_browser_takes() {
    let app = app().await;
    for (accepted, coding) in [("gzip, br", "br"), ("gzip", "gzip"), ("identity", "")] {
        let answer = app.get("/assets/studio/main.1.js").header("accept-encoding", accepted).send().await.unwrap();
        let header = |name: &str| answer.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
        assert_eq!((answer.status().as_u16(), header("content-encoding").as_str()), (200, coding));
        assert_eq!(header("content-type"), "text/javascript; charset=utf-8");
        assert_eq!(header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!((header("vary").as_str(), header("x-content-type-options").as_str()), ("accept-encoding", "nosniff"));
        if coding.is_empty() {
            assert_eq!(answer.text().await.unwrap(), "console.log('studio');\n");
        }
    }
    assert_eq!(app.get("/assets/studio/main.css").send().await.unwrap().status(), 404);
}

#[tokio::test]
async fn the_window_of_a_sign_in_says_that_it_can_be_closed() {
    let app = app().await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let page = ann.page("/studio/signed-in").await;
    assert!(page.status == 200 && page.text.contains("data-signed-in") && page.text.contains("You can close this window"));
    let stranger = Person::at(&app);
    assert_eq!(stranger.page("/studio/signed-in").await.redirect(), (303, "/login?notice=sign-in&return_to=/studio/signed-in"));
}
