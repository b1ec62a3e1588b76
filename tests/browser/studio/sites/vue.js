import { apiPlugin, StoryblokVue, useStoryblokApi, useStoryblokBridge } from '@storyblok/vue';
import { createApp, defineComponent, h, resolveDirective, shallowRef, withDirectives } from 'vue';
import { bridgeOptions, endpoint, page, readOptions, slug, token } from './story.js';

function toVue([name, { block, ...attributes }, children], editable) {
  const node = h(name, attributes, children.map((child) => (typeof child === 'string' ? child : toVue(child, editable))));
  return block ? withDirectives(node, [[editable, block]]) : node;
}

const Site = defineComponent({
  setup() {
    const story = shallowRef();
    useStoryblokApi().getStory(slug, readOptions).then(({ data }) => {
      story.value = data.story;
      useStoryblokBridge(data.story.id, (changed) => (story.value = changed), bridgeOptions);
    });
    return () => story.value && toVue(page(story.value, (block) => ({ block })), resolveDirective('editable'));
  },
});

createApp(Site).use(StoryblokVue, { accessToken: token, use: [apiPlugin], apiOptions: { endpoint } }).mount('#site');
