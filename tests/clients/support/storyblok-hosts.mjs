// Preloaded into a tool of Storyblok that knows no other hosts than Storyblok's: its requests go to the server in LECTERN_URL, with path and query as they are.

const HOSTS = /^(mapi|api|api-(us|ca|ap))\.storyblok\.com$/;
const to = process.env.LECTERN_URL;
const original = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url);
  if (!HOSTS.test(url.hostname)) return original(input, init);
  const target = new URL(url.pathname + url.search, to);
  return input instanceof Request ? original(new Request(target, input), init) : original(target, init);
};
