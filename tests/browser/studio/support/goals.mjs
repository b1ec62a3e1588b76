// How long something may take, on a machine that does other things as well.

/** What a goal becomes: three times what the same takes with next to nothing in it, in the same run, is added to it, up to three times the goal altogether. All in milliseconds. */
export const within = (goal, least) => Math.min(goal + 3 * least, 3 * goal);

/** Of a hundred times, the one that five are longer than. */
export const p95 = (times) => times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)];
export const p50 = (times) => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)];

/** The middle of three times that one after the other are measured: what else the machine does seldom falls together with two. */
export async function middle(measure) {
  return p50([await measure(), await measure(), await measure()]);
}

/** Gives how many milliseconds the main thread of a page has worked so far: that thread alone, whatever else the machine does. */
export async function mainThread(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
}
