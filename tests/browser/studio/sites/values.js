// What the sites print of the values of fields, as the elements of `page`.

const MARKS = { bold: () => ['strong', {}], italic: () => ['em', {}], link: ({ href }) => ['a', { href }] };

function inlineOf({ text = '', marks = [] }) {
  return marks.reduce((inner, { type, attrs }) => (MARKS[type] ? [...MARKS[type](attrs), [inner]] : inner), text);
}

/** A rich text; `blocks` prints the blocks in it. */
export function textOf(document, blocks) {
  return (document?.content ?? []).flatMap(({ type, attrs, content }) => (
    type === 'blok' ? blocks(attrs.body) : [['p', {}, (content ?? []).map(inlineOf)]]
  ));
}

const lineOf = (name, cells) => ['tr', {}, (cells ?? []).map(({ value }) => [name, {}, [String(value ?? '')]])];

/** A file, a link, an option and a table, where a block has them. */
export function valuesOf({ picture, link, theme, table }) {
  return [
    ...(picture?.filename ? [['img', { src: picture.filename, alt: picture.alt ?? '' }, []]] : []),
    ...(link?.cached_url ? [['a', { href: link.linktype === 'story' ? `/${link.cached_url}` : link.cached_url }, [link.cached_url]]] : []),
    ...(theme ? [['p', { id: 'theme' }, [theme]]] : []),
    ...(table?.tbody ? [['table', {}, [['thead', {}, [lineOf('th', table.thead)]], ['tbody', {}, table.tbody.map(({ body }) => lineOf('td', body))]]]] : []),
  ];
}
