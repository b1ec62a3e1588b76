//! A real mail server, in a process that the first test starts. Each test has a server of its own in that
//! process.
//!
//! ```text
//! let mails = MailBox::start().await;
//! let app = TestApp::with_variables(&mails.variables()).await;
//! let link = mails.next_to("ann@example.org").await.link();
//! ```

use crate::{Authority, PATIENCE, tools};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    io::{BufRead, BufReader, Write},
    process::{ChildStdin, Command, Stdio},
    sync::{
        Arc, LazyLock, Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};
use tokio::{
    sync::{oneshot, watch},
    time::timeout,
};

/// A received mail.
#[derive(Debug, Clone)]
pub struct Mail {
    /// Whether the server accepted it.
    pub taken: bool,
    /// The number of its connection, from 1.
    pub connection: u64,
    pub secure: bool,
    pub user: Option<String>,
    pub hello: String,
    pub sender: String,
    pub recipients: Vec<String>,
    /// The names of its headers, in order.
    pub headers: Vec<String>,
    pub head: String,
    pub message_id: String,
    pub from: String,
    pub to: Vec<String>,
    pub subject: String,
    pub text: String,
    pub html: String,
}

impl Mail {
    /// The link in it.
    pub fn link(&self) -> String {
        let link = self.text.split_whitespace().find(|text| text.starts_with("http") && text.contains("token="));
        link.unwrap_or_else(|| panic!("a link in {}", self.text)).to_owned()
    }

    /// The code of six digits in it.
    pub fn code(&self) -> String {
        let is_code = |value: &&str| value.len() == 6 && value.bytes().all(|byte| byte.is_ascii_digit());
        self.text.split_whitespace().find(is_code).unwrap_or_else(|| panic!("a code in {}", self.text)).to_owned()
    }
}

/// What a server does at a stage (`connect`, `auth`, `from`, `recipient`, `data`) instead of accepting.
#[derive(Debug, Clone, Copy)]
pub enum Says {
    /// Answers with a code.
    Code(u16),
    Nothing,
    /// Answers one byte a second, and never to the end.
    Drips,
    Cut,
}

/// The security of a server.
#[derive(Default)]
pub struct MailServer<'a> {
    /// `none`, `starttls` or `implicit`, with the certificate for the latter two.
    pub security: Option<(&'static str, &'a Authority)>,
    pub login: Option<(&'static str, &'static str)>,
}

/// A mail server of one test. It stops when it is dropped.
pub struct MailBox {
    name: String,
    options: Value,
    /// The port that it listens on.
    pub port: u16,
    port_text: String,
    events: watch::Receiver<Vec<Value>>,
    /// How many events [`MailBox::next_to`] has gone through, by address.
    read: Mutex<HashMap<String, usize>>,
}

impl MailBox {
    /// A server without encryption that accepts everything.
    pub async fn start() -> Self {
        Self::with(MailServer::default()).await
    }

    /// Another one.
    pub async fn with(server: MailServer<'_>) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("server-{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let (user, password) = server.login.unzip();
        let mut options = json!({ "security": "none", "user": user, "password": password });
        if let Some((security, authority)) = server.security {
            let read = |file| std::fs::read_to_string(authority.file(file)).unwrap();
            options["security"] = security.into();
            options["key"] = read("server.key").into();
            options["cert"] = read("server.pem").into();
        }
        let (sender, events) = watch::channel(Vec::new());
        host().servers.lock().unwrap().insert(name.clone(), sender);
        let mut it = Self { name, options, port: 0, port_text: String::new(), events, read: Mutex::default() };
        it.port = it.open().await;
        it.port_text = it.port.to_string();
        it
    }

    /// The `APP_` variables for it, when it has no encryption.
    pub fn variables(&self) -> [(&'static str, &str); 4] {
        [
            ("APP_SMTP_HOST", "127.0.0.1"),
            ("APP_SMTP_PORT", &self.port_text),
            ("APP_SMTP_SECURITY", "none"),
            ("APP_SMTP_FROM", "Lectern <no-reply@example.org>"),
        ]
    }

    /// Listens again on the same port.
    pub async fn open(&self) -> u16 {
        let mut command = self.options.clone();
        (command["command"], command["port"]) = ("open".into(), self.port.into());
        let port = self.tell(command).await["port"].as_u64().unwrap();
        u16::try_from(port).unwrap()
    }

    /// Closes all connections and stops listening.
    pub async fn close(&self) {
        self.tell(json!({ "command": "close" })).await;
    }

    /// Sets what it does at a stage the next times.
    pub async fn will(&self, stage: &str, says: impl IntoIterator<Item = Says>) {
        let reactions = says.into_iter().map(|say| match say {
            Says::Code(code) => json!({ "code": code }),
            Says::Nothing => json!({}),
            Says::Drips => json!({ "drip": true }),
            Says::Cut => json!({ "cut": true }),
        });
        let reactions: Vec<_> = reactions.collect();
        self.tell(json!({ "command": "will", "stage": stage, "reactions": reactions })).await;
    }

    /// Waits for the next accepted mail to an address. Each is returned once, in the order of arrival.
    pub async fn next_to(&self, address: &str) -> Mail {
        let mut events = self.events.clone();
        let mut at = self.read.lock().unwrap().get(address).copied().unwrap_or_default();
        let waiting = events.wait_for(|all| {
            while let Some(event) = all.get(at) {
                if mail(event).is_some_and(|m| m.taken && m.recipients == [address]) {
                    return true;
                }
                at += 1;
            }
            false
        });
        let found = timeout(PATIENCE, waiting).await.map(|t| t.map(drop));
        assert!(matches!(found, Ok(Ok(()))), "no mail to {address}: {:?}", self.events.borrow());
        let found = self.events.borrow().get(at).and_then(mail);
        self.read.lock().unwrap().insert(address.to_owned(), at + 1);
        found.unwrap()
    }

    /// Every mail so far, accepted or not.
    pub fn all(&self) -> Vec<Mail> {
        self.events.borrow().iter().filter_map(mail).collect()
    }

    /// Every accepted mail to an address so far.
    pub fn all_to(&self, address: &str) -> Vec<Mail> {
        self.all().into_iter().filter(|value| value.taken && value.recipients == [address]).collect()
    }

    /// Waits until an event (a stage, or `mail`) has happened this often since the start.
    pub async fn happened(&self, event: &str, count: usize) {
        let mut events = self.events.clone();
        let waiting = events.wait_for(|all| all.iter().filter(|value| value["event"] == event).count() >= count);
        let found = timeout(PATIENCE, waiting).await.map(|t| t.map(drop));
        assert!(matches!(found, Ok(Ok(()))), "{count} times {event}: {:?}", self.events.borrow());
    }

    /// How often an event has happened so far.
    pub fn count(&self, event: &str) -> usize {
        self.events.borrow().iter().filter(|e| e["event"] == event).count()
    }

    async fn tell(&self, mut command: Value) -> Value {
        command["server"] = self.name.as_str().into();
        let answer = host().ask(command).await;
        assert!(answer["error"].is_null(), "{answer}");
        answer
    }
}

impl Drop for MailBox {
    fn drop(&mut self) {
        let host = host();
        host.servers.lock().unwrap().remove(&self.name);
        host.write(&json!({ "id": 0, "command": "close", "server": self.name }));
    }
}

fn mail(event: &Value) -> Option<Mail> {
    if event["event"] != "mail" {
        return None;
    }
    let text = |name: &str| event[name].as_str().unwrap_or_else(|| panic!("{name} in {event}")).to_owned();
    let texts = |name: &str| event[name].as_array().unwrap().iter().map(|e| e.as_str().unwrap().to_owned()).collect();
    Some(Mail {
        taken: event["taken"] == true,
        connection: event["connection"].as_u64().unwrap(),
        secure: event["secure"] == true,
        user: event["user"].as_str().map(str::to_owned),
        hello: text("hello"),
        sender: text("sender"),
        recipients: texts("recipients"),
        headers: texts("headers"),
        head: text("head"),
        message_id: text("message_id"),
        from: text("from"),
        to: texts("to"),
        subject: text("subject"),
        text: text("text"),
        html: text("html"),
    })
}

/// The process of all servers. Threads talk to it, because the runtime of each test ends with the test.
struct Host {
    input: Mutex<ChildStdin>,
    questions: Mutex<HashMap<u64, oneshot::Sender<Value>>>,
    servers: Mutex<HashMap<String, watch::Sender<Vec<Value>>>>,
    last: AtomicU64,
}

fn host() -> &'static Arc<Host> {
    static HOST: LazyLock<Arc<Host>> = LazyLock::new(Host::start);
    &HOST
}

impl Host {
    /// It ends when its input is closed, which is when this process ends.
    fn start() -> Arc<Self> {
        let folder = tools::repository("tests/mail-server");
        let library = tools::repository("tests/node_modules/smtp-server");
        assert!(library.exists(), "the mail server of the tests is missing: run scripts/setup.sh test");
        let mut command = Command::new("node");
        command.arg(folder.join("server.mjs")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let host = Arc::new(Self {
            input: Mutex::new(child.stdin.take().unwrap()),
            questions: Mutex::default(),
            servers: Mutex::default(),
            last: AtomicU64::new(0),
        });
        let (output, ears) = (child.stdout.take().unwrap(), host.clone());
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                ears.heard(serde_json::from_str(&line.unwrap()).unwrap());
            }
            let _ = child.wait();
        });
        host
    }

    fn heard(&self, said: Value) {
        if let Some(id) = said["id"].as_u64() {
            if let Some(question) = self.questions.lock().unwrap().remove(&id) {
                let _ = question.send(said);
            }
        } else if let Some(server) = self.servers.lock().unwrap().get(said["server"].as_str().unwrap()) {
            server.send_modify(|all| all.push(said));
        }
    }

    fn write(&self, command: &Value) {
        let mut input = self.input.lock().unwrap();
        writeln!(input, "{command}").unwrap();
    }

    async fn ask(&self, mut command: Value) -> Value {
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        command["id"] = id.into();
        let (sender, answer) = oneshot::channel();
        self.questions.lock().unwrap().insert(id, sender);
        self.write(&command);
        timeout(PATIENCE, answer).await.expect("the mail server answers").unwrap()
    }
}
