/**
 * The steps of a journey build on one another: after the first that fails the others of its file are skipped. Other files
 * run on, since one that fails tells nothing of them. Files share a process, so what has failed is known by file.
 */
import { afterEach, beforeEach } from 'vitest';

const failed = new Set<string>();

beforeEach(({ task, skip }) => {
  if (failed.has(task.file.filepath)) skip('an earlier step of this file has failed');
});

afterEach(({ task }) => {
  if (task.result?.state === 'fail') failed.add(task.file.filepath);
});
