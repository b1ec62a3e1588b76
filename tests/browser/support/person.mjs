import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { launch as launchBrowser } from '../../clients/support/browser.mjs';

const axe = await readFile(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const screenshots = fileURLToPath(new URL('../../../target/screenshots/', import.meta.url));
/** `make browser-tests` leaves them. A third of the time of such a test goes into them, and no test reads them. */
const leavesScreenshots = process.env.LECTERN_SCREENSHOTS !== undefined;
if (leavesScreenshots) await mkdir(screenshots, { recursive: true });

/** The Chromium of this machine. It finds `lectern.test`, a host that is not localhost, at this machine. */
export const launch = () => launchBrowser('--host-resolver-rules=MAP lectern.test 127.0.0.1', '--disable-features=HttpsUpgrades');

/** Leaves a picture of a page below `target/screenshots`, for people to look at, where they are wanted. */
export async function screenshot(page, name, options = {}) {
  if (leavesScreenshots) await page.screenshot({ ...options, path: `${screenshots}${name}.png` });
}

/** What of the rules of axe depends on the colours of a page; everything else is the same in light and dark. */
const ABOUT_COLOURS = ['color-contrast', 'link-in-text-block'];

/** What axe finds in the page, by rule. It runs in the page, so that nothing but this leaves the page. */
async function violations(rules) {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const found = await globalThis.axe.run(document, { runOnly: rules ?? tags, resultTypes: ['violations'] });
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
}

/** Words that are cut in the middle, in tables and on buttons. Only addresses and ids may be. It runs in the page. */
function cutWords() {
  const cut = [];
  for (const part of document.querySelectorAll('.list th, .list td, .facts dt, .button, .badge')) {
    const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    for (let node; (node = texts.nextNode()); ) {
      if (node.parentElement.closest('.address, code, pre')) continue;
      for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{N}]+/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) cut.push(word);
      }
    }
  }
  return cut;
}

/** A person at a browser of their own. Errors of the console and violations of the Content-Security-Policy are collected. */
export class Person {
  #errors = [];

  static async at(browser, origin, { language = 'en', script = true, timezoneId } = {}) {
    const person = new Person();
    person.origin = origin;
    person.language = language;
    person.context = await browser.newContext({ locale: language, javaScriptEnabled: script, viewport: { width: 1280, height: 900 }, timezoneId });
    person.page = await person.context.newPage();
    person.page.setDefaultTimeout(20_000);
    person.page.on('console', (message) => {
      // A form that comes back has a status of 4xx, which the console calls an error.
      const isStatus = message.text().startsWith('Failed to load resource: the server responded with a status of 4');
      // Over plain http the browser says that it does without one of the headers.
      const isPlain = message.text().startsWith('The Cross-Origin-Opener-Policy header has been ignored, because the URL\'s origin was untrustworthy');
      if (message.type() === 'error' && !isStatus && !isPlain) person.#errors.push(message.text());
    });
    person.page.on('pageerror', (error) => person.#errors.push(String(error)));
    return person;
  }

  goto(path) {
    return this.page.goto(new URL(path, this.origin).href);
  }

  /** The path and query that the browser shows. */
  get path() {
    const { pathname, search } = new URL(this.page.url());
    return pathname + search;
  }

  /** Types into the fields of these names. */
  async type(fields) {
    for (const [name, value] of Object.entries(fields)) await this.page.locator(`[name="${name}"]:visible`).first().fill(value);
  }

  /** Presses the button or follows the link with this name, and waits for the page that it leads to. */
  async press(name, role = 'button') {
    const target = this.page.getByRole(role, { name, exact: true }).first();
    await Promise.all([this.page.waitForEvent('framenavigated'), target.click()]);
    await this.page.waitForLoadState();
  }

  /** The page gives the focus to this: with its first frame, not as soon as it is loaded. */
  beginsAt(selector) {
    return this.page.locator(`${selector}:focus`).waitFor();
  }

  /** Registers and signs in. */
  async signUp(email, password, words) {
    await this.goto('/register');
    await this.type({ firstName: 'Ann', lastName: 'Bee', email, password });
    await this.press(words.create);
  }

  async signIn(email, password, words) {
    await this.goto('/login');
    await this.type({ email, password });
    await this.press(words.signIn);
  }

  /** Looks at the page as it is now, in light and dark, on a phone and on a desk: axe finds nothing, nothing is cut off, the console is silent. */
  async look(name) {
    await this.page.waitForLoadState();
    if (!(await this.page.evaluate(() => 'axe' in globalThis))) await this.page.evaluate(axe);
    for (const width of [360, 1280]) {
      await this.page.setViewportSize({ width, height: 900 });
      for (const colorScheme of ['light', 'dark']) {
        await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const where = `${name} ${this.language} ${width} ${colorScheme}`;
        await screenshot(this.page, where.replaceAll(' ', '-'), { fullPage: true });
        const overflow = await this.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${where}: ${overflow} pixels too wide`);
        assert.deepEqual(await this.page.evaluate(violations, colorScheme === 'dark' ? ABOUT_COLOURS : undefined), [], where);
        if (width === 1280) assert.deepEqual(await this.page.evaluate(cutWords), [], `${where}: words are cut`);
        else if (/^\/(admin|account)\b/.test(this.path)) await this.#beginsSoon(where);
      }
    }
    await this.page.setViewportSize({ width: 1280, height: 900 });
    const language = await this.page.evaluate(() => document.documentElement.lang);
    assert.equal(language, this.language, name);
    this.isSilent(name);
  }

  /** On a phone the title of a page of the console or of the account is in sight: what stands above it is folded. */
  async #beginsSoon(where) {
    const { y, height } = await this.page.locator('h1').first().boundingBox();
    assert.ok(y + height <= 160, `${where}: the title ends at ${y + height} pixels`);
  }

  /** Whether the console has shown exactly this; what a test has provoked counts no more. */
  hasReported(text) {
    const others = this.#errors.filter((error) => error !== text);
    const isThere = others.length < this.#errors.length;
    this.#errors = others;
    return isThere;
  }

  /** Nothing was reported so far. */
  isSilent(name) {
    assert.deepEqual(this.#errors, [], name);
  }

  close() {
    return this.context.close();
  }
}
