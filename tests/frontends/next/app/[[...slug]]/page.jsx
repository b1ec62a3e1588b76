import { StoryblokServerStory } from '@storyblok/react/rsc';
import { storyblok } from '../../storyblok.jsx';

export async function generateStaticParams() {
  const stories = await storyblok().getAll('cdn/stories', { version: 'published', per_page: 100 });
  return stories.map(({ full_slug }) => ({ slug: full_slug.replace(/\/$/, '').split('/') }));
}

async function find(params) {
  const path = (await params).slug.map(decodeURIComponent).join('/');
  const { data } = await storyblok().get(`cdn/stories/${path}`, { version: 'published', resolve_links: 'url' });
  return data.story;
}

export async function generateMetadata({ params }) {
  return { title: (await find(params)).name };
}

export default async function Page({ params }) {
  const story = await find(params);
  return <><h1>{story.name}</h1><StoryblokServerStory story={story} /></>;
}
