/** Whether work grows faster than its input, by the processor time of this process for two sizes far apart. */
const SMALL = 4_000;
const LARGE = 64_000;
/** Work that is done this soon is not looked at more closely. */
const SOON_MS = 80;
/** Linear work takes 16 times as long, quadratic work 256 times. */
const MOST = 90;

function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Null where it grows in proportion; else what was measured. */
export function excessOf(work: (size: number) => () => void): string | null {
  const large = work(LARGE);
  let most = cpuOf(large);
  if (most < SOON_MS) return null;
  const small = work(SMALL);
  const least = Math.max(1, Math.min(cpuOf(small), cpuOf(small)));
  most = Math.min(most, cpuOf(large), cpuOf(large));
  return most < SOON_MS || most <= MOST * least ? null : `${least} ms, then ${most} ms`;
}
