// What the sites have in common: where the story comes from, and what of it they show.

import { textOf, valuesOf } from './values.js';

/** What the site's server has written into the page. */
export const { endpoint, token, customParent, bridgeUrl } = globalThis.SITE;
export const RELATIONS = ['landing.author'];
export const bridgeOptions = { resolveRelations: RELATIONS, ...(customParent && { customParent }) };
export const readOptions = { version: globalThis.SITE.version ?? 'draft', resolve_relations: RELATIONS.join() };
/** The path of the story, behind that of the site. */
export const slug = location.pathname.split('/').slice(3).join('/');
globalThis.loads = Number(sessionStorage.getItem('loads') ?? 0) + 1;
sessionStorage.setItem('loads', String(globalThis.loads));
// How often the studio has told the page what to show, as an attribute that tests wait for.
addEventListener('message', ({ data }) => {
  const { dataset } = document.documentElement;
  if (data?.action === 'input') dataset.inputs = String(Number(dataset.inputs ?? 0) + 1);
});

/** Elements as arrays: a name, attributes, and what is in it. `editable` gives the attributes that mark a block. */
export function page({ content }, editable) {
  const author = typeof content.author === 'string' ? content.author : (content.author?.name ?? '');
  const blocks = (list) => (list ?? []).map((block) => blockOf(block));
  const blockOf = (block) => [
    'div',
    { ...editable(block), class: block.component },
    [...(block.headline ? [['h2', {}, [block.headline]]] : []), ...blocks(block.columns)],
  ];
  const values = [...textOf(content.text, blocks), ...valuesOf(content)];
  return ['main', editable(content), [['h1', {}, [content.title ?? '']], ['p', { id: 'author' }, [author]], ...blocks(content.body), ...values]];
}

/** Makes elements of it. `comment` is printed before an element, where a site marks blocks so. */
export function elementOf([name, { comment, ...attributes }, children]) {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  for (const child of children) {
    if (typeof child !== 'string' && child[1].comment) element.append(document.createComment(child[1].comment));
    element.append(typeof child === 'string' ? child : elementOf(child));
  }
  return element;
}

export function show(tree) {
  const comment = tree[1].comment;
  document.querySelector('#site').replaceChildren(...(comment ? [document.createComment(comment)] : []), elementOf(tree));
}

/** The inside of the comment that marks a block. */
export const commentOf = (block) => block._editable?.replace(/^<!--|-->$/g, '');

/** Reads the story without an SDK. */
export async function read() {
  const query = new URLSearchParams({ token, ...readOptions });
  const { story, rels } = await (await fetch(`${endpoint}/cdn/stories/${slug}?${query}`)).json();
  const author = rels?.find(({ uuid }) => uuid === story.content.author);
  return { ...story, content: { ...story.content, author: author ?? story.content.author } };
}
