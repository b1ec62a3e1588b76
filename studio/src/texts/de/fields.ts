import type en from '../en/fields.ts';

const fields: { readonly [name in keyof typeof en]: string } = {
  fieldRequired: 'Pflichtfeld',
  fieldHelp: 'Zu {field}',
  fieldTranslate: 'Übersetzen',
  fieldUntranslate: 'Übersetzung entfernen',
  fieldUntranslated: 'Nicht übersetzt',
  fieldUntranslatedHint: 'Leser sehen den Text der Standardsprache.',
  fieldDefaultText: 'In der Standardsprache: {text}',
  fieldWarning: 'Hinweis:',

  fieldLength: '{count} von {most} Zeichen',
  fieldNotANumber: 'Das ist keine Zahl und wird nicht gespeichert.',
  fieldFromTo: 'Von {least} bis {most}',
  fieldFrom: 'Mindestens {least}',
  fieldTo: 'Höchstens {most}',
  fieldWhole: 'ganze Zahlen',
  fieldDecimals: 'höchstens {count} Nachkommastellen',
  fieldDecimal: 'höchstens eine Nachkommastelle',
  fieldSteps: 'in Schritten von {step}',
  fieldYes: 'Ja',
  fieldNo: 'Nein',

  jsonHint: 'Dieser Wert wird als JSON angezeigt.',
  jsonInvalid: 'Zeile {line}: Das ist noch kein JSON und wird nicht gespeichert. Was Sie geschrieben haben, bleibt hier stehen. {reason}',
};
export default fields;
