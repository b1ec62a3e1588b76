// Calls through a client whose types are generated from the description of the API. It has to compile: a wrong path, a missing parameter or a member that is
// not described would be an error of the compiler.

import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

type Story = components['schemas']['Story'];

/** Makes a component and a story of it, and reads the story in the Delivery API. */
export async function publishAndRead(baseUrl: string, space: number, managementToken: string, deliveryToken: string) {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${managementToken}` } });
  const component = await client.POST('/api/v1/spaces/{space}/components', {
    params: { path: { space } },
    body: { component: { name: 'page', is_root: true, schema: { title: { type: 'text' } } } },
  });
  if (component.error) throw new Error(component.error.message);
  const made = await client.POST('/api/v1/spaces/{space}/stories', {
    params: { path: { space } },
    body: { story: { name: 'Home', slug: 'home', content: { component: 'page', title: 'Hello' } }, publish: 1 },
  });
  if (made.error) throw new Error(made.error.message);
  const story: Story | undefined = made.data.story;
  const reader = createClient<paths>({ baseUrl });
  reader.use({
    onRequest({ request }) {
      const url = new URL(request.url);
      url.searchParams.set('token', deliveryToken);
      return new Request(url, request);
    },
  });
  const read = await reader.GET('/api/v2/cdn/stories/{identifier}', { params: { path: { identifier: 'home' }, query: { version: 'published' } } });
  const missing = await reader.GET('/api/v2/cdn/stories/{identifier}', { params: { path: { identifier: 'nowhere' } } });
  const title: unknown = read.data?.story?.content?.title;
  return { id: story?.id, uuid: read.data?.story?.uuid, title, refusal: missing.error?.error };
}
