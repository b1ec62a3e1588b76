// Preloaded into a tool of Storyblok that knows no other hosts than Storyblok's: its requests go to the server in LECTERN_URL, with path and query as they are.

import http from 'node:http';
import https from 'node:https';

const HOSTS = /^(mapi|api|api-(us|ca|ap))\.storyblok\.com$/;
const to = new URL(process.env.LECTERN_URL);

const fetchAnywhere = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url);
  if (!HOSTS.test(url.hostname)) return fetchAnywhere(input, init);
  // A path that begins with two slashes would be read as another host.
  const target = to.origin + url.pathname + url.search;
  return input instanceof Request ? fetchAnywhere(new Request(target, input), init) : fetchAnywhere(target, init);
};

// Older tools use axios, which asks Node.js itself.
const requestAnywhere = https.request;
https.request = (options, done) => {
  if (!HOSTS.test(options.hostname ?? options.host ?? '')) return requestAnywhere(options, done);
  const { agent, agents, ...rest } = options;
  return http.request({ ...rest, protocol: 'http:', hostname: to.hostname, host: to.hostname, port: to.port }, done);
};
