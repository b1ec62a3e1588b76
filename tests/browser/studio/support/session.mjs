// A session that has ended is begun again over what is open.

import { PASSWORD } from './desk.mjs';

/** Signs in from the sheet that asks for it, in the small window that it opens. The words are those of the language. */
export async function signInAgain(person, email, { signedOut, signIn } = { signedOut: 'You were signed out', signIn: 'Sign in' }) {
  const sheet = person.page.getByRole('dialog', { name: signedOut });
  await sheet.waitFor();
  const opened = person.context.waitForEvent('page');
  await sheet.getByRole('button', { name: signIn }).click();
  const small = await opened;
  await small.locator('[name=email]').fill(email);
  await small.locator('[name=password]').fill(PASSWORD);
  await small.getByRole('button', { name: signIn, exact: true }).click();
  await sheet.waitFor({ state: 'detached' });
  if (!small.isClosed()) await small.waitForEvent('close');
}
