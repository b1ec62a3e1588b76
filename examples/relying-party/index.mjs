// An application that people sign in to through Lectern. Start it with the secret of its client: CLIENT_SECRET=… node index.mjs
import { createServer } from 'node:http';
import * as oidc from 'openid-client';

const port = Number(process.env.PORT ?? 3000);
const [issuer, home] = [process.env.ISSUER ?? 'http://localhost:8080', `http://127.0.0.1:${port}`];
const options = issuer.startsWith('http:') ? { execute: [oidc.allowInsecureRequests] } : undefined;
const config = await oidc.discovery(new URL(issuer), 'example', process.env.CLIENT_SECRET, undefined, options);
const attempts = new Map(); // state -> PKCE verifier; a real application keeps it in the session of the browser

async function answer(request, response) {
  const url = new URL(request.url, home);
  if (url.pathname === '/callback') {
    const expectedState = url.searchParams.get('state');
    const checks = { expectedState, pkceCodeVerifier: attempts.get(expectedState) };
    attempts.delete(expectedState);
    const tokens = await oidc.authorizationCodeGrant(config, url, checks);
    const person = await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims().sub);
    return response.end(`Hello, ${person.name} <${person.email}>`);
  }
  const [state, verifier] = [oidc.randomState(), oidc.randomPKCECodeVerifier()];
  attempts.set(state, verifier);
  const challenge = { code_challenge: await oidc.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' };
  const wish = { redirect_uri: `${home}/callback`, scope: 'openid profile email', state, ...challenge };
  response.writeHead(303, { location: oidc.buildAuthorizationUrl(config, wish).href }).end();
}

createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(400).end(error.message));
}).listen(port, '127.0.0.1', () => console.log(`open ${home}`));
