// What a tile and a row of the library are given.

import type { Asset } from '../model/assets.ts';

export interface ItemProps {
  /** Nothing while it is being read. */
  readonly asset: Asset | undefined;
  /** Its place among all, from 0 on, and the column that it is in. */
  readonly index: number;
  readonly column: number;
  readonly label: string;
  readonly href: string | undefined;
  /** Whether Tab comes to it. */
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly selects: boolean;
  readonly onfocus: () => void;
  readonly onuse: () => void;
  /** With Shift all from the one before to this one are selected. */
  readonly ontoggle: (isRange: boolean) => void;
  readonly ondragstart: (event: DragEvent) => void;
  readonly ondragend: () => void;
}

/** A plain click on a file does what Enter does, one with Shift selects as far as there; with another key the browser opens it elsewhere. */
export function clickItem(event: MouseEvent, { selects, ontoggle, onuse }: Pick<ItemProps, 'selects' | 'ontoggle' | 'onuse'>): void {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && !selects)) return;
  event.preventDefault();
  if (event.shiftKey) ontoggle(true);
  else onuse();
}
