// @vitest-environment jsdom
/** The announcer is loaded after the page: what happens before it is there is announced once it is. */
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveRun, Member, ServerMessage } from '../../src/protocol/live';
import { Announcer } from '../../src/view/people/Announcer';
import { commit, nodeStep, state, welcome } from '../sync/messages';
import { OpenWorkspace } from './openWorkspace';

const BEN = { id: 'guest:ben', name: 'Ben', kind: 'person' as const };
const run = (id: string, status: LiveRun['status']): LiveRun =>
  ({ id, status, workflow: 'edit', actor: BEN, outcome: null }) as unknown as LiveRun;
const runs = (...list: LiveRun[]): ServerMessage => ({ t: 'runs', runs: list });
const member = (id: string, name: string): Member => ({
  member: id,
  id: `guest:${name}`,
  name,
  kind: 'person',
  color: '#123456',
  state: {},
});
const roster = (...members: Member[]): ServerMessage => ({ t: 'roster', members });
const ADA_HERE = member('m1', 'ada');

let open: OpenWorkspace;
const region = () => open.page.querySelector('[data-testid="announcements"]');
const pass = (ms: number) => act(async () => void vi.advanceTimersByTime(ms));

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  open = await OpenWorkspace.with(welcome(), state(1), roster(ADA_HERE), runs(run('old', 'running')));
});

afterEach(async () => {
  await open.close();
  vi.useRealTimers();
});

describe('the announcer', () => {
  it('announces what began and ended before it was loaded, in that order', async () => {
    await open.hear(runs(run('new', 'running'), run('old', 'running')));
    await open.hear(commit(2, [nodeStep('cart', 2)], { what: 'Added Cart', by: BEN }));
    await open.hear(runs(run('new', 'applied'), run('old', 'running')));
    await open.hear(roster(ADA_HERE, member('m2', 'Cleo')));
    await open.draw(<Announcer />);
    await pass(1000);
    expect(region()?.textContent).toBe(
      'Assistant · for Ben has begun. Assistant · for Ben has finished. Cleo is here. Ben added Cart',
    );
  });

  it('is there before it says something: a region that comes with its text is passed over', async () => {
    await open.hear(runs(run('new', 'running')));
    await open.draw(<Announcer />);
    expect(region()?.textContent).toBe('');
    await pass(1000);
    expect(region()?.textContent).toBe('Assistant · for Ben has begun');
  });

  it('announces nothing of what the page was opened with', async () => {
    await open.draw(<Announcer />);
    await pass(10_000);
    expect(region()?.textContent).toBe('');
  });

  it('announces what happens from then on, and each thing once', async () => {
    await open.hear(runs(run('new', 'running'), run('old', 'running')));
    await open.draw(<Announcer />);
    await pass(1000);
    await open.hear(runs(run('new', 'applied'), run('old', 'running')));
    await pass(10_000);
    expect(region()?.textContent).toBe('Assistant · for Ben has finished');
    await open.hear(commit(2, [nodeStep('cart', 2)], { what: 'Added Cart', by: BEN }));
    await pass(10_000);
    expect(region()?.textContent).toBe('Ben added Cart');
  });

  it('says that changes are not saved where the connection was lost before it was loaded', async () => {
    await open.lose();
    await open.draw(<Announcer />);
    await pass(1000);
    expect(region()?.textContent).toBe('Offline; changes are kept here');
  });

  it('keeps the newest of very much that happens before it is loaded', async () => {
    for (let rev = 2; rev < 500; rev += 1)
      await open.hear(commit(rev, [nodeStep(`n${rev}`, rev)], { what: `Added ${rev}`, by: BEN }));
    await open.hear(runs(run('new', 'running'), run('old', 'running')));
    await open.draw(<Announcer />);
    await pass(1000);
    expect(region()?.textContent).toMatch(
      /^Assistant · for Ben has begun\. Ben added 4\d\d; 4\d more changes$/,
    );
  });
});
