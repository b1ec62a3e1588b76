// HTML that was pasted, as a document in which nothing runs and nothing is loaded. The page's policy allows text to become HTML only here.

interface Policy {
  createHTML(html: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(html: string): string }): Policy;
}

let policy: Policy | undefined;

/** The document of an HTML text. What it says of its looks in `style` stands in `data-style`: the page's policy would report each of them. */
export function pastedDocument(html: string): Document {
  const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  policy ??= types?.createPolicy('lectern-paste', { createHTML: (text) => text }) ?? { createHTML: (text) => text };
  const quiet = html.replace(/<style\b[\s\S]*?<\/style\s*>/gi, '').replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/\sstyle(?=\s*=)/gi, ' data-style'));
  return new DOMParser().parseFromString(policy.createHTML(quiet), 'text/html');
}
