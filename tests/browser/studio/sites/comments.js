// As sites have it that are rendered by a server: blocks are marked by comments, and only a load shows something new.
import { bridgeOptions, commentOf, page, read, show } from './story.js';

const story = await read();
show(page(story, (block) => ({ comment: commentOf(block) })));
const bridge = new globalThis.StoryblokBridge(bridgeOptions);
bridge.on('input', () => {});
bridge.on(['change', 'published'], () => location.reload());
