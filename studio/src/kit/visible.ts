// Which rows of a long list are in sight, from where the list and what is seen of the page are.

/** How many rows beyond those in sight are shown, on both sides: so many are there before they come into view. */
const BEYOND = 8;
/** The most rows that are shown at once, however high the screen is. */
export const MOST_ROWS = 110;

export interface Visible {
  readonly first: number;
  /** The row after the last one. */
  readonly end: number;
}

/** The rows between two edges, in pixels below the top of the list. */
export function visibleRows(top: number, bottom: number, rowHeight: number, count: number): Visible {
  if (rowHeight <= 0 || bottom <= top) return { first: 0, end: Math.min(count, BEYOND) };
  const first = Math.max(0, Math.min(count, Math.floor(top / rowHeight) - BEYOND));
  const end = Math.min(count, first + MOST_ROWS, Math.max(0, Math.ceil(bottom / rowHeight) + BEYOND));
  return { first, end: Math.max(first, end) };
}
