// A port for a program that is told which, and listens seconds later.
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Below those that the system hands out by itself: meanwhile it would give one of them to another program. */
const [FIRST, COUNT] = [20_000, 12_000];

export async function freePort() {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if ((await isOurs(port)) && (await isFree(port))) return port;
  }
}

/** Other tests look for a port at the same time. One that has the UDP port of the same number has the number, until its process ends. */
function isOurs(port) {
  return new Promise((told) => {
    const claim = createSocket('udp4').unref();
    claim.once('error', () => claim.close(() => told(false)));
    claim.bind({ port, address: '127.0.0.1', exclusive: true }, () => told(true));
  });
}

function isFree(port) {
  return new Promise((told) => {
    const probe = createServer().once('error', () => told(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => told(true)));
  });
}
