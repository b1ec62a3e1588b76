// The blocks of a page: elements with `data-blok-c` (what the block is) and `data-blok-uid` (`{story}-{block}`), which the helpers of SDKs write, or which are
// made here of the comments that sites print before their elements.

/** What an element says of its block. */
export interface BlockMark {
  readonly name: string;
  readonly uid: string;
  readonly id: string;
  readonly space?: string;
}

const COMMENT = '#storyblok#';

/** Gives the element behind each comment of the editor the attributes of its block. */
export function markComments(root: Node): void {
  const comments = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  for (let node = comments.nextNode(); node; node = comments.nextNode()) {
    const text = (node as Comment).data;
    const element = (node as Comment).nextElementSibling;
    if (!text.startsWith(COMMENT) || !element) continue;
    // Some sites print the comment as the inside of a text of JSON.
    const mark = parseMark(text.slice(COMMENT.length).replaceAll('\\', ''));
    if (!mark) continue;
    element.setAttribute('data-blok-c', JSON.stringify(mark));
    element.setAttribute('data-blok-uid', `${mark.id}-${mark.uid}`);
    element.classList.add('storyblok__outline');
  }
}

/** The element of a block that something of the page is in. */
export function blockAround(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest('[data-blok-c]') : null;
}

export function markOf(element: Element): BlockMark | undefined {
  return parseMark(element.getAttribute('data-blok-c') ?? '');
}

/** The element of a block of a story; of any story where it is not said. */
export function elementOf(uid: string, story?: string | number): Element | null {
  if (!uid) return null;
  const own = story === undefined ? null : document.querySelector(`[data-blok-uid="${CSS.escape(`${story}-${uid}`)}"]`);
  return own ?? document.querySelector(`[data-blok-uid$="-${CSS.escape(uid)}"]`);
}

function parseMark(text: string): BlockMark | undefined {
  try {
    const mark = JSON.parse(text) as Partial<BlockMark> | null;
    return typeof mark?.uid === 'string' ? { ...mark, uid: mark.uid, name: String(mark.name ?? ''), id: String(mark.id ?? '') } : undefined;
  } catch {
    return undefined;
  }
}
