import { apiPlugin, StoryblokServerComponent, StoryblokServerRichText, storyblokEditable, storyblokInit } from '@storyblok/react/rsc';
import { fields } from '../fields.js';

function Block({ blok }) {
  return (
    <section {...storyblokEditable(blok)} data-component={blok.component}>
      {fields(blok).map((field) => <Field key={field.name} {...field} />)}
    </section>
  );
}

function Field({ name, kind, value }) {
  if (kind === 'blocks') return value.map((block) => <StoryblokServerComponent blok={block} key={block._uid} />);
  if (kind === 'richtext') return <StoryblokServerRichText document={value} optimizeImage />;
  if (kind === 'image') return <img src={value} alt={name} />;
  return <p>{value}</p>;
}

export const storyblok = storyblokInit({
  accessToken: process.env.STORYBLOK_TOKEN,
  apiOptions: { endpoint: `${process.env.STORYBLOK_URL}/api/v2` },
  use: [apiPlugin],
  enableFallbackComponent: true,
  customFallbackComponent: Block,
});
