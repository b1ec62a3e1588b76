import { storyblok } from '@storyblok/astro';
import { defineConfig } from 'astro/config';

export default defineConfig({
  outDir: process.env.SITE_OUT,
  cacheDir: process.env.SITE_CACHE,
  integrations: [
    storyblok({
      accessToken: process.env.STORYBLOK_TOKEN,
      apiOptions: { endpoint: `${process.env.STORYBLOK_URL}/api/v2` },
      bridge: false,
      enableFallbackComponent: true,
      customFallbackComponent: 'storyblok/Block',
    }),
  ],
});
