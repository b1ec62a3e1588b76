/** The values at a path of a content tree, several where a `*` stands for each element; a missing one is `undefined`. */
export function at(content, path) {
  return path.split('.').reduce(
    (values, key) =>
      key === '*'
        ? values.flatMap((value) => (Array.isArray(value) ? value : []))
        : values.map((value) => value?.[key]),
    [content],
  );
}

/** The same content with every UUID that the map knows replaced. */
export function renamed(content, uuids) {
  const visit = (node) => {
    if (Array.isArray(node)) return node.map(visit);
    if (node === null || typeof node !== 'object') return typeof node === 'string' ? (uuids.get(node) ?? node) : node;
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, visit(value)]));
  };
  return visit(content);
}
