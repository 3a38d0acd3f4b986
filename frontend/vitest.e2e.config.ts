import { defineConfig } from 'vitest/config';

/** Browser tests: for each file a real server and a real Chromium, two files at a time. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['e2e/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // They mostly wait; more of them would wait for one another.
    maxWorkers: 2,
    // The steps of a journey build on one another: after the first that fails the others say nothing.
    bail: 1,
  },
});
