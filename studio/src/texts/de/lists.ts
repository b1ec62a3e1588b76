import type en from '../en/lists.ts';

const lists: { readonly [name in keyof typeof en]: string } = {
  connection: 'Verbindung',
  connected: 'Verbunden',
  noNetwork: 'Kein Netz',
  unreachable: 'Der Server antwortet nicht',
  unreachableHint: 'Ihr Netz ist da, aber der Server ist nicht erreichbar. Was noch nicht gesendet ist, wird gesendet, sobald er wieder antwortet.',
  connectionSince: 'Seit',
  lastAnswer: 'Letzte Antwort des Servers',
  connectionAsk: 'Jetzt prüfen',
  connectionAsking: 'Wird geprüft …',
  order: 'Reihenfolge',
  orderOf: '{column}, aufsteigend',
  orderOfDescending: '{column}, absteigend',
};

export default lists;
