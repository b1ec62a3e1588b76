// Two ways to work with a page: with the pointer, and with the keyboard alone.

/** The most fields and buttons of a page that Tab goes through. */
const MOST_STOPS = 120;

export class Pointer {
  press(target) {
    return target.click();
  }

  fill(field, text) {
    return field.fill(text);
  }
}

/** Goes to everything by Tab. */
export class Keyboard {
  constructor(page) {
    this.page = page;
  }

  async press(target) {
    await this.#goTo(target);
    await this.page.keyboard.press('Enter');
  }

  async fill(field, text) {
    await this.#goTo(field);
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.type(text);
  }

  async #goTo(target) {
    await target.waitFor();
    const isThere = () => target.evaluate((element) => element === document.activeElement);
    for (let stop = 0; stop < MOST_STOPS; stop += 1) {
      if (await isThere()) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${target}`);
  }
}
