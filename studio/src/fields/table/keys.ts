// What the keys of a sheet mean.

export interface Step {
  readonly down: number;
  readonly along: number;
  /** To the first or last cell of the row, or of the table. */
  readonly isFar: boolean;
  /** What is selected goes on to there. */
  readonly selects: boolean;
  /** The row or the column itself moves. */
  readonly moves: boolean;
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Where a key leads to, in a table that may run from right to left; `leave` ends the change of a cell, or lets Tab leave the table. Keys that a cell needs while it is changed lead nowhere. */
export function keyStep(event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'>, isEditing: boolean, isRtl = false): Step | 'leave' | undefined {
  const { key, shiftKey, altKey } = event;
  const isFar = event.ctrlKey || event.metaKey;
  if (key === 'Escape') return 'leave';
  // Shift with Enter begins a line in a cell.
  if (isEditing) return key === 'Enter' && !shiftKey && !altKey ? { down: 1, along: 0, isFar: false, selects: false, moves: false } : undefined;
  const arrow = ARROWS[key];
  if (arrow) return { down: arrow[0], along: isRtl ? -arrow[1] : arrow[1], isFar: isFar && !altKey, selects: shiftKey && !altKey, moves: altKey };
  if (key === 'Home' || key === 'End') {
    const way = key === 'Home' ? -1 : 1;
    return { down: isFar ? way : 0, along: way, isFar: true, selects: shiftKey, moves: false };
  }
  return undefined;
}

/** Whether a key is a character that begins a cell anew. */
export function isTyped(event: Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'>): boolean {
  return event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
}
