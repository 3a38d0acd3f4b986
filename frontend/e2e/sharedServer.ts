/** The one server that files of browser tests share which look at workspaces of their own alone (`Stage.shared`). */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { READY, remove, said, serve, startParent, stop } from './server';

declare module 'vitest' {
  export interface ProvidedContext {
    sharedServer: string;
  }
}

/** Start it before the first file, and give what ends it after the last. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const endParent = await startParent();
  const folder = mkdtempSync(path.join(tmpdir(), 'draftsmith-e2e-'));
  const server = serve(folder, '0', 'none', null);
  const end = async () => {
    await stop(server);
    remove(folder);
    await endParent();
  };
  try {
    provide('sharedServer', await said(server, READY));
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}
