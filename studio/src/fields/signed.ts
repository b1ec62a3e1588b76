// Pictures of private files in a text: what cannot be loaded as content names it is shown by a URL that is signed. So nothing is asked for all others.

import type { Attachment } from 'svelte/attachments';
import type { FieldSources } from '../model/sources.ts';

export function signedPictures(sources: FieldSources): Attachment<HTMLElement> {
  return (host) => {
    const tried = new WeakSet<EventTarget>();
    async function sign({ target }: Event): Promise<void> {
      if (!(target instanceof HTMLImageElement) || tried.has(target)) return;
      tried.add(target);
      // Without an answer it stays what it is: a picture that cannot be loaded.
      const signed = await sources.signedUrl(target.src).catch(() => undefined);
      if (signed) target.src = signed;
    }
    // This event reaches no element above its own but on the way down.
    host.addEventListener('error', sign, true);
    return () => host.removeEventListener('error', sign, true);
  };
}
