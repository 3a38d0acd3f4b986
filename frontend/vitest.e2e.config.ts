import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TIMEOUT_MS } from './e2e/timeout.ts';

/** The longest files. They begin first, so that none of them is left over at the end, when there is nothing beside it. */
const LONGEST = [
  'screens',
  'assistant-screens',
  'gestures',
  'finish',
  'assistant-cards',
  'document',
  'export',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.indexOf(path.basename(moduleId, '.test.ts'));
      return at < 0 ? LONGEST.length : at;
    };
    const name = ({ moduleId }: TestSpecification) => moduleId;
    return [...files].sort((a, b) => place(a) - place(b) || name(a).localeCompare(name(b)));
  }
}

/** Browser tests: real servers, one for each file that cannot share one, for each process a real Chromium, three files at a time. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['e2e/**/*.test.ts'],
    globalSetup: ['e2e/sharedServer.ts'],
    // A test waits for several states, each of which has the limit for itself.
    testTimeout: 4 * TIMEOUT_MS,
    hookTimeout: 4 * TIMEOUT_MS,
    expect: { poll: { timeout: TIMEOUT_MS } },
    // Each keeps its server, its browser and itself busy in turns.
    maxWorkers: 3,
    // A browser serves all files of a process, one after the other.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    setupFiles: ['e2e/skipRest.ts'],
  },
});
