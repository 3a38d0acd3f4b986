/** Since when somebody may want to be told what has changed. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { APART_MS, seenAt, sinceChoices } from '../../../src/model/history/since';
import type { Checkpoint } from '../../../src/protocol/types';
import { noteVisit, visitBefore } from '../../../src/sync/visits';

const named = (name: string, revision: number): Checkpoint => ({ id: name, name, revision, at: '' });

describe('a visit', () => {
  it('lasts over reloads and short absences, and ends after a long one', () => {
    const first = seenAt(undefined, 5, 0);
    expect(first).toEqual({ before: null, last: 5, at: 0 });
    const on = seenAt(first, 7, APART_MS);
    expect(on).toEqual({ before: null, last: 7, at: APART_MS });
    const again = seenAt(on, 12, 2 * APART_MS + 1);
    expect(again.before).toBe(7);
    expect(seenAt(again, 13, again.at + 1).before).toBe(7);
  });
});

describe('the choices', () => {
  it('are a row, the last visit, checkpoints and the beginning, each revision once, none without changes after it', () => {
    const checkpoints = [named('Review', 8), named('Now', 12)];
    const known = { newest: 12, visit: 8, checkpoints, chosen: null };
    expect(sinceChoices(known)).toEqual([
      { revision: 8, text: 'my last visit' },
      { revision: 1, text: 'the beginning' },
    ]);
    expect(sinceChoices({ ...known, visit: 20, chosen: 3 }).map(({ text }) => text)).toEqual([
      'revision 3',
      '“Review”',
      'the beginning',
    ]);
    expect(sinceChoices({ ...known, visit: null, chosen: 8 })[0]?.text).toBe('“Review”');
    expect(sinceChoices({ newest: 1, visit: 1, checkpoints: [], chosen: null })).toEqual([]);
  });
});

describe('visits that are kept', () => {
  const kept = new Map<string, string>();
  beforeEach(() => {
    kept.clear();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    });
  });

  it('are those of each workspace, a hundred of them, whatever somebody else has written there', () => {
    kept.set('draftsmith.visits', '{"broken": 1, "one": {"before": null, "last": 3, "at": 5}}');
    noteVisit('one', 9, 5 + APART_MS + 1);
    expect(visitBefore('one')).toBe(3);
    expect(visitBefore('two')).toBeNull();
    for (let at = 0; at < 150; at += 1) noteVisit(`w${at}`, 1, 10 * APART_MS + at);
    expect(Object.keys(JSON.parse(kept.get('draftsmith.visits') ?? '{}'))).toHaveLength(100);
    kept.set('draftsmith.visits', 'no JSON');
    expect(visitBefore('one')).toBeNull();
    noteVisit('one', 2, 7);
    expect(JSON.parse(kept.get('draftsmith.visits') ?? '{}')).toEqual({
      one: { before: null, last: 2, at: 7 },
    });
  });
});
