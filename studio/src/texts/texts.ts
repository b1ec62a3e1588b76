// The texts of the interface: one language is loaded, and a text that is missing in one of them does not compile.
import type { Texts } from './en.ts';
export type { Texts } from './en.ts';

let loaded: Texts | undefined;
let language: 'en' | 'de' = 'en';

/** Loads the texts of a language; before anything is shown. */
export async function loadTexts(wanted: 'en' | 'de'): Promise<void> {
  language = wanted;
  loaded = language === 'de' ? (await import('./de.ts')).default : (await import('./en.ts')).default;
}

/** The texts of the interface. */
export function texts(): Texts {
  if (!loaded) throw new Error('the texts are not loaded');
  return loaded;
}

/** The language of the interface. */
export function textsLanguage(): 'en' | 'de' {
  return language;
}

/** A text with values in its places, which are written in braces. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
