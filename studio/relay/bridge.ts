// The relay that a site loads with one line before its other scripts: <script src="{studio}/f/bridge.js"></script>. The SDKs of the hosted service speak only to
// the hosted editor; in the studio's frame this sends to the studio what they say. In any other frame, and outside of one, it does nothing, so that a site in
// the middle of a move works in both editors.

/** The server writes its own origin in here when it serves the file; nothing of the page can change it. */
const STUDIO = '__LECTERN_ORIGIN__';
const HOSTED = /^https?:\/\/app(-beta)?\.storyblok\.com\/?$/;

const parent = window.parent;
/** Who frames the page; a browser that does not tell leaves it open until the studio has spoken. */
let framedBy = window.location.ancestorOrigins?.[0];

if (parent !== window && (!framedBy || framedBy === STUDIO)) {
  replaceParent();
  window.addEventListener('keydown', passOn);
  window.addEventListener('message', ({ source, origin }) => {
    if (source === parent && origin === STUDIO) framedBy = STUDIO;
  });
}

function replaceParent(): void {
  const replaced = new Proxy(parent, {
    get(_, name) {
      if (name === 'postMessage') return send;
      const value: unknown = Reflect.get(parent, name);
      // The functions of a window know no other `this`.
      return typeof value === 'function' ? value.bind(parent) : value;
    },
  });
  Object.defineProperty(window, 'parent', { value: replaced, configurable: true, writable: true });
}

/** Where it is not known who frames the page, both editors are spoken to, and the browser drops what is meant for the other one. What is for others goes on as it came. */
function send(...args: [message: unknown, target?: unknown, ...more: unknown[]]): void {
  const [message, target, ...more] = args;
  const isForEditor = typeof target === 'string' && HOSTED.test(target);
  if (isForEditor) Reflect.apply(parent.postMessage, parent, [message, STUDIO, ...more]);
  if (!isForEditor || !framedBy) Reflect.apply(parent.postMessage, parent, args);
}

/** Keys that are pressed in a frame never reach the page around it: those that lead out of it, search, save and publish are passed on to the studio. */
function passOn(event: KeyboardEvent): void {
  const { key, shiftKey } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  const isMeant = key === 'F6' || (isCommand && (/^[sk]$/i.test(key) || (key === 'Enter' && shiftKey)));
  if (framedBy !== STUDIO || !isMeant || !event.isTrusted) return;
  event.preventDefault();
  parent.postMessage({ action: 'lecternKey', key, shiftKey, isCommand }, STUDIO);
}

export {};
