import type en from '../en/languages.ts';

const languages: { readonly [name in keyof typeof en]: string } = {
  translateBeside: 'Nebeneinander',
  translateTitle: 'Übersetzung: {language}',
  translateAll: 'Alle Felder',
  translateMissing: 'Nur fehlende',
  translateOutdated: 'Nur veraltete',
  translateOutdatedCount: '{count} veraltet',
  translateNothing: 'In dieser Story wird nichts übersetzt.',
  translateNoneMissing: 'Alles ist übersetzt.',
  translateNoneOutdated: 'Nichts ist veraltet.',
  translateCopy: 'Übernehmen',
  translateCopied: '{field} wurde übernommen.',
  translateIsOutdated: 'Die Standardsprache wurde seither geändert.',
  translateStillRight: 'Stimmt noch',
  translateConfirmed: '{field} stimmt noch.',

  languagesMenu: 'Sprachen …',
  languagesTitle: 'Sprachen von {name}',
  languagesTranslated: 'Übersetzt',
  languagesProgress: '{done} von {all}',
  languagesChosen: 'Ausgewählt',
  languagesPublish: 'Ausgewählte veröffentlichen …',
  languagesUnpublish: 'Ausgewählte zurückziehen …',
  languagesNeedDefault: 'Die Standardsprache muss vorher oder zugleich veröffentlicht werden.',
  languagesNeedAll: 'Die Standardsprache lässt sich nur zusammen mit allen anderen veröffentlichten zurückziehen.',
  unpublishLanguageTitle: '{name} zurückziehen: {language}?',
  languagesInList: '{language}: {done} von {all} übersetzt',

  namesMenu: 'Namen und Slugs in anderen Sprachen …',
  namesTitle: 'Namen und Slugs von {name}',
  namesLead: 'Eine Sprache ohne eigenen Namen oder Slug hat den der Standardsprache.',
  namesSaved: 'Die Namen und Slugs wurden gespeichert.',
};
export default languages;
