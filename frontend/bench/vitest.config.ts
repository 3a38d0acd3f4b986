import { defineConfig } from 'vitest/config';

/** Measurements: by hand, on a machine that does nothing else. */
export default defineConfig({
  test: {
    environment: 'node',
    root: import.meta.dirname,
    include: ['*.bench.ts'],
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
});
