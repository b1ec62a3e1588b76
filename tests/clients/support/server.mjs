import { execFileSync, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.mjs';
import { until } from './pool.mjs';

const binary = resolve(process.env.LECTERN_BIN ?? fileURLToPath(new URL('../../../target/release/lectern', import.meta.url)));

/** A data directory that a server has used, for `make test` (scripts/test.py). Without it each server makes its own, which takes most of its start. */
const firstStart = process.env.LECTERN_FIRST_START;

/** The real server, without configuration except for a port and a data directory of its own. */
export class Server {
  #process;
  #ended;
  #output = '';

  constructor(directory, port, variables) {
    this.directory = directory;
    this.data = join(directory, 'data');
    this.variables = variables;
    this.address = `127.0.0.1:${port}`;
    // Its own name for itself: tokens and links begin with it.
    this.url = `http://localhost:${port}`;
  }

  /** `variables` may be a function of the port, for those that name it. */
  static async start(variables = {}) {
    const directory = await mkdtemp(join(tmpdir(), 'lectern-clients-'));
    // Started as root, the server runs PostgreSQL as another user, who has to be able to enter this directory.
    await chmod(directory, 0o755);
    const port = await freePort();
    const server = new Server(directory, port, typeof variables === 'function' ? variables(port) : variables);
    // Not by Node.js, which does not keep the owner.
    if (firstStart) execFileSync('cp', ['-a', firstStart, server.data]);
    process.once('exit', (code) => {
      if (code) process.stderr.write(`--- the last output of the server ---\n${server.#output}\n`);
    });
    try {
      await server.start();
    } catch (error) {
      await server.dispose().catch(() => {});
      throw error;
    }
    return server;
  }

  /** Starts it, a second time too, and waits until it says that it is ready. */
  async start() {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('APP_'));
    const env = {
      ...Object.fromEntries(inherited),
      APP_LISTEN: this.address,
      APP_DATA_DIR: this.data,
      APP_RATE_LIMITS: 'off',
      ...this.variables,
    };
    const child = spawn(binary, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process = child;
    this.#ended = new Promise((ended) => {
      child.once('error', (error) => ended(`could not be started: ${error.message}`));
      child.once('exit', (code, signal) => ended(signal ?? `exit code ${code}`));
    });
    let died;
    this.#ended.then((how) => (died = how));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (this.#output = (this.#output + text).slice(-20_000)));
    }
    await until('the server is ready', async () => {
      if (died) throw new Error(`${binary} ended: ${died}`);
      return fetch(`${this.url}/api/ready`).then((answer) => answer.ok, () => false);
    });
  }

  /** kill -9: no handler runs, nothing is flushed. */
  async kill() {
    this.#process.kill('SIGKILL');
    return this.#ended;
  }

  /** Asks it to stop and waits for the end. Returns the exit code or signal. */
  async stop() {
    this.#process.kill('SIGTERM');
    return this.#ended;
  }

  /** Ends everything and removes the data, whatever state the test left. A server that does not end in order fails the test. */
  async dispose() {
    const how = await this.stop();
    await endOrphan(join(this.data, 'postgres', 'postmaster.pid'));
    await rm(this.directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    if (how !== 'exit code 0') throw new Error(`the server ended with ${how}`);
  }
}

/** A PostgreSQL that outlived a killed server: its own pid file names it. */
async function endOrphan(file) {
  const text = await readFile(file, 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  if (!(pid > 1)) return;
  const alive = (signal) => {
    try {
      return process.kill(pid, signal);
    } catch {
      return false;
    }
  };
  if (alive('SIGQUIT')) await until(`PostgreSQL ${pid} ends`, () => !alive(0), 30);
}

