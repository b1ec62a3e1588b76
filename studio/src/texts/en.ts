const en = {
  stories: 'Stories',
  studio: 'Studio',
};
export type Texts = { [name in keyof typeof en]: string };
export default en as Texts;
