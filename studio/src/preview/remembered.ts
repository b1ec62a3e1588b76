// What a browser remembers of the previews of a space: the choices of the person, and what each site asked for when it was heard last.

import { parseConfig, type BridgeConfig } from './messages.ts';

export const WIDTHS = { fill: 0, phone: 375, tablet: 768, desktop: 1280 } as const;
export type Width = keyof typeof WIDTHS | 'own';

export interface Choices {
  /** The location of an environment. */
  readonly environment: string;
  readonly width: Width;
  /** In pixels. */
  readonly ownWidth: number;
  /** The locations of the environments that are shown what was saved, and not each key. */
  readonly onSave: readonly string[];
}

type Values = Pick<Storage, 'getItem' | 'setItem'>;

const MOST = 20;
export const NARROWEST = 240;
export const WIDEST = 4000;

export class Remembered {
  readonly #values: Values;
  readonly #key: string;

  constructor(values: Values, space: number) {
    this.#values = values;
    this.#key = `lectern.preview.${space}`;
  }

  choices(): Choices {
    const { environment, width, ownWidth, onSave } = this.#read(this.#key);
    return {
      environment: typeof environment === 'string' ? environment : '',
      width: width === 'own' || (typeof width === 'string' && Object.hasOwn(WIDTHS, width)) ? (width as Width) : 'fill',
      ownWidth: typeof ownWidth === 'number' && ownWidth >= NARROWEST && ownWidth <= WIDEST ? Math.round(ownWidth) : 1024,
      onSave: Array.isArray(onSave) ? onSave.filter((location) => typeof location === 'string').slice(0, MOST) : [],
    };
  }

  keepChoices(choices: Choices): void {
    this.#write(this.#key, choices);
  }

  /** What the site of an environment asked for; nothing before it was heard. */
  config(location: string): BridgeConfig | undefined {
    const kept = this.#read(`${this.#key}.sites`)[location];
    return kept === undefined ? undefined : parseConfig(kept);
  }

  keepConfig(location: string, config: BridgeConfig): void {
    const others = Object.entries(this.#read(`${this.#key}.sites`)).filter(([other]) => other !== location);
    this.#write(`${this.#key}.sites`, Object.fromEntries([...others, [location, config]].slice(-MOST)));
  }

  #read(key: string): Record<string, unknown> {
    try {
      const kept: unknown = JSON.parse(this.#values.getItem(key) ?? '{}');
      return typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? (kept as Record<string, unknown>) : {};
    } catch {
      // It is not ours, or the browser keeps nothing.
      return {};
    }
  }

  #write(key: string, value: unknown): void {
    try {
      this.#values.setItem(key, JSON.stringify(value));
    } catch {
      // A browser that keeps nothing asks again the next time.
    }
  }
}
