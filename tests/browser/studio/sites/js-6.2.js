import { apiPlugin, storyblokEditable, storyblokInit, useStoryblokBridge } from 'storyblok-js-6.2';
import { bridgeOptions, bridgeUrl, endpoint, page, readOptions, show, slug, token } from './story.js';

const { storyblokApi } = storyblokInit({ accessToken: token, use: [apiPlugin], apiOptions: { endpoint }, ...(bridgeUrl && { bridgeUrl }) });
const { data } = await storyblokApi.getStory(slug, readOptions);
const render = (story) => show(page(story, storyblokEditable));
render(data.story);
useStoryblokBridge(data.story.id, render, bridgeOptions);
