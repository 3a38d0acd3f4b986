import { expect, it } from 'vitest';
import { plannedSentence } from '../../../src/model/assistant/plannedSentences';

it('says as a plan what the server says as done', () => {
  expect(
    plannedSentence('Added node Cache; added edges Web → Cache, Cache → Orders; deleted edge Web → Orders'),
  ).toBe('Add node Cache; add edges Web → Cache, Cache → Orders; delete edge Web → Orders');
  expect(plannedSentence('Changed label of Orders; moved 4 nodes')).toBe(
    'Change label of Orders; move 4 nodes',
  );
  expect(plannedSentence('Edited “Security” in the document')).toBe('Edit “Security” in the document');
  expect(plannedSentence('Renamed the workspace from “A” to “B”')).toBe(
    'Rename the workspace from “A” to “B”',
  );
});

it('leaves names and other words alone', () => {
  expect(plannedSentence('Added node Deleted things; Moved')).toBe('Add node Deleted things; Moved');
  expect(plannedSentence('Nothing changed')).toBe('Nothing changed');
});
