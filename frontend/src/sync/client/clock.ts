/** Time and randomness as an interface, so that tests can replace them. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
  /** A fraction in [0, 1). */
  random(): number;
  /** A unique id of 8 to 128 visible ASCII characters. */
  newId(): string;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
  random: () => Math.random(),
  newId,
};

/** 128 random bits. `crypto.randomUUID` is missing where a page was not loaded over TLS. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
