// Where the focus goes in a field: a row of a value, or a list of blocks that have fields of their own.

/** What may take the focus, best first: the control of the value, then a button. The JSON view hands it on to its text. */
const SELECTORS = ['[data-control], input, textarea, select', 'button:not(.link-button), [tabindex="0"]'];

/** The control of a field; the field itself where nothing in it takes the focus. */
export function controlOf(field: HTMLElement): HTMLElement {
  for (const selector of SELECTORS) {
    const own = [...field.querySelectorAll<HTMLElement>(selector)].find((control) => control.closest('[data-field]') === field);
    if (own) return own;
  }
  return field;
}
