// A Markdown text as elements. They are made one by one, so that no text of an editor ever becomes HTML: HTML in it is shown as it is written.

import type { Definition, Nodes, RootContent, Table, TableRow } from 'mdast';
import { parseMarkdown } from './parse.ts';

type Child = Node | string;

export function previewOf(text: string): DocumentFragment {
  const root = parseMarkdown(text);
  const definitions = new Map(root.children.filter((node) => node.type === 'definition').map((node) => [node.identifier, node]));
  const fragment = document.createDocumentFragment();
  fragment.append(...new Preview(definitions).all(root.children));
  return fragment;
}

class Preview {
  readonly #definitions: ReadonlyMap<string, Definition>;

  constructor(definitions: ReadonlyMap<string, Definition>) {
    this.#definitions = definitions;
  }

  all(nodes: readonly RootContent[]): Child[] {
    return nodes.flatMap((node) => this.#one(node));
  }

  #one(node: RootContent): Child[] {
    switch (node.type) {
      case 'text': return [node.value];
      case 'paragraph': return [make('p', this.all(node.children))];
      // The page around it has headings of its own.
      case 'heading': return [make('p', this.all(node.children), { role: 'heading', 'aria-level': String(node.depth), class: `h${node.depth}` })];
      case 'emphasis': return [make('em', this.all(node.children))];
      case 'strong': return [make('strong', this.all(node.children))];
      case 'delete': return [make('del', this.all(node.children))];
      case 'inlineCode': return [make('code', [node.value])];
      case 'code': return [make('pre', [make('code', [node.value])])];
      case 'html': return [make('code', [node.value])];
      case 'break': return [make('br', [])];
      case 'thematicBreak': return [make('hr', [])];
      case 'blockquote': return [make('blockquote', this.all(node.children))];
      case 'list': return [make(node.ordered ? 'ol' : 'ul', this.all(node.children), node.start && node.start !== 1 ? { start: String(node.start) } : {})];
      case 'listItem': return [make('li', [...(typeof node.checked === 'boolean' ? [node.checked ? '☑ ' : '☐ '] : []), ...this.all(node.children)])];
      case 'table': return [this.#table(node)];
      case 'link': return [link(node.url, this.all(node.children))];
      case 'linkReference': return [link(this.#definitions.get(node.identifier)?.url ?? '', this.all(node.children))];
      case 'image': return [picture(node.url, node.alt ?? '')];
      case 'imageReference': return [picture(this.#definitions.get(node.identifier)?.url ?? '', node.alt ?? '')];
      case 'footnoteReference': return [make('sup', [node.label ?? node.identifier])];
      case 'footnoteDefinition': return [make('p', [make('sup', [node.label ?? node.identifier]), ' ', ...this.all(node.children)])];
      default: return childrenOf(node).flatMap((child) => this.#one(child));
    }
  }

  #table({ children: [head, ...rows] }: Table): HTMLElement {
    const row = (one: TableRow, name: 'th' | 'td') => make('tr', one.children.map((cell) => make(name, this.all(cell.children))));
    return make('table', [make('thead', head ? [row(head, 'th')] : []), make('tbody', rows.map((one) => row(one, 'td')))]);
  }
}

function childrenOf(node: Nodes): readonly RootContent[] {
  return 'children' in node ? (node.children as readonly RootContent[]) : [];
}

function make(name: string, children: readonly Child[], attributes: Readonly<Record<string, string>> = {}): HTMLElement {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}

/** A link that can be followed from here; a path belongs to the site. */
function link(url: string, children: readonly Child[]): HTMLElement {
  const isOpen = /^(https?:|mailto:|tel:|\/\/)/i.test(url);
  return make('a', children, isOpen ? { href: url, target: '_blank', rel: 'noopener noreferrer' } : { title: url });
}

function picture(url: string, alt: string): HTMLElement {
  if (!/^(https?:)?\/\//i.test(url)) return make('span', [alt || url]);
  return make('img', [], { src: url.replace(/^\/\//, 'https://'), alt, loading: 'lazy', referrerpolicy: 'no-referrer' });
}
