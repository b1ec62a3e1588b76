import type en from '../en/draft.ts';

const draft: { readonly [name in keyof typeof en]: string } = {
  unsentTitle: 'Mit ungespeicherter Arbeit abmelden?',
  unsentLead: 'Nicht alles, was Sie in diesem Browser geschrieben haben, hat den Server erreicht. Beim Abmelden wird es hier gelöscht.',
  unsentSignOut: 'Löschen und abmelden',
  unsentStay: 'Angemeldet bleiben',
};

export default draft;
