import assert from 'node:assert/strict';
import { Server } from '../../../clients/support/server.mjs';
import { launch, Person } from '../../support/person.mjs';

export const PASSWORD = 'correct horse battery staple';

/** A server with a browser, and people at it who make spaces of their own. */
export class Desk {
  static async open(variables = {}) {
    const desk = new Desk();
    desk.server = await Server.start((port) => ({ APP_BASE_URL: `http://localhost:${port}`, APP_ARGON2_MEMORY_KIB: '64', APP_ARGON2_ITERATIONS: '1', ...variables }));
    desk.origin = desk.server.variables.APP_BASE_URL;
    desk.browser = await launch();
    return desk;
  }

  async close() {
    await this.browser?.close();
    await this.server?.dispose();
  }

  /** A person who is signed in. */
  async person(email, options = {}) {
    const person = await Person.at(this.browser, this.origin, options);
    await call(person, 'POST', '/api/auth/register', { email, password: PASSWORD, firstName: 'Ann', lastName: 'Bee' });
    await call(person, 'POST', '/api/auth/login', { email, password: PASSWORD });
    return person;
  }

  /** A space with a component `page`, and its number. */
  async space(person, name, more = {}) {
    const { space } = await call(person, 'POST', '/api/v1/spaces', { name, ...more });
    const component = { name: 'page', display_name: 'Page', is_root: true, schema: { title: { type: 'text', pos: 0 } } };
    await call(person, 'POST', `/api/v1/spaces/${space.id}/components`, { component });
    return space.id;
  }
}

/** Calls the API with the session of a person. */
export async function call(person, method, path, body) {
  const { request } = person.context;
  const token = async () => (await (await request.get(`${person.origin}/api/csrf-token`)).json()).csrfToken;
  const headers = method === 'GET' ? {} : { 'x-csrf-token': await token() };
  const answer = await request.fetch(person.origin + path, { method, headers, data: body });
  assert.ok(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}

let position = 0;

/** Makes a story or a folder by the API, behind those that were made so before. What the studio makes comes first. */
export async function make(person, space, story) {
  position += 10;
  const content = story.is_folder ? {} : { content: { component: 'page', title: story.name } };
  return (await call(person, 'POST', `/api/v1/spaces/${space}/stories`, { story: { position, ...content, ...story } })).story;
}
