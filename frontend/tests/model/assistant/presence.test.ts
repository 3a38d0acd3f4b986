import { describe, expect, it } from 'vitest';
import {
  activeAssistants,
  activityText,
  assistantAnnouncements,
} from '../../../src/model/assistant/presence';
import type { Run } from '../../../src/protocol/types';

const run = (id: string, status: Run['status'], name = 'Ana', workflow: Run['workflow'] = 'edit'): Run =>
  ({ id, status, workflow, actor: { id: `id of ${name}`, name, kind: 'person' } }) as Run;

describe('the assistant among those present', () => {
  it('is there once for each request that goes on, the oldest first', () => {
    const runs = [run('3', 'running', 'Ben'), run('2', 'applied'), run('1', 'running')];
    expect(activeAssistants(runs, 'id of Ana')).toEqual([
      { run: '1', name: 'Assistant · for Ana', isMine: true, workflow: 'edit' },
      { run: '3', name: 'Assistant · for Ben', isMine: false, workflow: 'edit' },
    ]);
  });

  it('says what it does', () => {
    expect(activityText('edit', 0)).toBe('is reading');
    expect(activityText('edit', 1)).toBe('is preparing 1 change');
    expect(activityText('generate', 0)).toBe('is drafting');
    expect(activityText('generate', 3)).toBe('is preparing 3 changes');
    expect(activityText('ask', 0)).toBe('is looking for an answer');
  });

  it('is announced once when it begins and once when it ends', () => {
    const begun = assistantAnnouncements([], [run('1', 'running')]);
    expect(begun).toEqual([{ text: 'Assistant · for Ana has begun', isChange: false }]);
    expect(assistantAnnouncements([run('1', 'running')], [run('1', 'running')])).toEqual([]);
    const ended = assistantAnnouncements([run('1', 'running')], [run('1', 'proposed')]);
    expect(ended.map(({ text }) => text)).toEqual(['Assistant · for Ana has made a proposal']);
    expect(assistantAnnouncements([run('1', 'proposed')], [])).toEqual([]);
  });

  it('says nothing of what had ended before anybody looked', () => {
    expect(assistantAnnouncements([], [run('1', 'applied')])).toEqual([]);
  });
});
