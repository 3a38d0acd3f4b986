/**
 * Live preview under random gestures: what is typed, deleted, ticked and undone is what a plain string becomes by it.
 *
 * `GESTURES` is how many there are, `GESTURE_SEED` where chance begins; a failure names both. The string knows the rules of
 * Markdown that keys follow, and nothing of looks; a gesture for which it has no rule is left out, which is counted.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seeded } from '../tests/sync/random';
import { type Pressed, type Seen, Written } from './gestureModel';
import { png, putImage, sha256 } from './imageFiles';
import { CONTENT, keptText, writer } from './liveTables';
import { Stage, type Visit } from './stage';

const COUNT = Number(process.env.GESTURES ?? 300);
const SEED = Number(process.env.GESTURE_SEED ?? 20_261_128);

const IMAGE = png('shop.png', 40, 30);

const TEXT = `---
title: Plan
owner: Ada
---

# Plan

Led by [Orders](#node/orders), with **bold**, _soft_ and \`code\`.

- [ ] first task
- [x] second task
- third

Between the list and the table, in two
lines that flow together.

| Name | Use | Note |
| --- | :-: | --- |
| [Orders](#node/orders) | takes **orders** | \`a \\| b\` |
| spare |  | two   blanks |
| last | row | end |

After it **something** else.

![the shop](images/${sha256(IMAGE)}.png)

- [ ] another task

\`\`\`js
let a = 1
\`\`\`

The end.
`;

let stage: Stage;
let visit: Visit;

beforeAll(async () => {
  stage = await Stage.shared();
  visit = await writer(stage);
});

afterAll(async () => {
  await stage?.close();
});

const page = () => visit.page;
const content = () => page().locator(CONTENT);

/** Reads the text, the selection and the edited cell, with the keyboard in the text. Runs in the page. */
function look(selector: string): Seen {
  const within = document.querySelector(selector) as HTMLElement;
  if (!within.contains(document.activeElement)) within.focus();
  const stateOf = (element: Element) =>
    (element as unknown as { cmTile: { root: { view: { state: Shown } } } }).cmTile.root.view.state;
  interface Shown {
    doc: { toString(): string };
    selection: { main: { anchor: number; head: number } };
    values: unknown[];
  }
  const { doc, selection, values } = stateOf(within);
  const focused = document.activeElement as Element;
  const inner = focused !== within && focused.matches('.cm-content') ? stateOf(focused) : null;
  const { anchor, head } = selection.main;
  interface Past {
    done: { changes?: unknown }[];
    undone: { changes?: unknown }[];
  }
  // CodeMirror's own list of what it can undo.
  const past = values.find((value): value is Past => Boolean((value as Past | null)?.done)) as Past;
  const depth = (events: Past['done']) => events.filter(({ changes }) => changes).length;
  return {
    depth: { undo: depth(past.done), redo: depth(past.undone) },
    text: doc.toString(),
    anchor,
    head,
    cell: inner && {
      text: inner.doc.toString(),
      anchor: inner.selection.main.anchor,
      head: inner.selection.main.head,
    },
  };
}

const seen = () => page().evaluate(look, CONTENT);
const kept = (id: string) => keptText(visit, id);

const MOVES = [
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Home',
  'End',
  'Control+Home',
  'Control+End',
];
const MOVES_BY_WORD = ['Control+ArrowLeft', 'Control+ArrowRight'];
const SELECTS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'Control+ArrowRight'];
const WORDS = ['x', 'yz', ' word', 'é', '😀', '**w**', '_s_', '  ', 'a, b', '`q`'];

/** Where one can click; a box would be ticked. */
const LINES = ':scope > .cm-line:not(:has(.live-checkbox)), .live-front td';

type Chance = ReturnType<typeof seeded>;

/** Presses one thing after another that changes no text. */
async function wander(chance: Chance): Promise<string> {
  const way = chance.below(10);
  if (way < 4) return pressed(chance.pick([...MOVES, ...MOVES_BY_WORD]));
  if (way < 7) {
    const keys = `Shift+${chance.pick(SELECTS)}`;
    for (let times = chance.below(4); times > 0; times--) await page().keyboard.press(keys);
    return pressed(keys);
  }
  const places = content().locator(way < 9 ? '.live-table td, .live-table th' : LINES);
  const count = await places.count();
  if (count === 0) return 'nowhere to click';
  const at = chance.below(count);
  await places.nth(at).click({ position: { x: 4 + chance.below(20), y: 8 } });
  return `click ${way < 9 ? 'cell' : 'line'} ${at}`;
}

async function pressed(keys: string): Promise<string> {
  await page().keyboard.press(keys);
  return keys;
}

/** Ticks a box that is in sight; null where there is none. */
async function tick(chance: Chance, written: Written): Promise<string | null> {
  const boxes = content().locator('.live-checkbox');
  const count = await boxes.count();
  if (count === 0) return null;
  const box = boxes.nth(chance.below(count));
  const at = await box.evaluate((one) => {
    const tile = (one.closest('.cm-content') as unknown as { cmTile: Tile }).cmTile;
    interface Tile {
      root: { view: { posAtDOM(node: Node): number } };
    }
    return tile.root.view.posAtDOM(one);
  });
  if (!written.tick(at)) return null;
  await box.click();
  return `tick at ${at}`;
}

/** One gesture, on the page and on the string: what it was. */
async function gesture(chance: Chance, written: Written): Promise<string> {
  const way = chance.below(100);
  if (way < 40) return wander(chance);
  if (way < 44) return (await tick(chance, written)) ?? 'nothing to tick';
  if (way < 52) return undo(chance, written);
  const before = await seen();
  if (way < 58 && before.cell) {
    const keys = chance.pick(['Control+a', 'Shift+Tab', 'Tab', 'Tab']);
    if (keys === 'Tab') written.tab(before);
    return pressed(keys);
  }
  const typed = before.cell && chance.below(8) === 0 ? '|' : chance.pick(WORDS);
  const key: Pressed | null = way < 64 ? 'Enter' : way < 73 ? 'Backspace' : way < 79 ? 'Delete' : null;
  if (!(key ? written.press(before, key) : written.type(before, typed))) return `no rule for ${key ?? typed}`;
  if (key) return pressed(key);
  await page().keyboard.type(typed);
  return `type ${JSON.stringify(typed)}`;
}

/** Goes back, and mostly forth again to where it was; what comes of going back alone is one of the texts before. */
async function undo(chance: Chance, written: Written): Promise<string> {
  const wanted = 1 + chance.below(4);
  const before = await seen();
  const times = Math.min(wanted, before.depth.undo);
  if (times === 0) return 'nothing to undo';
  for (let time = 0; time < times; time++) await step('undo', 'Control+z');
  const { text: back, depth } = await seen();
  expect(written.wasOnce(back), `a text that was there once, after ${times} × Control+z`).toBe(true);
  if (wanted > 1) {
    // A letter that was typed and deleted at once is a step back, and none to do again.
    const again = depth.redo - before.depth.redo;
    for (let time = 0; time < again; time++) await step('redo', 'Control+Shift+z');
    return `undo ${times} and redo ${again}`;
  }
  written.goBackTo(back);
  return 'undo';
}

/** Presses a key of the history and waits until it has been carried out: it goes behind what is not saved yet. */
async function step(way: 'undo' | 'redo', keys: string): Promise<void> {
  const depth = (await seen()).depth[way];
  await page().keyboard.press(keys);
  await expect.poll(async () => (await seen()).depth[way], { interval: 5 }).toBe(depth - 1);
}

it('leaves what a string becomes by random gestures, in the editor and at the server', async () => {
  const { id } = await visit.api<{ id: string }>('POST', '/workspaces', {
    name: 'Shop',
    document: { text: TEXT },
    diagram: { nodes: [{ id: 'orders', type: 'service', label: 'Orders', position: { x: 0, y: 0 } }] },
  });
  await putImage(page(), id, IMAGE);
  await visit.openWithin(id, { view: 'document', look: 'live' });
  await content().locator('.live-table').waitFor();
  const chance = seeded(SEED);
  const written = new Written(TEXT);
  await content().focus();
  const done: string[] = [];
  for (let at = 1; at <= COUNT; at++) {
    done.push(await gesture(chance, written));
    const said = `seed ${SEED}, gesture ${at} of ${COUNT}: ${done.slice(-12).join(' · ')}`;
    if ((await seen()).text !== written.text)
      await expect.poll(async () => (await seen()).text, { message: said }).toBe(written.text);
  }
  await expect.poll(async () => (await kept(id)).text).toBe(written.text);
  const leftOut = done.filter((one) => one.startsWith('no rule')).length;
  expect(leftOut, `gestures of ${COUNT} without a rule`).toBeLessThan(COUNT / 6);
  const changed = done.filter((one) => /^(type|Enter|Backspace|Delete|tick|undo)/.test(one));
  expect(changed.length).toBeGreaterThan(COUNT / 3);

  const { revision } = await kept(id);
  for (let at = 0; at < 40; at++) await wander(chance);
  for (const keys of ['Control+Home', 'Control+Shift+BracketLeft', 'Control+Shift+BracketRight'])
    await pressed(keys);
  const toggle = page().getByRole('button', { name: 'Live preview' });
  await toggle.click();
  await toggle.click();
  expect((await seen()).text).toBe(written.text);
  // What is sent goes in order: a letter that arrives as the next revision had nothing ahead of it.
  await content().focus();
  await pressed('Control+Home');
  await page().keyboard.type('x');
  await expect.poll(() => kept(id)).toEqual({ text: `x${written.text}`, revision: revision + 1 });
  expect(visit.complaints).toEqual([]);
});
