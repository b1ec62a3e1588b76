// A port for a program that is told which, and listens seconds later.
import { createServer } from 'node:net';

/** Below those that the system hands out by itself: meanwhile it would give one of them to another program. */
const [FIRST, COUNT] = [20_000, 12_000];

export async function freePort() {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
}

function isFree(port) {
  return new Promise((told) => {
    const probe = createServer().once('error', () => told(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => told(true)));
  });
}
