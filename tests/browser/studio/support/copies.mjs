// Copies of unsent work in the browser.

/** The copies that the browser holds, of every person. The page is one of the server, and the studio has been open in its browser. */
export const copiesIn = (page) => page.evaluate(async () => {
  const of = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const database = await of(indexedDB.open('lectern-studio'));
  const all = database.objectStoreNames.contains('copies') ? await of(database.transaction('copies').objectStore('copies').getAll()) : [];
  database.close();
  return all;
});

/** A tab that is offline, or whose requests are held back, is gone. Closed it would send its work: both end a moment before the page does. So it crashes. */
export async function loseTab(page) {
  const devtools = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  // A page that crashes never answers.
  devtools.send('Page.crash').catch(() => {});
  await crashed;
  await page.close();
}
