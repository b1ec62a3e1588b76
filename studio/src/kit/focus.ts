// The point of a picture that matters most, as content and the library hold it: one pixel of the file, written as the part that begins there.

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** `320x240:321x241` as its middle; nothing where it says none. */
export function readFocus(focus: string): Point | undefined {
  const found = /^(\d{1,6})x(\d{1,6}):(\d{1,6})x(\d{1,6})$/.exec(focus.trim());
  if (!found) return undefined;
  const [left, top, right, bottom] = found.slice(1).map(Number) as [number, number, number, number];
  return { x: Math.floor((left + right) / 2), y: Math.floor((top + bottom) / 2) };
}

export function writeFocus({ x, y }: Point): string {
  return `${x}x${y}:${x + 1}x${y + 1}`;
}

/** The pixel of a picture at a share of its width and height. What lies outside is at its edge. */
export function pointAt(across: number, down: number, width: number, height: number): Point {
  const within = (share: number, size: number) => Math.max(0, Math.min(size - 1, Math.floor(share * size)));
  return { x: within(across, width), y: within(down, height) };
}

/** A point moved by steps of a hundredth of the picture, or of ten of them; it begins in the middle. */
export function movedPoint(point: Point | undefined, steps: Point, width: number, height: number): Point {
  const from = point ?? { x: Math.floor(width / 2), y: Math.floor(height / 2) };
  const by = (step: number, size: number) => Math.round((step * size) / 100) || Math.sign(step);
  return pointAt((from.x + by(steps.x, width) + 0.5) / width, (from.y + by(steps.y, height) + 0.5) / height, width, height);
}
