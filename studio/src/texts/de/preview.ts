import type en from '../en/preview.ts';

const preview: { readonly [name in keyof typeof en]: string } = {
  previewTitle: 'Vorschau',
  previewFrame: 'Vorschau von {name}',
  previewEnvironment: 'Umgebung',
  previewDefault: 'Standard',
  previewLanguage: 'Sprache',
  previewWidth: 'Breite',
  previewWidthFill: 'Volle Breite',
  previewWidthPhone: 'Telefon, 375',
  previewWidthTablet: 'Tablet, 768',
  previewWidthDesktop: 'Desktop, 1280',
  previewWidthOwn: 'Eigene Breite',
  previewOwnWidth: 'Eigene Breite in Pixeln',
  previewLive: 'Live',
  previewLiveHint: 'Zeigt jeden Tastendruck. Sonst lädt die Seite neu, wenn Sie speichern.',
  previewReload: 'Vorschau neu laden',
  previewOpen: 'In einem Tab öffnen',
  previewLeave: 'Vorschau verlassen',

  // What stands in the way
  previewNone: 'Noch keine Vorschau',
  previewNoneLead: 'Nennen Sie die Adresse Ihrer Website, und jede Story erscheint darin, während Sie schreiben.',
  previewNoneAsk: 'Wer diesen Space verwaltet, gibt hier die Adresse Ihrer Website an. Dann erscheint jede Story darin, während Sie schreiben.',
  previewLocation: 'Adresse Ihrer Website',
  previewLocationHint: 'Der Pfad der Story folgt darauf: https://www.example.com/ oder http://localhost:3000/',
  previewLocationWrong: 'Das ist keine Webadresse. Sie beginnt mit https:// oder http://.',
  previewLocationOwn: 'Das ist die Adresse des Studios selbst. Die Vorschau braucht eine andere.',
  previewLocationSet: 'Anzeigen',
  previewNoToken: 'Die Vorschau dieses Spaces ist nicht signiert. Websites, die die Signatur prüfen, lehnen sie ab.',
  previewNoTokenAsk: 'Wer den Space verwaltet, kann ein Vorschau-Token anlegen.',
  previewMakeToken: 'Vorschau-Token anlegen',
  previewTokenName: 'Vorschau im Studio',
  previewTokenProof: 'Dafür müssen Sie sich in den letzten Minuten angemeldet haben. Melden Sie sich ab und wieder an, und legen Sie es dann an.',
  previewInsecure: 'Das Studio ist über https geöffnet, diese Website nicht. Browser zeigen sie hier nicht. Geben Sie der Website https, oder öffnen Sie sie in einem Tab.',
  previewLocal: 'Diese Adresse gehört zu Ihrem Rechner oder Ihrem Netz. Ihr Browser fragt vielleicht, ob das Studio darauf zugreifen darf, und zeigt nichts, bis Sie es erlauben.',
  previewBlocked: 'Die Seite leitet zu {origin} weiter. Das ist keine Umgebung dieses Spaces. Wer ihn verwaltet, kann sie über die Management API hinzufügen („environments“ des Spaces).',
  previewBlockedOwn: 'Die Umgebungen dieses Spaces haben sich geändert. Laden Sie das Studio neu, um diese zu sehen.',
  previewStudioReload: 'Studio neu laden',

  // What the server has seen of the page
  previewUnknown: 'Das Studio hört nichts von dieser Seite, und sein Server darf sie nicht abrufen. Läuft die Website, und erlaubt sie Frames? Wenn Sie sie sehen, fügt wer sie entwickelt diese Zeile vor den anderen Skripten der Seite ein:',
  previewUnreachable: 'Die Seite antwortet nicht. Läuft die Website?',
  previewStatus: 'Die Seite antwortet mit einem Fehler ({status}). Kennt die Website diesen Pfad? Ist ihre Vorschau eingeschaltet?',
  previewStatusSecret: 'Die Seite antwortet mit einem Fehler ({status}). Sie verlangt ein Passwort oder ein Geheimnis. Wer den Space verwaltet, kann das Geheimnis über die Management API in die Adresse der Umgebung schreiben („domain“ und „environments“ des Spaces).',
  previewRefuses: 'Die Website verbietet, hier gezeigt zu werden: Sie sendet {header} mit „{value}“.',
  previewRefusesOptions: 'Wer sie entwickelt, entfernt diesen Header und sendet stattdessen:',
  previewRefusesPolicy: 'Wer sie entwickelt, nimmt das Studio in diese Liste auf:',

  // One-way
  previewOneWay: 'Die Seite zeigt, was Sie tippen, aber ein Klick darin erreicht das Studio nicht. Wer sie entwickelt, fügt diese Zeile vor den anderen Skripten der Seite ein:',
  previewCopy: 'Kopieren',
  previewCopied: 'Kopiert.',
  previewHide: 'Ausblenden',

  // Elsewhere
  previewElsewhere: 'Sie sind zu einer anderen Seite weitergegangen.',
  previewBack: 'Zurück zu dieser Story',
  previewOther: 'Dieser Block gehört zur Story {name}.',
  previewOtherUnknown: 'Dieser Block gehört zu einer anderen Story.',
  previewOpenOther: 'Öffnen',
  previewStay: 'Hier bleiben',
};
export default preview;
