/** The names of buttons and links, as people read them. */
export const words = {
  en: {
    create: 'Create an account', sendNewLink: 'Send me a new link', signIn: 'Sign in', signOut: 'Sign out', sendLink: 'Send the link', setPassword: 'Set the password', accept: 'Accept the invitation',
    confirm: 'Confirm the address', save: 'Save', turnOn: 'Turn on', next: 'Continue', download: 'Download', another: 'Send another code', addPasskey: 'Add a passkey',
    withPasskey: 'Sign in with a passkey', makeCodes: 'Make new codes', endOthers: 'End all other sessions', deleteForGood: 'Delete for good', changeAddress: 'Change the address',
    removePassword: 'Remove the password', remove: 'Remove', allow: 'Allow', deny: 'Deny', deviceConnected: 'The device is connected',
    console: 'Administration', createPerson: 'Create the account', withPassword: 'With a password that you set now, and the address counts as verified', suspend: 'Suspend', showSecret: 'Show the secret',
  },
  de: {
    create: 'Konto anlegen', sendNewLink: 'Neuen Link schicken', signIn: 'Anmelden', signOut: 'Abmelden', sendLink: 'Link schicken', setPassword: 'Passwort festlegen', accept: 'Einladung annehmen',
    confirm: 'Adresse bestätigen', save: 'Speichern', turnOn: 'Einschalten', next: 'Weiter', download: 'Herunterladen', another: 'Neuen Code schicken', addPasskey: 'Passkey hinzufügen',
    withPasskey: 'Mit Passkey anmelden', makeCodes: 'Neue Codes erzeugen', endOthers: 'Alle anderen Sitzungen beenden', deleteForGood: 'Endgültig löschen', changeAddress: 'Adresse ändern',
    removePassword: 'Passwort entfernen', remove: 'Entfernen', allow: 'Erlauben', deny: 'Ablehnen', deviceConnected: 'Das Gerät ist verbunden',
    console: 'Verwaltung', createPerson: 'Konto anlegen', withPassword: 'Mit einem Passwort, das Sie jetzt festlegen, und die Adresse gilt als bestätigt', suspend: 'Sperren', showSecret: 'Geheimnis zeigen',
  },
};
