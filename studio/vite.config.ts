// How the studio is bundled. Every name holds a hash of the content, so that browsers keep the files for good; nothing is inlined, because the policy of the
// shell allows neither scripts nor styles in the page.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

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
      output: { entryFileNames: '[name].[hash].js', chunkFileNames: '[name].[hash].js', assetFileNames: '[name].[hash][extname]' },
    },
  },
});
