// As sites have it that were written by hand: the script tag in the page has loaded the class already.
import { bridgeOptions, commentOf, page, read, show } from './story.js';

const editable = (block) => {
  const mark = JSON.parse(commentOf(block)?.replace('#storyblok#', '') ?? 'null');
  return mark ? { 'data-blok-c': JSON.stringify(mark), 'data-blok-uid': `${mark.id}-${mark.uid}` } : {};
};
const story = await read();
show(page(story, editable));
const bridge = new globalThis.StoryblokBridge(bridgeOptions);
bridge.on('input', (event) => {
  if (event.story.id === story.id) show(page(event.story, editable));
});
bridge.on(['change', 'published'], () => location.reload());
