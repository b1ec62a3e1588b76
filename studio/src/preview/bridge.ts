// Whether a site and the studio hear each other, as a state machine: loading -> waiting -> twoWay | oneWay. Every load of the frame begins anew.
//
// A frame tells of a load when the new page has run its scripts, and nothing when the old page goes. So a handshake may be of the page that is there or of
// the one that comes: until the page has settled it is its own, and later it counts for both.

import { mergeConfigs, type BridgeConfig } from './messages.ts';

export type Phase = 'loading' | 'waiting' | 'twoWay' | 'oneWay';

export interface Bridge {
  readonly phase: Phase;
  /** What the bridges of the page asked for; nothing before the first handshake. */
  readonly config: BridgeConfig | undefined;
  /** What may be of the page that comes. */
  readonly next: BridgeConfig | undefined;
  /** Whether the page of the studio's address has loaded. */
  readonly isLoaded: boolean;
  /** Whether the page that is there has had its time. */
  readonly isSettled: boolean;
  /** Whether the page is another than the one that the studio has loaded, as far as can be told. */
  readonly isElsewhere: boolean;
}

export type BridgeEvent =
  /** The studio has set the address of the frame. */
  | { readonly kind: 'started' }
  /** `isExpected`: the studio has told the page to load itself again. */
  | { readonly kind: 'loaded'; readonly isExpected: boolean }
  | { readonly kind: 'initialized'; readonly config: BridgeConfig }
  /** `PATIENCE` has passed since the load. */
  | { readonly kind: 'settled' };

/** How long a site has time for its handshake after it has loaded, in milliseconds. */
export const PATIENCE = 3000;

export const STARTED: Bridge = { phase: 'loading', config: undefined, next: undefined, isLoaded: false, isSettled: false, isElsewhere: false };

export function step(bridge: Bridge, event: BridgeEvent): Bridge {
  switch (event.kind) {
    case 'started': return STARTED;
    case 'loaded': {
      const config = bridge.next;
      const isOwn = !bridge.isLoaded || event.isExpected || config !== undefined;
      return { phase: config ? 'twoWay' : 'waiting', config, next: undefined, isLoaded: true, isSettled: false, isElsewhere: !isOwn };
    }
    case 'initialized': {
      const merge = (known: BridgeConfig | undefined) => (known ? mergeConfigs(known, event.config) : event.config);
      const next = bridge.isLoaded && !bridge.isSettled ? undefined : merge(bridge.next);
      return { ...bridge, phase: 'twoWay', config: merge(bridge.config), next, isElsewhere: false };
    }
    case 'settled': return { ...bridge, isSettled: true, phase: bridge.phase === 'waiting' ? 'oneWay' : bridge.phase };
  }
}
