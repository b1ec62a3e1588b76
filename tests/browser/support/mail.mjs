import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail server that keeps what it gets. */
export class MailBox {
  #mails = [];
  #waiting = [];

  static async start() {
    const box = new MailBox();
    box.smtp = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      closeTimeout: 1,
      onData: (stream, _, callback) => box.#take(stream).then(() => callback(), callback),
    });
    await new Promise((listening) => box.smtp.listen(0, '127.0.0.1', listening));
    box.port = box.smtp.server.address().port;
    return box;
  }

  /** What tells a server of it. */
  get variables() {
    return { APP_SMTP_HOST: '127.0.0.1', APP_SMTP_PORT: String(this.port), APP_SMTP_SECURITY: 'none', APP_SMTP_FROM: 'Lectern <lectern@example.com>' };
  }

  async #take(stream) {
    const pieces = [];
    for await (const piece of stream) pieces.push(piece);
    const mail = await PostalMime.parse(Buffer.concat(pieces));
    this.#mails.push({ to: mail.to[0].address, subject: mail.subject, text: mail.text });
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** The next mail to an address whose text matches; each is taken once. */
  async next(address, pattern = /./) {
    for (;;) {
      const at = this.#mails.findIndex(({ to, text }) => to === address && pattern.test(text));
      if (at >= 0) return this.#mails.splice(at, 1)[0];
      await new Promise((wake) => this.#waiting.push(wake));
    }
  }

  /** The link with a token in the next mail that has one. */
  async link(address) {
    const { text } = await this.next(address, /token=/);
    return text.match(/http\S+token=\S+/)[0];
  }

  /** The code in the next mail that has one. */
  async code(address) {
    const { text } = await this.next(address, /^\s*\d{6}\s*$/m);
    return text.match(/^\s*(\d{6})\s*$/m)[1];
  }

  close() {
    return new Promise((closed) => this.smtp.close(closed));
  }
}
