// Links, references, tables, Markdown and values of plugins: each is changed by keys, and what is not touched stays as it is.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { call, Desk, make } from './support/desk.mjs';
import { saved } from './support/story.mjs';
import { valueSpace } from './support/valuespace.mjs';

/** Options are read from this machine. */
const VARIABLES = { APP_ALLOWED_PRIVATE_TARGETS: '127.0.0.1,::1' };
let desk;
before(async () => (desk = await Desk.open(VARIABLES)));
after(() => desk?.close());

const row = (person, name) => person.page.locator(`[data-field="${name}"]`);
const option = (person, text) => person.page.locator('[role=option]', { hasText: text });

/** Opens the story, and waits until the editors that are loaded on their own are there. */
async function open(person, { space, story }) {
  await person.goto(`/studio/${space}/stories/${story}`);
  await row(person, 'table').getByRole('grid').waitFor();
  await row(person, 'notes').getByRole('toolbar').waitFor();
  await row(person, 'plugin').getByRole('textbox', { name: 'title' }).waitFor();
  await person.page.waitForFunction(() => document.querySelector('[data-field=nested] .json-view')?.shadowRoot);
}

const contentOf = async (person, { space, story }) => (await call(person, 'GET', `/api/v1/spaces/${space}/stories/${story}`)).story.content;

/** Pastes into what has the focus. */
const paste = (person, types) => person.page.evaluate((data) => {
  const clipboardData = new DataTransfer();
  for (const [type, text] of Object.entries(data)) clipboardData.setData(type, text);
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}, types);

/** What is copied from what has the focus. */
const copied = (person) => person.page.evaluate(() => {
  const clipboardData = new DataTransfer();
  document.activeElement.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
  return clipboardData.getData('text/plain');
});

test('a link leads to a story, a URL, a mail address or a file, and keeps what is not known of it', async () => {
  const person = await desk.person('links@example.org');
  const at = await valueSpace(desk, person);
  const { page } = person;
  const { keyboard } = page;
  const { stories, content } = at;
  const link = row(person, 'link');
  await open(person, at);

  // The folders above a story and its path tell it apart, and a start page is told apart from its folder.
  await link.getByRole('combobox', { name: 'Link' }).click();
  assert.match(await option(person, 'Quay').innerText(), /English · \/en\/quay/);
  await link.getByRole('combobox', { name: 'Link' }).fill('people');
  await option(person, 'All people').waitFor();
  assert.match(await option(person, 'All people').innerText(), /Start page of its folder · English › People · \/en\/people\//);
  assert.equal(await option(person, /^People/).count(), 0);
  await link.getByRole('combobox', { name: 'Content type' }).selectOption('author');
  await link.getByRole('combobox', { name: 'Link' }).fill('ada');
  await page.locator('[role=option][aria-selected=true]', { hasText: 'Ada' }).waitFor();
  await keyboard.press('Enter');
  await link.getByText('English › People · /en/people/ada').waitFor();
  const opener = link.getByRole('link', { name: 'Open Ada in a new tab' });
  assert.deepEqual([await opener.getAttribute('href'), await opener.getAttribute('target')], [`/studio/${at.space}/stories/${stories['en/people/ada'].id}`, '_blank']);
  await link.getByRole('textbox', { name: 'Anchor, the part after #' }).fill('#life');
  await link.getByRole('checkbox', { name: 'The site opens it in a new tab' }).check();
  await link.getByText('Attributes of the link').click();
  await link.getByRole('textbox', { name: 'Relation (rel)' }).fill('author');
  await link.getByRole('button', { name: 'Add an attribute' }).click();
  // What is not written says so, until it is.
  const leftOut = link.getByText('Not part of the link yet: an attribute needs a name and a value.');
  await leftOut.waitFor();
  await keyboard.type('data-track');
  await leftOut.waitFor();
  await keyboard.press('Tab');
  await keyboard.type('ada');
  await leftOut.waitFor({ state: 'detached' });

  // Only authors below the folder of the open story are offered; what is in the trash says so.
  const narrow = row(person, 'narrow');
  await narrow.getByText('This story is in the trash: readers cannot follow the link.').waitFor();
  assert.equal(await narrow.getByRole('checkbox').isChecked(), true);
  await narrow.getByRole('combobox', { name: 'Narrow' }).click();
  await option(person, 'Ada').waitFor();
  assert.equal(await page.locator('[role=option]').count(), 1);
  await keyboard.press('Escape');
  await narrow.getByText('Only stories in en/people/').waitFor();

  // A URL alone stays one; another tab shows nothing of it until something is entered there.
  const old = row(person, 'old');
  await old.getByRole('tab', { name: 'URL' }).focus();
  await keyboard.press('ArrowLeft');
  await old.getByText('The link is still the one under “URL” until you enter one here.').waitFor();
  await keyboard.press('ArrowRight');
  await old.getByRole('textbox').fill('/about');
  await saved(person);
  const chosen = { ...content.link, id: stories['en/people/ada'].uuid, url: '', cached_url: 'en/people/ada', anchor: 'life', target: '_blank', rel: 'author', 'data-track': 'ada' };
  assert.deepEqual(await contentOf(person, at), { ...content, link: chosen, old: '/about' });

  // What is typed back is as it was, and what belongs to a story goes with it.
  const { anchor, ...others } = chosen;
  assert.equal(anchor, 'life');
  await old.getByRole('textbox').fill('/contact');
  await link.getByRole('tab', { name: 'E-mail' }).click();
  await link.getByRole('textbox', { name: 'Link' }).fill('ada@example.org');
  await saved(person);
  assert.deepEqual(await contentOf(person, at), { ...content, link: { ...others, linktype: 'email', id: '', url: 'ada@example.org', cached_url: 'ada@example.org', email: 'ada@example.org' } });
  for (const [linked, says] of [[stories['en/people'].uuid, 'This is a folder, not its start page.'], [stories['de/grace'].uuid, 'This story is not published: readers cannot follow the link yet.'], ['00000000-0000-4000-8000-00000000dead', 'This space has no such story. It was deleted for good, or it belongs to another space.']]) {
    await call(person, 'PUT', `/api/v1/spaces/${at.space}/stories/${at.story}`, { story: { content: { ...content, link: { ...content.link, id: linked } } } });
    await open(person, at);
    await link.getByText(says).waitFor();
  }
  // Those come first that this person has opened or chosen last, whatever was changed since; the story that is open does not.
  const offered = async () => {
    await open(person, at);
    await link.getByRole('combobox', { name: 'Link' }).click();
    await option(person, 'Quay').waitFor();
    return (await page.locator('[role=option] > span:first-child').allTextContents()).slice(0, 2);
  };
  assert.equal((await offered())[0], 'Ada');
  await person.goto(`/studio/${at.space}/stories/${stories['de/grace'].id}`);
  await page.getByRole('heading', { name: 'Author' }).waitFor();
  assert.deepEqual(await offered(), ['Grace', 'Ada']);
  await keyboard.press('Escape');
  await link.getByRole('tab', { name: 'File' }).click();
  await link.getByRole('button', { name: 'Choose from the library' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await link.getByRole('textbox', { name: 'Link' }).fill('https://files.example.org/a.pdf');
  await link.getByRole('link', { name: 'Open https://files.example.org/a.pdf in a new tab' }).waitFor();
  person.isSilent('links');
  await person.close();
});

test('references are shown with what is known of them, and ordered by keys and by dragging', async () => {
  const person = await desk.person('references@example.org');
  const at = await valueSpace(desk, person);
  const { page } = person;
  const { keyboard } = page;
  const { stories, content } = at;
  await open(person, at);
  const names = () => row(person, 'related').locator('.chosen-name').evaluateAll((all) => all.map((one) => one.querySelector('strong').textContent));
  const nowhere = content.related[1];
  await row(person, 'related').getByText('not in this space').waitFor();
  assert.match(await row(person, 'related').locator('li').first().innerText(), /Grace\s+de\/grace · author\s+not published/);
  await row(person, 'related').getByRole('button', { name: 'Grace: move down' }).focus();
  await keyboard.press('Alt+ArrowDown');
  assert.deepEqual(await names(), [nowhere, 'Grace', 'People']);
  await row(person, 'related').locator('li', { hasText: 'People' }).locator('[draggable]').dragTo(row(person, 'related').getByText(nowhere, { exact: true }), { targetPosition: { x: 4, y: 2 } });
  assert.deepEqual(await names(), ['People', nowhere, 'Grace']);
  await row(person, 'related').getByRole('link', { name: 'Open Grace in a new tab' }).waitFor();

  // One that is chosen is on top; of more than two hundred entries the server finds the others.
  await row(person, 'entry').getByRole('combobox').click();
  await page.getByText('201 of 230. Type to find others.').waitFor();
  assert.equal(await page.locator('[role=option]').first().innerText(), 'Entry 222');
  await keyboard.type('entry 229');
  await page.locator('[role=option][aria-selected=true]', { hasText: 'Entry 229' }).waitFor();
  await keyboard.press('Enter');
  // The schema says that stories are named by number here.
  await row(person, 'author').getByRole('combobox').click();
  await option(person, 'Ada').waitFor();
  assert.equal(await page.locator('[role=option]').count(), 1);
  await option(person, 'Ada').click();
  await row(person, 'author').getByRole('link', { name: 'Open Ada in a new tab' }).waitFor();
  // A step up from a number that is text is text.
  await row(person, 'price').getByRole('textbox').focus();
  await keyboard.press('ArrowUp');
  await row(person, 'price').getByRole('button', { name: 'Price: one step up' }).click();
  await saved(person);
  assert.deepEqual(await contentOf(person, at), {
    ...content, related: [stories['en/people'].uuid, nowhere, stories['de/grace'].uuid], entry: 'e229', author: stories['en/people/ada'].id, price: '1.50',
  });
  person.isSilent('references');
  await person.close();
});

test('options of another server are read by ours, and when that fails the reason is told and what is typed can be taken', async (t) => {
  // The other tests ask more of a server than its limits allow.
  const own = await Desk.open({ ...VARIABLES, APP_RATE_LIMITS: 'on' });
  t.after(() => own.close());
  const person = await own.person('external@example.org');
  const { page } = person;
  const { keyboard } = page;
  const countries = Array.from({ length: 249 }, (_, index) => ({ name: `Country ${index}`, value: `c${index}` }));
  const peer = createServer((request, response) => response.end(request.url.startsWith('/countries') ? JSON.stringify(countries) : '<html>'));
  await new Promise((done) => peer.listen(0, '127.0.0.1', done));
  t.after(() => {
    peer.close();
    peer.closeAllConnections();
  });
  const address = `http://127.0.0.1:${peer.address().port}`;
  const space = await own.space(person, 'Abroad');
  const external = (path) => ({ type: 'option', source: 'external', external_datasource: address + path });
  const schema = { country: { ...external('/countries'), display_name: 'Country', pos: 0 }, broken: { ...external('/page'), display_name: 'Broken', pos: 1 } };
  await call(person, 'POST', `/api/v1/spaces/${space}/components`, { component: { name: 'trip', is_root: true, schema } });
  const content = { _uid: 'f0000000-0000-4000-8000-000000000003', component: 'trip', country: 'c240', broken: 'old' };
  const { story } = await call(person, 'POST', `/api/v1/spaces/${space}/stories`, { story: { name: 'Trip', slug: 'trip', content } });
  await person.goto(`/studio/${space}/stories/${story.id}`);
  await page.waitForFunction(() => document.querySelector('[data-field=country] input')?.value === 'Country 240');
  await row(person, 'country').getByRole('combobox').fill('country 241');
  await page.locator('[role=option][aria-selected=true]', { hasText: 'Country 241' }).waitFor();
  await keyboard.press('Enter');
  await row(person, 'broken').getByRole('combobox').fill('typed');
  await page.getByText(/The server says: does not answer with a list in JSON.* You can type the value/).waitFor();
  await page.locator('[role=option][aria-selected=true]', { hasText: 'typed' }).waitFor();
  await keyboard.press('Enter');
  await saved(person);
  assert.deepEqual(await contentOf(person, { space, story: story.id }), { ...content, country: 'c241', broken: 'typed' });

  // A space reads so many addresses in a minute; after that the field says so, and the form is as it was.
  const at = `/api/v1/spaces/${space}`;
  const put = (path) => ({ component: { name: 'late', is_root: true, schema: { late: { ...external(path), display_name: 'Late', pos: 0 } } } });
  const { component } = await call(person, 'POST', `${at}/components`, put('/countries?0'));
  const late = await make(person, space, { name: 'Late', slug: 'late', content: { component: 'late', late: 'c7' } });
  const read = async (number) => {
    await call(person, 'PUT', `${at}/components/${component.id}`, put(`/countries?${number}`));
    return (await person.context.request.get(`${own.origin}${at}/components/${component.id}/options?field=late`)).status();
  };
  let [number, status] = [0, 200];
  for (; status === 200; number += 1) status = await read(number);
  assert.equal(status, 429);
  // One more is free every three seconds: while the field is looked at the server says the same, however long that takes.
  const reads = new RegExp(`/components/${component.id}/options`);
  await page.route(reads, (route) => route.fulfill({ status: 429, json: { error: 'rateLimited', message: 'Too many requests' } }));
  await person.goto(`/studio/${space}/stories/${late.id}`);
  await row(person, 'late').getByText('this space has read too many in the last minute').waitFor();
  assert.equal(await row(person, 'late').getByRole('combobox').inputValue(), 'c7');
  await row(person, 'late').getByRole('combobox').fill('typed');
  await page.locator('[role=option][aria-selected=true]', { hasText: 'typed' }).waitFor();
  await keyboard.press('Escape');
  await person.look('options-unread');
  // What was read within this minute is remembered.
  await call(person, 'PUT', `${at}/components/${component.id}`, put(`/countries?${number - 2}`));
  await page.unroute(reads);
  await row(person, 'late').getByRole('button', { name: 'Try again: Late' }).press('Enter');
  await page.waitForFunction(() => document.querySelector('[data-field=late] input')?.value === 'Country 7');
  await row(person, 'late').getByText('The options cannot be read').waitFor({ state: 'detached' });
  person.isSilent('external');
  await person.close();
});

const SHEET = '<meta charset="utf-8"><google-sheets-html-origin><style type="text/css">td {border: 1px solid #ccc;}</style><table xmlns="http://www.w3.org/1999/xhtml" style="table-layout:fixed;"><tbody><tr><td style="overflow:hidden;">Oslo</td><td style="font-weight:bold;">3<br>and 4</td></tr><tr><td colspan="2">Tromsø</td></tr></tbody></table>';

test('a table has the keys of a sheet, and takes what sheets and pages copy', async () => {
  const person = await desk.person('tables@example.org');
  const at = await valueSpace(desk, person);
  const { page } = person;
  const { keyboard } = page;
  const { content } = at;
  await open(person, at);
  const table = row(person, 'table');
  const cells = () => table.getByRole('row').evaluateAll((rows) => rows.map((one) => [...one.children].map((cell) => cell.querySelector('textarea')?.value ?? cell.textContent)));
  await table.getByRole('columnheader', { name: 'Port' }).focus();
  // Typing begins a cell anew, Enter goes down, Escape takes back, Delete empties.
  await keyboard.type('Harbour');
  await keyboard.press('Enter');
  await keyboard.press('F2');
  await keyboard.type('!');
  await keyboard.press('Escape');
  await keyboard.press('ArrowRight');
  await keyboard.type('13');
  await keyboard.press('Escape');
  await keyboard.press('Enter');
  await keyboard.press('End');
  await keyboard.press('Backspace');
  await keyboard.type('4');
  await keyboard.press('Tab');
  assert.deepEqual(await cells(), [['Harbour', 'Ships'], ['Bergen', '14']]);
  // Tab has left the table behind its last cell.
  assert.equal(await table.evaluate((element) => element.contains(document.activeElement)), false);
  await keyboard.press('Shift+Tab');
  await keyboard.press('Control+Home');
  await keyboard.press('Shift+ArrowRight');
  await keyboard.press('Shift+ArrowDown');
  assert.equal(await copied(person), 'Harbour\tShips\nBergen\t14');
  // From a sheet as HTML, from another one as text; the table grows.
  await keyboard.press('Control+End');
  await keyboard.press('ArrowLeft');
  await paste(person, { 'text/html': SHEET, 'text/plain': 'Oslo\t"3\nand 4"\nTromsø\t' });
  await keyboard.press('Control+End');
  await paste(person, { 'text/plain': '1\t2\r\n3\t"4 ""four"""\r\n' });
  assert.deepEqual(await cells(), [['Harbour', 'Ships', ''], ['Oslo', '3\nand 4', ''], ['Tromsø', '1', '2'], ['', '3', '4 "four"']]);
  // Columns and rows move with the cell, by keys and by menu.
  await keyboard.press('Alt+ArrowRight');
  await keyboard.press('Alt+ArrowUp');
  await keyboard.press('Alt+ArrowUp');
  assert.deepEqual(await cells(), [['Harbour', '', 'Ships'], ['Tromsø', '2', '1'], ['Oslo', '', '3\nand 4'], ['', '4 "four"', '3']]);
  await table.getByRole('button', { name: 'Column 3: what to do with it' }).click();
  await page.getByRole('menuitem', { name: 'Remove the column' }).click();
  await table.getByRole('button', { name: 'Row 1: what to do with it' }).click();
  await page.getByRole('menuitem', { name: 'Remove the row' }).click();
  assert.deepEqual(await cells(), [['Harbour', ''], ['Oslo', ''], ['', '4 "four"']]);
  await keyboard.press('Escape');
  await keyboard.press('Tab');
  assert.equal(await table.getByRole('grid').evaluate((element) => element.contains(document.activeElement)), false);

  // A finger changes a cell at once.
  await table.getByRole('gridcell', { name: 'Oslo' }).scrollIntoViewIfNeeded();
  const { x, y } = await table.getByRole('gridcell', { name: 'Oslo' }).boundingBox();
  const session = await person.context.newCDPSession(page);
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: x + 10, y: y + 10 }] });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await table.locator('textarea').waitFor();
  assert.equal(await table.locator('textarea').inputValue(), 'Oslo');
  await keyboard.press('Escape');

  // An old table stays one, and cells keep what is not known of them.
  const aged = row(person, 'aged');
  await aged.getByRole('gridcell', { name: '1' }).focus();
  await aged.getByRole('button', { name: 'Row 1: what to do with it' }).click();
  await page.getByRole('menuitem', { name: 'Add a row below' }).click();
  await keyboard.type('new');
  await saved(person);
  const stored = await contentOf(person, at);
  assert.deepEqual(stored.aged, { ...content.aged, tbody: [content.aged.tbody[0], { body: [{ value: 'new' }, { value: '' }] }, content.aged.tbody[1]] });
  assert.deepEqual(Object.keys(stored.table), Object.keys(content.table));
  assert.deepEqual(stored.table.thead.map(({ _uid }) => _uid)[0], 'h');
  assert.deepEqual({ ...stored, table: content.table, aged: content.aged }, content);
  person.isSilent('tables');
  await person.close();
});

test('what a cell holds beside text stays until that cell is written, and is there again where typing is taken back', async () => {
  const person = await desk.person('cells@example.org');
  const at = await valueSpace(desk, person);
  const { keyboard } = person.page;
  const odd = { thead: [{ value: 1, note: { a: 1 } }, { value: null }], tbody: [{ body: [{ value: 12 }, { value: true }, {}] }, { body: [{ value: false, id: 'x' }], note: [] }, {}] };
  const content = { ...at.content, aged: odd };
  await call(person, 'PUT', `/api/v1/spaces/${at.space}/stories/${at.story}`, { story: { content } });
  await open(person, at);
  const aged = row(person, 'aged');
  const cell = (name) => aged.locator(`[data-cell="${name}"]`);
  for (const name of ['-1 0', '-1 1', '0 0', '0 1', '0 2', '1 0', '1 2', '2 2']) {
    await cell(name).focus();
    await keyboard.type('x1');
    await keyboard.press('Escape');
    await keyboard.press('F2');
    await keyboard.type('x');
    await keyboard.press('Backspace');
    await keyboard.press('Enter');
  }
  await row(person, 'short').getByRole('textbox').fill('touched');
  await saved(person);
  assert.deepEqual(await contentOf(person, at), { ...content, short: 'touched' });

  // The others stay the very same while one is written, rows move and a column is put in.
  await cell('0 2').focus();
  await keyboard.type('new');
  await keyboard.press('Tab');
  await keyboard.press('Alt+ArrowUp');
  await aged.getByRole('button', { name: 'Column 1: what to do with it' }).click();
  await person.page.getByRole('menuitem', { name: 'Add a column after' }).click();
  await saved(person);
  assert.deepEqual((await contentOf(person, at)).aged, {
    thead: [{ value: 1, note: { a: 1 } }, { value: '' }, { value: null }],
    tbody: [{ body: [{ value: false, id: 'x' }, { value: '' }], note: [] }, { body: [{ value: 12 }, { value: '' }, { value: true }, { value: 'new' }] }, {}],
  });
  person.isSilent('cells');
  await person.close();
});

test('a paste without text takes nothing away, and HTML alone is pasted as its text', async () => {
  const person = await desk.person('wordless@example.org');
  const at = await valueSpace(desk, person);
  const { page } = person;
  const { keyboard } = page;
  const { content } = at;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(person, at);
  const pasteAs = async (type, of) => {
    await page.evaluate(async ([kind, text]) => {
      const canvas = new OffscreenCanvas(1, 1);
      canvas.getContext('2d');
      await navigator.clipboard.write([new ClipboardItem({ [kind]: text === undefined ? canvas.convertToBlob() : new Blob([text], { type: kind }) })]);
    }, [type, of]);
    await keyboard.press('Control+v');
  };
  const aged = row(person, 'aged');
  const fields = [row(person, 'notes').getByRole('textbox'), row(person, 'plugin').getByRole('textbox', { name: 'title' }), row(person, 'old').getByRole('textbox')];
  for (const field of fields) {
    const before = await field.inputValue();
    await field.focus();
    await keyboard.press('Control+a');
    await pasteAs('image/png');
    assert.equal(await field.inputValue(), before);
    await pasteAs('text/html', '<div>Oslo</div><div>and&nbsp;<span>Bergen</span></div>');
    assert.equal(await field.inputValue(), field === fields[0] ? 'Oslo\nand Bergen' : 'Oslo and Bergen');
  }
  // A cell, and one that is being changed.
  await aged.locator('[data-cell="0 0"]').focus();
  await pasteAs('image/png');
  await aged.getByText('Nothing was pasted: what was copied has no text.').waitFor();
  await keyboard.press('F2');
  await keyboard.press('Control+a');
  await pasteAs('image/png');
  await keyboard.press('Enter');
  await pasteAs('text/html', '<p>Oslo</p>');
  // The JSON view.
  await row(person, 'nested').getByRole('textbox').focus();
  await keyboard.press('Control+a');
  await pasteAs('image/png');
  await pasteAs('text/html', '<p>{"a": 1}</p>');
  await saved(person);
  assert.deepEqual(await contentOf(person, at), {
    ...content, notes: 'Oslo\nand Bergen', plugin: { ...content.plugin, title: 'Oslo and Bergen' }, old: 'Oslo and Bergen', nested: { a: 1 },
    aged: { ...content.aged, tbody: [content.aged.tbody[0], { body: [{ value: 'Oslo', note: 'kept' }] }] },
  });
  person.isSilent('wordless');
  await person.close();
});

const PAGE = '<html><body><!--StartFragment--><h2>Ships</h2><p>A <b>large</b> and <i>old</i> one, see <a href="https://example.org/a_b">the_list</a>.</p><ul><li>Bow</li><li>Stern<ol><li>Rudder</li></ol></li></ul><table><tr><th>Name</th><th>Age</th></tr><tr><td>Fram</td><td>1|2</td></tr></table><img src="https://example.org/fram.png" alt="Fram"><!--EndFragment--></body></html>';
const DOCS = '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:700;">Loud</span><span style="font-weight:400;"> and </span><span style="font-style:italic;">soft*</span></p></b>';
const WORD = '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0}</style></head><body><!--[if gte mso 9]><xml></xml><![endif]--><p class=MsoListParagraph style=\'mso-list:l0 level1 lfo1\'><![if !supportLists]><span style=\'mso-list:Ignore\'>·<span>&nbsp; </span></span><![endif]>One</p><p class=MsoListParagraph style=\'mso-list:l0 level2 lfo1\'><span style=\'mso-list:Ignore\'>1.<span>&nbsp; </span></span>Two</p></body></html>';

test('Markdown has the buttons of its schema, takes HTML, and is shown as it will look', async () => {
  const person = await desk.person('markdown@example.org');
  const at = await valueSpace(desk, person);
  const { page } = person;
  const { keyboard } = page;
  const { content } = at;
  await open(person, at);
  const notes = row(person, 'notes');
  const text = notes.getByRole('textbox');
  await text.focus();
  await keyboard.press('Control+Home');
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await keyboard.press(`Shift+${key}`);
  await keyboard.press('Control+b');
  assert.equal(await text.inputValue(), '**The** *harbour* wakes early.');
  // The toolbar is one stop of Tab, and Escape leads back.
  await keyboard.press('Alt+F10');
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Italic');
  await keyboard.press('Escape');
  await notes.getByRole('button', { name: 'Paragraph or heading' }).click();
  await page.getByRole('menuitem', { name: 'Heading 2' }).click();
  await page.waitForFunction(() => document.activeElement.tagName === 'TEXTAREA');
  assert.equal(await text.inputValue(), '## **The** *harbour* wakes early.');
  const short = row(person, 'short');
  assert.deepEqual(await short.getByRole('toolbar').getByRole('button').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent.trim())), ['Paragraph or heading', 'Bold', 'Preview', 'How Markdown is written']);

  const pasted = async (html) => {
    await short.getByRole('textbox').fill('');
    await short.getByRole('textbox').focus();
    await paste(person, { 'text/html': html, 'text/plain': 'plain' });
    return short.getByRole('textbox').inputValue();
  };
  assert.equal(await pasted(DOCS), '**Loud** and *soft\\**');
  assert.equal(await pasted(WORD), '- One\n  1. Two');
  assert.equal(await pasted('<p>Type <code>a`b</code> or <code>`</code></p><pre>```\nlet a\n```</pre>'), 'Type ``a`b`` or `` ` ``\n\n````\n```\nlet a\n```\n````');
  assert.equal(await pasted('<a href="https://example.org/a(1) b"><img src="https://example.org/a (1).png" alt="The\n[old] one"></a><img src="data:image/png;base64,AA" alt="none">'), '[![The \\[old\\] one](<https://example.org/a%20(1).png>)](<https://example.org/a(1)%20b>)');
  // An editor of code says no more than its text: that is left to the browser.
  assert.equal(await pasted('<div style="white-space: pre;"><span style="color: #000">let a</span></div>'), '');
  assert.equal(await pasted(PAGE), '## Ships\n\nA **large** and *old* one, see [the_list](https://example.org/a_b).\n\n- Bow\n- Stern\n  1. Rudder\n\n| Name | Age |\n| --- | --- |\n| Fram | 1\\|2 |\n\n![Fram](https://example.org/fram.png)');

  await page.route('https://example.org/**', (route) => route.fulfill({ status: 204, body: '' }));
  await short.getByRole('button', { name: 'Preview' }).click();
  const preview = short.getByRole('region', { name: 'Short: preview' });
  await preview.getByRole('heading', { name: 'Ships', level: 2 }).waitFor();
  assert.equal(await preview.getByRole('link', { name: 'the_list' }).getAttribute('target'), '_blank');
  assert.equal(await preview.getByRole('cell', { name: '1|2' }).count(), 1);
  const markdown = await short.getByRole('textbox').inputValue();
  await short.getByRole('textbox').fill(`${markdown}\n\n<img src=x onerror="document.title='run'"> [run](javascript:alert(1))`);
  await preview.getByText('<img src=x').waitFor();
  assert.equal(await preview.getByText('run', { exact: true }).getAttribute('href'), null);
  await short.getByRole('textbox').fill(markdown);

  // The value of a plugin is a form where it is flat, and members that are not touched stay.
  await row(person, 'plugin').getByRole('textbox', { name: 'title' }).fill('The quay');
  await row(person, 'plugin').getByRole('textbox', { name: 'depth' }).fill('5.5');
  await row(person, 'plugin').getByRole('checkbox', { name: 'index' }).uncheck();
  await saved(person);
  assert.deepEqual(await contentOf(person, at), { ...content, notes: '## **The** *harbour* wakes early.', short: markdown, plugin: { ...content.plugin, title: 'The quay', depth: 5.5, index: false } });
  person.isSilent('markdown');
  await person.close();
});

test('numbers and dates are typed in German, and one that is no value says how it is written', async () => {
  const person = await desk.person('zahlen@example.org', { language: 'de', timezoneId: 'Europe/Berlin' });
  const { page } = person;
  const space = await desk.space(person, 'Zahlen');
  const names = ['text', 'number', 'empty', 'moment', 'day', 'iso', 'garbage'];
  const types = { moment: { type: 'datetime' }, day: { type: 'datetime', disable_time: true }, iso: { type: 'datetime' }, garbage: { type: 'datetime' } };
  const schema = Object.fromEntries(names.map((name, pos) => [name, { type: 'number', min_value: 0, max_value: 5000, decimals: 2, ...types[name], pos }]));
  await call(person, 'POST', `/api/v1/spaces/${space}/components`, { component: { name: 'zahlen', is_root: true, schema } });
  const content = { component: 'zahlen', text: ' 12 ', number: 4, moment: '2024-01-01 00:00', day: '2024-01-01 00:00', iso: '2024-07-01T00:00:00Z', garbage: 'im Mai' };
  const { id: story } = await make(person, space, { name: 'Zahlen', slug: 'zahlen', content });
  await person.goto(`/studio/${space}/stories/${story}`);
  const field = (name) => row(person, name).getByRole('textbox');
  await row(person, 'number').getByText('Von 0 bis 5000, höchstens 2 Nachkommastellen').waitFor();
  await row(person, 'moment').getByText('Ihre Zeit (Europe/Berlin). In UTC: 01.01.2024 00:00').waitFor();
  assert.deepEqual(await Promise.all(['moment', 'day', 'iso', 'garbage'].map((name) => field(name).inputValue())), ['01.01.2024 01:00', '01.01.2024', '01.07.2024 02:00', 'im Mai']);
  await row(person, 'garbage').getByText(/Dieser Text ist kein Datum/).waitFor();
  // What is typed back is as it was, with its spaces.
  await field('text').fill('13');
  await field('text').fill(' 12 ');
  await field('number').fill('zwölf');
  await page.keyboard.press('Tab');
  await row(person, 'number').getByText('Das ist keine Zahl und wird nicht gespeichert. Schreiben Sie sie so: 1000,5').waitFor();
  await field('number').fill('1e3');
  await field('empty').fill('1250,5');
  await field('moment').fill('2.1.2024 12:30');
  await field('day').fill('29.02.2024');
  await field('iso').fill('02.07.2024 12:00');
  await saved(person);
  const { _uid, ...stored } = await contentOf(person, { space, story });
  assert.ok(_uid);
  assert.deepEqual(stored, { ...content, number: 1000, empty: '1250.5', moment: '2024-01-02 11:30', day: '2024-02-29 00:00', iso: '2024-07-02T10:00:00Z' });
  person.isSilent('zahlen');
  await person.close();
});

test('line breaks stay, whatever field they are in and of whatever kind they are', async () => {
  const person = await desk.person('lines@example.org');
  const { page } = person;
  const space = await desk.space(person, 'Lines');
  const types = { text: 'text', area: 'textarea', notes: 'markdown', cells: 'table', plugin: 'custom' };
  const schema = Object.fromEntries(Object.entries(types).map(([name, type], pos) => [name, { type, pos }]));
  await call(person, 'POST', `/api/v1/spaces/${space}/components`, { component: { name: 'lines', is_root: true, schema } });
  const content = { component: 'lines', text: 'a\nb', area: 'a\r\nb', notes: 'one\r\ntwo', cells: { thead: [{ value: 'a\r\nb' }], tbody: [] }, plugin: { plugin: 'x', long: 'a\nb' } };
  const { id: story } = await make(person, space, { name: 'Lines', slug: 'lines', content });
  await person.goto(`/studio/${space}/stories/${story}`);
  const field = (name) => row(person, name).getByRole('textbox');
  await field('plugin').waitFor();
  assert.deepEqual(await Promise.all(['text', 'area', 'notes', 'plugin'].map((name) => field(name).inputValue())), ['a\nb', 'a\nb', 'one\ntwo', 'a\nb']);
  // The field of a line is one of several, and stays so without a line break.
  await field('text').fill('ab');
  await field('text').fill('a\nb\nc');
  await field('area').press('Control+End');
  await page.keyboard.type('!');
  await field('plugin').press('Control+Home');
  await page.keyboard.type('!');
  await field('plugin').fill('!a\nb');
  // What is selected in the text is what the button formats, and it stays selected. A step back takes the format away, and a step on brings it back.
  await field('notes').press('Control+End');
  await page.keyboard.press('Shift+Home');
  await row(person, 'notes').getByRole('button', { name: 'Bold' }).click();
  await page.waitForFunction(() => document.activeElement.tagName === 'TEXTAREA');
  assert.deepEqual(await field('notes').evaluate((area) => [area.value, area.value.slice(area.selectionStart, area.selectionEnd)]), ['one\n**two**', 'two']);
  await page.keyboard.press('Control+z');
  assert.equal(await field('notes').inputValue(), 'one\ntwo');
  await page.keyboard.press('Control+Shift+z');
  assert.equal(await field('notes').inputValue(), 'one\n**two**');
  await row(person, 'cells').getByRole('columnheader').focus();
  await page.keyboard.press('F2');
  await page.keyboard.type('x');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await saved(person);
  const { _uid, ...stored } = await contentOf(person, { space, story });
  assert.ok(_uid);
  assert.deepEqual(stored, { ...content, text: 'a\nb\nc', area: 'a\r\nb!', notes: 'one\r\n**two**', plugin: { plugin: 'x', long: '!a\nb' } });
  person.isSilent('lines');
  await person.close();
});

test('each member of a plugin keeps its kind, and what is typed as JSON stays where it was typed', async () => {
  const person = await desk.person('plugins@example.org');
  const at = await valueSpace(desk, person);
  const { page } = person;
  const { keyboard } = page;
  const value = JSON.parse('{"_uid": "p", "plugin": "seo", "title": "Quay", "depth": 4, "index": true, "image": null, "": "x", "a  b": 1.5, "__proto__": "y", "constructor": false, "low": 2}');
  const content = { ...at.content, plugin: value };
  const path = `/api/v1/spaces/${at.space}/stories/${at.story}`;
  await call(person, 'PUT', path, { story: { content } });
  await open(person, at);
  const plugin = row(person, 'plugin');
  const member = (name) => plugin.getByRole('textbox', { name, exact: true });
  const type = async (name, text) => {
    await member(name).focus();
    await keyboard.press('Control+a');
    await keyboard.type(text);
  };
  await type('depth', '-0.5');
  await type('low', 'deep');
  await plugin.getByText('This was a number, and is stored as text now.').waitFor();
  await type('low', '1,50');
  await plugin.getByText('This was a number, and is stored as text now.').waitFor({ state: 'detached' });
  await type('image', 'x');
  await keyboard.press('Backspace');
  await type('""', 'z');
  await type('"a  b"', '2');
  await type('__proto__', 'own');
  await plugin.getByRole('checkbox', { name: 'constructor' }).check();
  await saved(person);
  assert.deepEqual((await contentOf(person, at)).plugin, JSON.parse('{"_uid": "p", "plugin": "seo", "title": "Quay", "depth": -0.5, "index": true, "image": null, "": "z", "a  b": 2, "__proto__": "own", "constructor": true, "low": 1.5}'));

  // From flat to nested and back while it is typed: the text is the one that was typed, and the form is offered once it can be one.
  const json = plugin.locator('.json-view').getByRole('textbox');
  const text = () => json.evaluate((element) => element.innerText);
  const replace = async (next) => {
    await json.focus();
    await keyboard.press('Control+a');
    await keyboard.type(next);
    assert.equal(await text(), next);
  };
  await plugin.getByRole('button', { name: 'Show as JSON' }).click();
  await json.waitFor();
  await replace('{"plugin": "seo",  "items": [1]}');
  await plugin.getByRole('button', { name: 'Show as a form' }).waitFor({ state: 'detached' });
  await replace('{"plugin": "seo",  "items": 1}');
  await plugin.getByRole('button', { name: 'Show as a form' }).waitFor();
  await replace('{"plugin": "seo", "items":');
  await plugin.getByRole('button', { name: 'Show as a form' }).waitFor({ state: 'detached' });
  await keyboard.press('Tab');
  await plugin.getByText(/Until it is right, it stays here and is not saved/).waitFor();
  assert.equal(await text(), '{"plugin": "seo", "items":');
  await saved(person);

  // Another person has changed the value: theirs is shown, and what was typed is offered until it is taken back or dropped.
  const theirs = await contentOf(person, at);
  await call(person, 'PUT', path, { story: { content: { ...theirs, plugin: { plugin: 'seo', items: ['theirs'] } } } });
  await row(person, 'short').getByRole('textbox').fill('touched');
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Put both together' }).click();
  const offered = plugin.getByRole('group', { name: 'What you typed: Plugin' });
  await offered.getByText('{"plugin": "seo", "items":', { exact: true }).waitFor();
  assert.deepEqual(JSON.parse(await text()), { plugin: 'seo', items: ['theirs'] });
  await person.look('values-outdated');
  await offered.getByRole('button', { name: 'Put it back into the field' }).press('Enter');
  await offered.waitFor({ state: 'detached' });
  await json.waitFor();
  assert.equal(await text(), '{"plugin": "seo", "items":');
  await json.focus();
  await keyboard.press('Control+End');
  await keyboard.type(' 7}');
  await saved(person);
  assert.deepEqual(await contentOf(person, at), { ...theirs, short: 'touched', plugin: { plugin: 'seo', items: 7 } });
  person.isSilent('plugins');
  await person.close();
});

for (const language of ['en', 'de']) {
  test(`links, tables and the others look right, in ${language}`, async () => {
    const person = await desk.person(`looks-values-${language}@example.org`, { language });
    const at = await valueSpace(desk, person);
    await person.goto(`/studio/${at.space}/stories/${at.story}`);
    await row(person, 'table').getByRole('grid').waitFor();
    await row(person, 'plugin').locator('input').first().waitFor();
    await row(person, 'notes').getByRole('toolbar').getByRole('button').last().waitFor();
    await row(person, 'notes').locator('[aria-pressed]').last().click();
    await row(person, 'notes').getByRole('region').locator('em').waitFor();
    await person.page.waitForFunction(() => document.querySelector('[data-field=nested] .json-view')?.shadowRoot);
    await row(person, 'related').locator('.unknown').first().waitFor();
    await person.page.evaluate(() => scrollTo(0, 0));
    await person.look('values');
    await row(person, 'link').getByRole('combobox').first().click();
    await option(person, 'Ada').waitFor();
    await person.look('values-search');
    await person.close();
  });
}
