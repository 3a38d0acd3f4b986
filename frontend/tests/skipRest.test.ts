/** After the first step of a journey that fails the rest of its file is skipped, and other files run (`e2e/skipRest.ts`). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startVitest } from 'vitest/node';

const ROOT = path.resolve(import.meta.dirname, '..');
const RED = `import { describe, expect, it } from 'vitest';
it('one', () => {});
it('two', () => expect(1).toBe(2));
it('three', () => {});
describe('later', () => it('four', () => expect(1).toBe(2)));
`;
const GREEN = "import { it } from 'vitest';\nit('five', () => {});\n";

it('the rest of a file is skipped after the first failure, and no other file', async () => {
  const folder = mkdtempSync(path.join(ROOT, 'node_modules/.skip-rest-'));
  writeFileSync(path.join(folder, 'a.test.ts'), RED);
  writeFileSync(path.join(folder, 'b.test.ts'), GREEN);
  const code = process.exitCode;
  const run = await startVitest('test', [], {
    root: folder,
    config: false,
    watch: false,
    include: ['*.test.ts'],
    reporters: [{}],
    setupFiles: [path.join(ROOT, 'e2e/skipRest.ts')],
    // As in vitest.e2e.config.ts: both files in one process.
    isolate: false,
    maxWorkers: 1,
  });
  const states = Object.fromEntries(
    run.state
      .getTestModules()
      .flatMap(({ children }) => [...children.allTests()].map((one) => [one.name, one.result().state])),
  );
  await run.close();
  process.exitCode = code;
  rmSync(folder, { recursive: true });
  expect(states).toEqual({ one: 'passed', two: 'failed', three: 'skipped', four: 'skipped', five: 'passed' });
});
