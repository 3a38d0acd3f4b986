import { defineConfig } from 'vitest/config';

/** Browser tests: a real server, a real Chromium, one file at a time. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['e2e/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    // The steps of a journey build on one another: after the first that fails the others say nothing.
    bail: 1,
  },
});
