/** The texts of fields and of the parts that they are made of. */
const fields = {
  // The row of a field
  fieldRequired: 'required',
  fieldHelp: 'About {field}',
  fieldTranslate: 'Translate',
  fieldUntranslate: 'Remove the translation',
  fieldUntranslated: 'Not translated',
  fieldUntranslatedHint: 'Readers see the text of the default language.',
  fieldDefaultText: 'In the default language: {text}',
  fieldWarning: 'Note:',

  // Text and numbers
  fieldLength: '{count} of {most} characters',
  fieldNotANumber: 'This is not a number and is not saved.',
  fieldFromTo: 'From {least} to {most}',
  fieldFrom: '{least} or more',
  fieldTo: '{most} or less',
  fieldWhole: 'whole numbers',
  fieldDecimals: 'at most {count} decimals',
  fieldDecimal: 'at most one decimal',
  fieldSteps: 'in steps of {step}',
  fieldYes: 'Yes',
  fieldNo: 'No',

  // JSON
  jsonHint: 'This value is shown as JSON.',
  jsonInvalid: 'Line {line}: this is not JSON yet and is not saved. What you typed stays here. {reason}',
};
export default fields;
