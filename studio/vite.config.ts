// How the studio is bundled. Every name holds a hash of the content, so that browsers keep the files for good; nothing is inlined, because the policy of the
// shell allows neither scripts nor styles in the page.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Rolldown } from 'vite';

/** What a screen needs from the start, and no other one: one file, also where parts that are loaded later need some of it. */
const SCREEN = '/src/story/StoryScreen.svelte';
const OTHERS = ['/src/main.ts', '/src/stories/StoriesScreen.svelte', '/src/assets/AssetsScreen.svelte'];

/** What every screen needs: one file beside that of the application, so that no small one of it is a request of its own. */
const EVERYWHERE = ['/node_modules/svelte/', '/src/texts/texts.ts', '/src/model/json.ts'];

/** Whether a module is loaded with another one: it is that one, or one that is loaded with it imports it. */
function isLoadedWith(ends: readonly string[], module: string, context: Rolldown.ChunkingContext, seen = new Set<string>()): boolean {
  if (ends.some((end) => module.endsWith(end))) return true;
  if (seen.has(module)) return false;
  seen.add(module);
  return (context.getModuleInfo(module)?.importers ?? []).some((importer) => isLoadedWith(ends, importer, context, seen));
}

export default defineConfig({
  base: '/assets/studio/',
  plugins: [svelte()],
  build: {
    target: 'es2023',
    assetsDir: '',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: 'src/main.ts',
      output: {
        entryFileNames: '[name].[hash].js',
        chunkFileNames: '[name].[hash].js',
        assetFileNames: '[name].[hash][extname]',
        codeSplitting: {
          groups: [{
            debugName: 'story',
            name: (module, context) => (isLoadedWith([SCREEN], module, context) && !isLoadedWith(OTHERS, module, context) ? 'story' : null),
            includeDependenciesRecursively: false,
          }, {
            debugName: 'texts',
            name: (module) => (EVERYWHERE.some((part) => module.includes(part)) ? 'texts' : null),
          }],
        },
      },
    },
  },
});
