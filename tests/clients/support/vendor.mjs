import { createManagementApiClient } from '@storyblok/management-api-client';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import StoryblokClient from 'storyblok-js-client';

const target = fileURLToPath(new URL('../../../target/release/', import.meta.url));
const binary = process.env.VENDOR_BIN ?? join(target, 'vendor-stand-in');

/** The small space of the stand-in's own, with one of everything in it. */
export const sampleSpace = fileURLToPath(new URL('../../support/vendor/sample_space', import.meta.url));

/** The token that opens its management API. */
export const TOKEN = 'vendor-personal-token';

/** The stand-in of Storyblok, in a process of its own. */
export class Vendor {
  #process;

  /** Serves the spaces of these folders. `rate`: requests a second; `assets`: `self`, or where assets are said to be. */
  static async start(folders, { rate, assets } = {}) {
    const options = Object.entries({ '--rate': rate, '--assets': assets }).filter(([, value]) => value !== undefined);
    const vendor = new Vendor();
    vendor.#process = spawn(binary, [...options.flat().map(String), ...folders], { stdio: ['ignore', 'pipe', 'inherit'] });
    const failed = once(vendor.#process, 'exit').then(([code]) => Promise.reject(new Error(`${binary} ended with ${code}`)));
    // After the start no caller waits for it any more.
    failed.catch(() => {});
    const [url] = await Promise.race([once(createInterface(vendor.#process.stdout), 'line'), failed]);
    vendor.url = url;
    return vendor;
  }

  dispose() {
    this.#process.kill();
  }

  /** `control('PUT', 'faults', [{ path: '/stories/', times: 3, what: { kind: 'reset' } }])`, `control('GET', 'counters')`. */
  async control(method, what, body) {
    const answer = await fetch(`${this.url}/_control/${what}`, { method, body: body === undefined ? undefined : JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${what}: ${answer.status}`);
    return answer.json();
  }

  /** Storyblok's own clients, for the space of a folder. */
  space(folder) {
    const read = (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    const { id, languages } = read('space').space ?? read('space');
    const key = (access) => read('api_keys').api_keys.find((it) => it.access === access).token;
    return {
      id,
      languages,
      management: createManagementApiClient({
        spaceId: id,
        baseUrl: this.url,
        personalAccessToken: TOKEN,
        throwOnError: true,
        rateLimit: false,
        retry: { limit: 0 },
      }),
      reader: (kind) =>
        new StoryblokClient({
          accessToken: key(kind === 'draft' ? 'private' : 'public'),
          endpoint: `${this.url}/v2`,
          rateLimit: 1000,
        }),
    };
  }
}
