// Builds the studio into the folder that is named: `node build.ts dist`. scripts/studio.sh calls it, and gives the folder its name when it is whole.
//
//   files/{name}.gz, files/{name}.br   what browsers load, compressed only
//   relay/{name}                       what sites load, as it is: the server writes its origin in place of `__LECTERN_ORIGIN__` before it serves them
//   index.txt                          what is there: `script {name}`, `style {name}`, `text {language} {name}`, `relay {name}`
//   packages.txt                       whose code is in it: `{name} {version}`, for /licenses and the bill of materials
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

type Output = Extract<Awaited<ReturnType<typeof build>>, { output: unknown }>['output'][number];
type Chunk = Extract<Output, { type: 'chunk' }>;

const folder = process.argv[2];
if (!folder) throw new Error('node build.ts FOLDER');

const built = await build({ logLevel: 'warn', build: { write: false } });
if (!('output' in built)) throw new Error('one bundle is expected');
const output: Output[] = [...built.output].sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
const chunks = output.filter((file): file is Chunk => file.type === 'chunk');

await mkdir(join(folder, 'files'), { recursive: true });
for (const file of output) {
  const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source);
  await writeFile(join(folder, 'files', `${file.fileName}.gz`), gzipSync(bytes, { level: 9 }));
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(join(folder, 'files', `${file.fileName}.br`), brotliCompressSync(bytes, { params: quality }));
}

/** The scripts of sites are classic ones that import nothing, so each is a bundle of its own. */
const RELAYS = ['bridge', 'storyblok-v2-latest'];
await mkdir(join(folder, 'relay'), { recursive: true });
for (const name of RELAYS) {
  const rolldownOptions = { input: `relay/${name}.ts`, output: { format: 'iife' as const } };
  const relay = await build({ configFile: false, logLevel: 'warn', build: { write: false, target: 'es2020', modulePreload: false, rolldownOptions } });
  if (!('output' in relay)) throw new Error('one bundle is expected');
  await writeFile(join(folder, 'relay', `${name}.js`), relay.output[0].code);
}

const lines = [
  ...chunks.filter((chunk) => chunk.isEntry).map((chunk) => `script ${chunk.fileName}`),
  ...output.filter((file) => file.fileName.startsWith('main.') && file.fileName.endsWith('.css')).map((file) => `style ${file.fileName}`),
  ...chunks.flatMap((chunk) => {
    const language = chunk.facadeModuleId?.match(/\/src\/texts\/([a-z]+)\.ts$/)?.[1];
    return language ? [`text ${language} ${chunk.fileName}`] : [];
  }),
  ...RELAYS.map((name) => `relay ${name}.js`),
];
await writeFile(join(folder, 'index.txt'), lines.map((line) => `${line}\n`).join(''));

/** The folder of the package that a module is of; nothing for our own. The bundler adds a module of its own, which loads parts when they are needed. */
function packageOf(module: string): string[] {
  const bundler = module.match(/^\0(vite|rolldown)\//)?.[1];
  if (bundler) return [join(import.meta.dirname, 'node_modules', bundler)];
  const found = module.match(/^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//)?.[1];
  return found ? [found] : [];
}
const packages = new Set(chunks.flatMap((chunk) => chunk.moduleIds.flatMap(packageOf)));
const named = await Promise.all(
  [...packages].map(async (path) => {
    const { name, version } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8'));
    return `${name} ${version}\n`;
  }),
);
await writeFile(join(folder, 'packages.txt'), named.sort().join(''));
