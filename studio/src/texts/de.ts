import type { Texts } from './en.ts';

const de: Texts = {
  stories: 'Storys',
  studio: 'Studio',
};
export default de;
