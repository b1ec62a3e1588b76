// What the server found wrong with a value, in the language of the interface: by its code where that is known, else in the server's words.

import { fill, type Texts } from '../texts/texts.ts';

export function problemText({ code, message }: { readonly code: string; readonly message: string }, t: Texts): string {
  switch (code) {
    case 'blank': return t.fieldBlank;
    default: return fill(t.fieldInvalid, { reason: message });
  }
}
