import { defineConfig } from 'vitest/config';
import { typeIcons } from '../scripts/typeIcons.ts';

/** Measurements: by hand, on a machine that does nothing else. */
export default defineConfig({
  plugins: [typeIcons()],
  test: {
    environment: 'node',
    root: import.meta.dirname,
    include: ['*.bench.ts'],
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
});
