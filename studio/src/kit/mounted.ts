// What an answer of the server does may come late: the person has gone on meanwhile.

import { onDestroy } from 'svelte';

/** The same act, but nothing once the component is gone: what is open by then is another one. */
export function whileMounted(act: () => void): () => void {
  let isMounted = true;
  onDestroy(() => {
    isMounted = false;
  });
  return () => {
    if (isMounted) act();
  };
}
