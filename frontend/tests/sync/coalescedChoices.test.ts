/** A choice is shown at once, sent in order, and taken back where the server does not take it. */
import { describe, expect, it } from 'vitest';
import { CoalescedChoices } from '../../src/sync/assistant/coalescedChoices';

type Value = 'up' | 'down' | null;

/** A server that answers when a test lets it. */
function played() {
  const sent: Value[] = [];
  const shown: Value[] = [];
  const answers: { take: () => void; refuse: (why: Error) => void }[] = [];
  const wish = new CoalescedChoices<Value>(
    (_, value) => {
      sent.push(value);
      return new Promise<void>((take, refuse) => answers.push({ take, refuse }));
    },
    (_, value) => void shown.push(value),
  );
  return { wish, sent, shown, answers };
}
const turn = () => new Promise((resolve) => setTimeout(resolve));

describe('a choice', () => {
  it('is shown before it is sent, and stays', async () => {
    const { wish, sent, shown, answers } = played();
    const done = wish.choose('run', 'up', null);
    expect([shown, sent]).toEqual([['up'], ['up']]);
    answers[0]?.take();
    await done;
    expect(shown).toEqual(['up']);
  });

  it('is as it was where the server does not take it', async () => {
    const { wish, shown, answers } = played();
    const done = wish.choose('run', 'down', 'up');
    answers[0]?.refuse(new Error('no'));
    await expect(done).rejects.toThrow('no');
    expect(shown).toEqual(['down', 'up']);
  });

  it('is sent once the one before it is answered; those between are not sent at all', async () => {
    const { wish, sent, shown, answers } = played();
    const done = wish.choose('run', 'up', null);
    await wish.choose('run', null, 'up');
    await wish.choose('run', 'down', null);
    expect([shown, sent]).toEqual([['up', null, 'down'], ['up']]);
    answers[0]?.take();
    await turn();
    expect(sent).toEqual(['up', 'down']);
    // What the server has is the first, not what was shown before the second.
    answers[1]?.refuse(new Error('no'));
    await expect(done).rejects.toThrow('no');
    expect(shown.at(-1)).toBe('up');
  });

  it('is not sent where it is taken back before its turn', async () => {
    const { wish, sent, answers } = played();
    const done = wish.choose('run', 'up', null);
    await wish.choose('run', 'down', 'up');
    await wish.choose('run', 'up', 'down');
    answers[0]?.take();
    await done;
    expect(sent).toEqual(['up']);
  });
});
