// Which files a paste means. Programs put a picture of what was copied beside its text: of cells, of a page. Then the text is meant, and the picture is no file of
// the person.

interface Pasted<F> {
  readonly files: Iterable<F>;
  getData(type: string): string;
}

/** The files that were copied as such, or the one picture that was; none where a text is meant. */
export function meantFiles<F extends { readonly name: string; readonly type: string }>(data: Pasted<F> | null | undefined): readonly F[] {
  const files = [...(data?.files ?? [])];
  const [only] = files;
  if (!data || files.length !== 1 || !only!.type.startsWith('image/')) return files;
  const html = data.getData('text/html');
  // A browser and Word put a picture there as an element, alone; a sheet a table, in which there may be nothing.
  if (html.trim() !== '') return /<img\b/i.test(html) && wordsIn(html) === '' ? files : [];
  // A file manager puts the name of the file there.
  const text = data.getData('text/plain').trim();
  return text === '' || text.split(/[/\\]/).at(-1) === only!.name ? files : [];
}

/** What a person reads of HTML. */
function wordsIn(html: string): string {
  return html
    .replace(/<!--[\s\S]*?-->|<!\[[^>]*>|<(style|script|title|xml|head)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<(?:[^>"']|"[^"]*"|'[^']*')*>/g, '')
    .replace(/&nbsp;|&#160;|\s/gi, '');
}
