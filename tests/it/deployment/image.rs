//! `Dockerfile`: its shell, and the server under the conditions of the image.

use nix::unistd::Uid;
use support::{prelude::*, server};

/// The instructions, with continued lines joined.
fn instructions() -> Vec<(String, String)> {
    let text = tools::text_of("Dockerfile").lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
    let joined = text.replace("\\\n", " ");
    let lines = joined.lines().filter_map(|line| line.split_once(' '));
    lines.map(|(name, rest)| (name.to_owned(), rest.split_whitespace().collect::<Vec<_>>().join(" "))).collect()
}

fn of<'a>(all: &'a [(String, String)], name: &str) -> Vec<&'a str> {
    all.iter().filter(|(instruction, _)| instruction == name).map(|(_, rest)| rest.as_str()).collect()
}

#[test]
fn the_shell_of_the_steps_can_be_read_and_what_they_name_exists() {
    let all = instructions();
    for step in of(&all, "RUN") {
        let command = step.split(' ').skip_while(|word| word.starts_with("--")).collect::<Vec<_>>().join(" ");
        tools::printed(tools::run(Path::new("sh"), ["-n", "-c", &command]));
        assert!(!command.contains("apt-get install") || command.contains("rm -rf /var/lib/apt/lists"), "{command}");
    }
    let manifest = tools::text_of("Cargo.toml");
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")).unwrap().trim_end_matches('"');
    let stages = of(&all, "FROM");
    assert!(stages.iter().any(|stage| stage.starts_with(&format!("rust:{version}-"))), "the version of the workspace");
    // The studio is built with the Node.js that scripts/setup.sh installs, and the server is not built
    // without it.
    let setup = tools::text_of("scripts/setup.sh");
    let node = setup.lines().find_map(|line| line.strip_prefix("own_node=")).unwrap().split('.').next().unwrap();
    assert!(stages[0].starts_with(&format!("node:{node}-")) && stages[0].ends_with(" AS studio"), "{}", stages[0]);
    let build = of(&all, "RUN").join("\n");
    assert!(build.contains("--profile dist --locked --bin lectern") && manifest.contains("[profile.dist]"));
    assert!(build.contains("scripts/studio.sh") && build.contains("LECTERN_STUDIO=required cargo build"));
    assert!(of(&all, "COPY").contains(&"--from=studio /src/studio/dist studio/dist"));
    // The binary is copied from where the first stage puts it.
    assert!(build.contains("install -D target/dist/lectern /out/lectern"));
    assert!(of(&all, "COPY").contains(&"--from=build /out/lectern /usr/local/bin/lectern"));
    assert!(setup.contains("nasm") && build.contains("nasm"), "what the build needs");
}

#[tokio::test]
async fn the_image_runs_as_nobody_who_may_do_anything() {
    let all = instructions();
    let user = of(&all, "USER")[0];
    assert_eq!(user, "10001", "a number, so that an orchestrator can see that it is not root");
    assert!(of(&all, "RUN").iter().any(|step| step.contains(&format!("useradd --system --uid {user} "))));
    assert!(tools::text_of("ops/secrets.sh").contains(&format!("server={user} ")));
    let variables: BTreeMap<&str, &str> = of(&all, "ENV")[0].split(' ').map(|pair| pair.split_once('=').unwrap()).collect();
    let variables: Vec<(&str, &str)> = variables.into_iter().collect();
    assert!(server::run(&["check-config"], &variables).await.status.success());
    assert_eq!(of(&all, "ENTRYPOINT"), [r#"["lectern"]"#]);
    let health = of(&all, "HEALTHCHECK")[0];
    assert!(health.ends_with(r#"CMD ["lectern", "healthcheck"]"#), "{health}");
    assert!(server::run(&["healthcheck", "--help"], &[]).await.status.success());
}

/// With a user who may do nothing (who has to have a name here, for PostgreSQL), no capability, and nothing
/// that can be written but the data directory, which is a disk of its own.
#[tokio::test]
async fn the_server_runs_on_a_root_that_is_read_only() {
    let data = scratch();
    let user = Uid::effective();
    let (namespaces, id, run) = if user.is_root() {
        (
            "--mount",
            "65534".to_owned(),
            "exec setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs \"$@\""
                .to_owned(),
        )
    } else {
        ("--user --map-root-user --mount", "0".to_owned(), format!("exec unshare --user --map-user={user} \"$@\""))
    };
    let script = format!(
        "mount --make-rprivate / && mount -t tmpfs -o size=192m,mode=700,uid={id},gid={id} data \"$0\" && mount -o remount,bind,ro / && \
         ! touch /probe 2>/dev/null && {run}"
    );
    let mut wrapper: Vec<String> = ["unshare"].into_iter().chain(namespaces.split(' ')).map(str::to_owned).collect();
    wrapper.extend(["sh".to_owned(), "-c".to_owned(), script, data.path().display().to_string()]);
    let server = Server::start_within(&wrapper, data.path(), &[]).await;
    let space = server.person("ann@example.org").await.space().await;
    space.publish("s").await.expect(201);
    let image = space.upload("a.gif", crate::assets::GIF).await.expect(201);
    let file = image["filename"].as_str().or(image["asset"]["filename"].as_str()).unwrap();
    let small = support::browser().get(format!("{file}/m/2x0")).send().await.unwrap();
    assert_eq!(small.status(), 200, "{}", small.text().await.unwrap());
    server.stop().await;
}
