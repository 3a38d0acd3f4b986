import { describe, expect, it } from 'vitest';
import { changesBetween, deletedBy } from '../../../src/model/core/changes';
import {
  carried,
  lineHunks,
  linesIn,
  placeChanges,
  placeHunks,
  withChanges,
} from '../../../src/model/text/ghostText';
import type { Step } from '../../../src/protocol/live';
import type { DocumentChange } from '../../../src/protocol/types';

const TEXT = '# Plan\n\nWe use one queue.\n\n## Risks\n\nNone known.\nNone known.\n';
const hunk = (from_line: number, old: string, now: string, to_line = from_line): DocumentChange => ({
  section: '',
  from_line,
  to_line,
  old,
  new: now,
});
const textStep = (old: string, now: string): Step => {
  const c = changesBetween(old, now);
  return { k: 'text', c, d: deletedBy(old, c) } as Step;
};
const placed = (text: string, ...hunks: DocumentChange[]) => {
  const { changes, lost } = placeHunks(text, hunks);
  return { text: withChanges(text, changes), lost };
};

/** The text that the lines come to which are shown. */
function shown(text: string, changes: Parameters<typeof lineHunks>[1]): string {
  const lines = text === '' ? [] : text.split('\n');
  for (const { from, old, now, isBefore } of lineHunks(linesIn(text), changes).reverse()) {
    const line = text.slice(0, from).split('\n').length - 1;
    lines.splice(old.length > 0 || isBefore ? line : line + 1, old.length, ...now);
  }
  return lines.join('\n');
}

describe('placing what the server tells', () => {
  const queues = hunk(3, 'We use one queue.\n', 'We use two queues.\n');

  it('finds lines where they are said to stand', () => {
    expect(placed(TEXT, queues)).toEqual({ text: TEXT.replace('one queue', 'two queues'), lost: 0 });
  });

  it('finds lines that stand elsewhere by now, if they stand once alone', () => {
    const later = `Above.\n\n${TEXT}`;
    expect(placed(later, queues)).toEqual({ text: later.replace('one queue', 'two queues'), lost: 0 });
  });

  it('guesses nothing where it could be in two places', () => {
    expect(placed(TEXT, hunk(2, 'None known.\n', 'Few.\n'))).toEqual({ text: TEXT, lost: 1 });
  });

  it('tells equal lines by their number', () => {
    expect(placed(TEXT, hunk(8, 'None known.\n', 'Few.\n')).text).toContain('None known.\nFew.\n');
  });

  it('counts what is not there any more, be it only in part', () => {
    const other = TEXT.replace('one queue', 'one queue and a half');
    expect(placed(other, queues, hunk(1, '# Plan\n', '# The plan\n'))).toEqual({
      text: other.replace('# Plan', '# The plan'),
      lost: 1,
    });
  });

  it('puts what only comes before the line that is named', () => {
    const text = 'One.\nTwo.\n';
    expect(placed(text, hunk(2, '', 'More.\n')).text).toBe('One.\nMore.\nTwo.\n');
    expect(placed(text, hunk(3, '', '\n## New\n')).text).toBe('One.\nTwo.\n\n## New\n');
    expect(placed('', hunk(1, '', 'First.\n')).text).toBe('First.\n');
    expect(placed(text, hunk(9, '', 'More.\n'))).toEqual({ text, lost: 1 });
  });

  it('minds a last line without a line feed', () => {
    expect(placed('One.\nTwo.', hunk(2, 'Two.\n', 'Two two.\n')).text).toBe('One.\nTwo two.');
    expect(placed('One.', hunk(2, '', 'Two.\n')).text).toBe('One.\nTwo.');
  });

  it('finds what goes over several lines', () => {
    const gone = hunk(4, '\n## Risks\n\nNone known.\n', '', 7);
    expect(placed(TEXT, gone)).toEqual({ text: '# Plan\n\nWe use one queue.\nNone known.\n', lost: 0 });
  });

  it('lets no two stand at one place', () => {
    expect(placed(TEXT, queues, { ...queues, new: 'Other.\n' }).lost).toBe(1);
  });
});

describe('placing what steps say', () => {
  it('is exact where the text is the one they are for, also one after another', () => {
    const once = TEXT.replace('one', 'two');
    const twice = once.replace('Plan', 'The plan');
    const { changes, lost } = placeChanges(TEXT, [textStep(TEXT, once), textStep(once, twice)], []);
    expect(withChanges(TEXT, changes)).toBe(twice);
    expect(lost).toBe(0);
  });

  it('falls back to what the server tells for another text', () => {
    const step = textStep(TEXT, TEXT.replace('one queue', 'two queues'));
    const later = `${TEXT}More.\n`;
    const { changes } = placeChanges(later, [step], [hunk(3, 'We use one queue.\n', 'We use two queues.\n')]);
    expect(withChanges(later, changes)).toContain('two queues');
    expect(placeChanges(later, [step], [])).toEqual({ changes: [], lost: 0 });
  });

  it('leads from any text to any other', () => {
    const words = ['a', 'b', 'Risk.', '', '## H', 'queue 😀', 'x y z'];
    let seed = 20_261_122;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const some = () => Array.from({ length: random(9) }, () => words[random(words.length)]).join('\n');
    for (let round = 0; round < 300; round += 1) {
      const [one, other] = [some(), some()];
      const { changes } = placeChanges(one, [textStep(one, other)], []);
      expect(withChanges(one, changes), `${one} → ${other}`).toBe(other);
      expect(shown(one, changes), `${one} → ${other}`).toBe(other);
    }
  });
});

describe('while the text goes on', () => {
  const change = placeHunks(TEXT, [hunk(3, 'We use one queue.\n', 'We use two queues.\n')]);

  it('moves along with what is written before it', () => {
    const later = `Above.\n${TEXT}`;
    const { changes, lost } = carried(change, TEXT, later);
    expect(withChanges(later, changes)).toBe(`Above.\n${TEXT.replace('one queue', 'two queues')}`);
    expect(lost).toBe(0);
  });

  it('is gone, and counted, where somebody writes into it', () => {
    expect(carried(change, TEXT, TEXT.replace('one queue', 'one big queue'))).toEqual({
      changes: [],
      lost: 1,
    });
  });
});

describe('changes as whole lines', () => {
  const hunksOf = (old: string, now: string) =>
    lineHunks(linesIn(old), placeChanges(old, [textStep(old, now)], []).changes);

  it('shows a line as it is and as it would be', () => {
    expect(hunksOf('One.\nTwo.\n', 'One.\nTwo two.\n')).toEqual([
      { from: 5, to: 9, old: ['Two.'], now: ['Two two.'], isBefore: false },
    ]);
  });

  it('shows what is only inserted between two lines', () => {
    expect(hunksOf('One.\nTwo.\n', 'One.\nMore.\nTwo.\n')).toEqual([
      { from: 5, to: 5, old: [], now: ['More.'], isBefore: true },
    ]);
  });

  it('shows what is appended to a line after it', () => {
    expect(hunksOf('One.', 'One.\nMore.')).toEqual([
      { from: 4, to: 4, old: [], now: ['More.'], isBefore: false },
    ]);
  });

  it('shows what is inserted at the very top before the first line', () => {
    expect(hunksOf('One.\n', 'Top.\nOne.\n')).toEqual([
      { from: 0, to: 0, old: [], now: ['Top.'], isBefore: true },
    ]);
  });

  it('shows a line that only goes', () => {
    expect(hunksOf('One.\nTwo.\nThree.\n', 'One.\nThree.\n')).toEqual([
      { from: 5, to: 9, old: ['Two.'], now: [], isBefore: false },
    ]);
  });

  it('takes changes of one line for one', () => {
    expect(hunksOf('a b c d e f\n', 'a X c d Y f\n')).toHaveLength(1);
  });

  it('fills an empty document', () => {
    expect(hunksOf('', 'One.\n')).toEqual([{ from: 0, to: 0, old: [], now: ['One.', ''], isBefore: true }]);
  });
});
