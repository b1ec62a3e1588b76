// The mail servers of the tests: real SMTP servers that do what a test tells them. Commands come in on the standard input and answers and
// events go out on the standard output, one JSON object a line. It ends when its input does.
import { createInterface } from "node:readline";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

const servers = new Map();
const say = (it) => process.stdout.write(`${JSON.stringify(it)}\n`);

/// A server with a name. What it is told to do is taken from `will`, by stage, one after the other.
function make(name, { security, key, cert, user, password }) {
  const server = { name, will: {}, connections: 0, numbers: new Map() };
  const tell = (event) => say({ server: name, ...event });
  const disabledCommands = [];
  if (security !== "starttls") disabledCommands.push("STARTTLS");
  if (!user) disabledCommands.push("AUTH");
  /// Does at a stage what it is told to, or what it would do by itself.
  const at = (stage, session, callback, usual) => {
    tell({ event: stage, connection: server.numbers.get(session.id), secure: session.secure });
    const reaction = server.will[stage]?.shift();
    if (!reaction) return usual();
    if (reaction.cut) return cut(server, session);
    if (reaction.drip) return drip(server, session);
    if (reaction.code) callback(Object.assign(new Error(reaction.text ?? "not so"), { responseCode: reaction.code }));
    // Else it never answers.
  };
  server.smtp = new SMTPServer({
    name: "mail.test",
    key,
    cert,
    secure: security === "implicit",
    disabledCommands,
    disableReverseLookup: true,
    allowInsecureAuth: true,
    authOptional: !user,
    authMethods: ["PLAIN", "LOGIN"],
    closeTimeout: 1,
    logger: false,
    onConnect(session, callback) {
      server.connections += 1;
      server.numbers.set(session.id, server.connections);
      at("connect", session, callback, () => callback());
    },
    onAuth(auth, session, callback) {
      at("auth", session, callback, () => {
        if (auth.username === user && auth.password === password) return callback(null, { user });
        callback(Object.assign(new Error("who are you?"), { responseCode: 535 }));
      });
    },
    onMailFrom(_, session, callback) {
      at("from", session, callback, () => callback());
    },
    onRcptTo(_, session, callback) {
      at("recipient", session, callback, () => callback());
    },
    onData(stream, session, callback) {
      const reaction = server.will.data?.shift();
      if (reaction?.cut) return stream.once("data", () => cut(server, session));
      const pieces = [];
      stream.on("data", (piece) => pieces.push(piece));
      stream.on("end", async () => {
        const raw = Buffer.concat(pieces);
        const mail = await PostalMime.parse(raw);
        const head = raw.toString("latin1").split("\r\n\r\n")[0];
        tell({
          event: "mail",
          taken: !reaction,
          connection: server.numbers.get(session.id),
          secure: session.secure,
          user: session.user ?? null,
          hello: session.hostNameAppearsAs,
          sender: session.envelope.mailFrom.address,
          recipients: session.envelope.rcptTo.map((it) => it.address),
          headers: head.split("\r\n").filter((it) => !/^\s/.test(it)).map((it) => it.split(":")[0]),
          head,
          message_id: mail.messageId,
          from: mail.from.name ? `${mail.from.name} <${mail.from.address}>` : mail.from.address,
          to: mail.to.map((it) => it.address),
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
        });
        if (!reaction) return callback(null, "taken");
        if (reaction.drip) return drip(server, session);
        if (reaction.code) callback(Object.assign(new Error(reaction.text ?? "not so"), { responseCode: reaction.code }));
      });
    },
  });
  // Clients that go away are what the tests are about.
  server.smtp.on("error", () => {});
  return server;
}

function sockets(server, session) {
  return [...server.smtp.connections].filter((it) => it.session.id === session.id).map((it) => it._socket);
}

function cut(server, session) {
  for (const socket of sockets(server, session)) socket.destroy();
}

/// Says one byte a second, of an answer that never ends.
function drip(server, session) {
  const answer = "220-one moment, please\r\n";
  for (const socket of sockets(server, session)) {
    let at = 0;
    const timer = setInterval(() => socket.write(answer[at++ % answer.length]), 1000);
    socket.once("close", () => clearInterval(timer));
  }
}

function down(server) {
  for (const connection of server.smtp.connections) connection._socket.destroy();
  return new Promise((done) => server.smtp.close(done));
}

const commands = {
  async open({ server: name, port, ...options }) {
    const server = make(name, options);
    const old = servers.get(name);
    if (old) server.connections = old.connections;
    servers.set(name, server);
    await new Promise((done, failed) => {
      server.smtp.server.once("error", failed);
      server.smtp.listen(port, "127.0.0.1", done);
    });
    return { port: server.smtp.server.address().port };
  },
  async close({ server: name }) {
    await down(servers.get(name));
    return {};
  },
  async will({ server: name, stage, reactions }) {
    const { will } = servers.get(name);
    will[stage] = [...(will[stage] ?? []), ...reactions];
    return {};
  },
};

const lines = createInterface({ input: process.stdin });
lines.on("close", () => process.exit(0));
lines.on("line", async (line) => {
  const { id, command, ...rest } = JSON.parse(line);
  try {
    say({ id, ...(await commands[command](rest)) });
  } catch (error) {
    say({ id, error: String(error) });
  }
});
