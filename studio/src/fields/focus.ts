// Where the focus goes in the row of a field.

/** The control that holds the value of a field; its row where there is none that can have the focus. */
export function controlOf(row: HTMLElement): HTMLElement {
  const control = row.querySelector<HTMLElement>('[data-control]') ?? row.querySelector<HTMLElement>('input, textarea, select');
  return control ?? row;
}
