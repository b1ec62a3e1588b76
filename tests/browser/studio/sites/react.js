import { apiPlugin, getStoryblokApi, storyblokEditable, storyblokInit, useStoryblokState } from '@storyblok/react';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { bridgeOptions, endpoint, page, readOptions, slug, token } from './story.js';

storyblokInit({ accessToken: token, use: [apiPlugin], apiOptions: { endpoint } });
const { data } = await getStoryblokApi().getStory(slug, readOptions);

function toReact([name, { class: className, ...attributes }, children], key) {
  const inner = children.map((child, at) => (typeof child === 'string' ? child : toReact(child, at)));
  return createElement(name, { ...attributes, className, key }, ...inner);
}

function Site() {
  const story = useStoryblokState(data.story, bridgeOptions);
  return toReact(page(story, storyblokEditable));
}

createRoot(document.querySelector('#site')).render(createElement(Site));
