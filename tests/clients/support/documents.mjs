import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The blocks of a document in a language, without the indentation of their fences. */
export async function blocks(document, language) {
  const text = await readFile(join(root, document), 'utf8');
  const found = text.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms);
  return [...found].filter((match) => match[2] === language).map((match) => match[3].replaceAll(new RegExp(`^${match[1]}`, 'gm'), ''));
}

/** Runs a block as a module beside the packages of these tests, and returns what it exports by these names. */
export async function evaluate(block, names) {
  const directory = await mkdtemp(join(tmpdir(), 'lectern-document-'));
  try {
    await symlink(join(root, 'tests/node_modules'), join(directory, 'node_modules'));
    const file = join(directory, 'block.mjs');
    await writeFile(file, `${block}\nexport { ${names.join(', ')} };\n`);
    return await import(pathToFileURL(file).href);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
