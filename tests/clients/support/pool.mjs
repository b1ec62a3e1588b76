/** Runs `work` over `items`, at most `width` at a time; rejects with the first error, once the work under way has ended. */
export async function pool(items, width, work) {
  const queue = items[Symbol.iterator]();
  let failure;
  const lane = async () => {
    for (const item of queue) {
      if (failure) return;
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  if (failure) throw failure.error;
}

/** Calls `probe` until it returns a truthy value; fails after `seconds`, or at once when `probe` throws. */
export async function until(what, probe, seconds = 180) {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`not within ${seconds} seconds: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
