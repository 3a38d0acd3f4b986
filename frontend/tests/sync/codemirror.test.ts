// @vitest-environment jsdom
/** The editor's binding to the client: both hold the same text, whoever changes it, also while a composition goes on. */
import { redo, undo } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { applyTo, type Changes, check } from '../../src/model/core/changes';
import { changesBetween } from '../../src/model/core/textDiff';
import { type LiveTextOptions, liveText, type TextClient } from '../../src/sync/editor/codemirror';
import { caretsIn } from '../../src/sync/editor/codemirrorCarets';
import { seeds } from './random';

type Listener = Parameters<TextClient['subscribe']>[0];

/** The part of a client that the editor sees, with a text that others change by a call. */
class SharedText {
  readonly member = 'me';
  members: TextClient['members'] = [];
  readonly view: { text: string };
  readonly typed: Changes[] = [];
  private readonly listeners = new Set<Listener>();

  constructor(text: string) {
    this.view = { text };
  }

  type(changes: Changes): void {
    this.typed.push(check(changes));
    this.view.text = applyTo(this.view.text, changes);
  }

  others(now: string): void {
    const text = changesBetween(this.view.text, now);
    this.view.text = now;
    this.tell({ text });
  }

  caretOf(member: string, at: number | null): void {
    const caret = at === null ? null : { rev: 1, anchor: at, head: at };
    this.members = [{ member, id: member, name: member, kind: 'person', color: '#c2410c', state: { caret } }];
    this.tell({ presence: true });
  }

  caretHere = ({ anchor, head }: { anchor: number; head: number }) => ({ anchor, head });

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get listening(): number {
    return this.listeners.size;
  }

  private tell(change: Partial<Parameters<Listener>[0]>): void {
    for (const listener of this.listeners) listener({ text: null, ...change } as Parameters<Listener>[0]);
  }
}

/** Everything that has been put off to the end of this task has happened. */
const settled = () => Promise.resolve();

let view: EditorView | null = null;

function edit(client: SharedText, options: LiveTextOptions = {}, doc = client.view.text): EditorView {
  const extensions = liveText(client as unknown as TextClient, options);
  view = new EditorView({ parent: document.body, state: EditorState.create({ doc, extensions }) });
  return view;
}

/** Pretend that an input method is at work, or has ended. */
function compose(editor: EditorView, goesOn: boolean): void {
  Object.defineProperty(editor, 'compositionStarted', { value: goesOn, configurable: true });
}

const insert = (editor: EditorView, at: number, text: string) =>
  editor.dispatch({ changes: { from: at, insert: text }, userEvent: 'input.type' });

afterEach(() => {
  view?.destroy();
  view = null;
});

describe('both ways', () => {
  it('tells the client at once what is typed', () => {
    const client = new SharedText('one');
    insert(edit(client), 3, ' two');
    expect(client.view.text).toBe('one two');
    expect(client.typed).toEqual([[3, [0, ' two']]]);
  });

  it('shows what others do, and does not tell them again', async () => {
    const client = new SharedText('one');
    const editor = edit(client);
    client.others('one\nand more');
    await settled();
    expect(editor.state.doc.toString()).toBe('one\nand more');
    expect(client.typed).toEqual([]);
  });

  it('takes the text of the client where it begins with another', async () => {
    const client = new SharedText('what the client has');
    const editor = edit(client, {}, 'something else');
    await settled();
    expect(editor.state.doc.toString()).toBe('what the client has');
    expect(client.typed).toEqual([]);
  });

  it('hears nothing more when it is gone', () => {
    const client = new SharedText('one');
    const editor = edit(client);
    expect(client.listening).toBe(1);
    editor.destroy();
    expect(client.listening).toBe(0);
  });
});

describe('undo', () => {
  it('takes back one’s own typing alone, wherever it is by then', async () => {
    const client = new SharedText('The text.');
    const editor = edit(client);
    insert(editor, 9, ' Mine.');
    client.others('Theirs. The text. Mine.');
    await settled();
    undo(editor);
    expect(client.view.text).toBe('Theirs. The text.');
    expect(undo(editor)).toBe(false);
    redo(editor);
    expect(client.view.text).toBe('Theirs. The text. Mine.');
  });
});

describe('what never goes in', () => {
  it('takes carriage returns for line ends', () => {
    const client = new SharedText('');
    insert(edit(client), 0, 'a\r\nb\rc');
    expect(client.view.text).toBe('a\nb\nc');
  });

  it.each([
    ['half a pair', { from: 0, insert: '\ud83c' }],
    ['the halves of two', { from: 0, insert: '\udf0a\ud83c' }],
    ['what splits a pair', { from: 3, insert: 'x' }],
    ['what takes half of a pair away', { from: 2, to: 3 }],
  ])('refuses %s', (_what, changes) => {
    const client = new SharedText('a 🌊');
    const editor = edit(client);
    editor.dispatch({ changes });
    expect(editor.state.doc.toString()).toBe('a 🌊');
    expect(client.typed).toEqual([]);
  });

  it.each([
    [0, 0, '🏔️'],
    [2, 4, ''],
    [4, 4, '🌊'],
    [2, 2, '👩‍👩‍👧'],
  ])('takes whole characters, at %i to %i', (from, to, text) => {
    const client = new SharedText('a 🌊');
    const editor = edit(client);
    editor.dispatch({ changes: { from, to, insert: text } });
    expect(client.view.text).toBe(`${'a 🌊'.slice(0, from)}${text}${'a 🌊'.slice(to)}`);
  });
});

describe('a composition', () => {
  it('is not torn up by changes of its line, which are shown when it is over', async () => {
    const client = new SharedText('line one\nline two');
    const editor = edit(client);
    editor.dispatch({ selection: { anchor: 4 } });
    compose(editor, true);
    client.others('LINE one\nline two');
    await settled();
    expect(editor.state.doc.toString()).toBe('line one\nline two');
    insert(editor, 8, '!');
    expect(client.view.text).toBe('LINE one!\nline two');
    compose(editor, false);
    insert(editor, 9, '?');
    await settled();
    expect(editor.state.doc.toString()).toBe('LINE one!?\nline two');
    expect(client.view.text).toBe('LINE one!?\nline two');
  });

  it('does not hold up changes of other lines', async () => {
    const client = new SharedText('line one\nline two');
    const editor = edit(client);
    compose(editor, true);
    client.others('line one\nline 2');
    await settled();
    expect(editor.state.doc.toString()).toBe('line one\nline 2');
  });
});

describe('carets', () => {
  it('are told where they move by one’s own doing, and not where others push them', async () => {
    const client = new SharedText('text');
    const told: unknown[] = [];
    const editor = edit(client, { onCaret: (caret) => told.push(caret) });
    editor.focus();
    told.length = 0;
    editor.dispatch({ selection: { anchor: 2, head: 4 } });
    client.others('more text');
    await settled();
    expect(told).toEqual([{ anchor: 2, head: 4 }]);
    editor.destroy();
    expect(told.at(-1)).toBe(null);
  });

  it('cost no text where the page that is told of them fails', () => {
    const client = new SharedText('text');
    const reported: (() => void)[] = [];
    let isBroken = false;
    const editor = edit(client, {
      onCaret: () => {
        if (isBroken) throw new Error('too deep');
      },
    });
    vi.stubGlobal('queueMicrotask', (run: () => void) => reported.push(run));
    isBroken = true;
    insert(editor, 0, 'my ');
    insert(editor, 0, 'All ');
    vi.unstubAllGlobals();
    isBroken = false;
    expect(client.view.text).toBe('All my text');
    expect(reported.at(-1)).toThrow('too deep');
  });

  it('of others are shown, and move along with what one types', async () => {
    const client = new SharedText('text');
    const editor = edit(client);
    client.caretOf('ann', 4);
    await settled();
    expect(caretsIn(editor.state)).toMatchObject([{ member: 'ann', anchor: 4, head: 4 }]);
    insert(editor, 0, 'my ');
    expect(caretsIn(editor.state)).toMatchObject([{ anchor: 7 }]);
    client.caretOf('ann', null);
    await settled();
    expect(caretsIn(editor.state)).toEqual([]);
  });

  it('of one’s own page are not', async () => {
    const client = new SharedText('text');
    const editor = edit(client);
    client.caretOf('me', 2);
    await settled();
    expect(caretsIn(editor.state)).toEqual([]);
  });
});

describe('whatever comes', () => {
  it.each([...seeds(8)])('both hold the same text in the end, seed $seed', async ({ below }) => {
    const upTo = (limit: number) => below(limit + 1);
    const client = new SharedText('one line\nanother line\nand 🌊 a third');
    const editor = edit(client);
    for (let turn = 0; turn < 200; turn++) {
      const sign = `${turn % 10}${upTo(3) === 0 ? '\n' : ''}`;
      const length = editor.state.doc.length;
      const at = upTo(length);
      const kind = upTo(6);
      if (kind === 0) compose(editor, upTo(1) === 0);
      else if (kind === 1) undo(editor);
      else if (kind === 2) editor.dispatch({ changes: { from: at, to: Math.min(length, at + upTo(4)) } });
      else if (kind === 3) editor.dispatch({ selection: { anchor: at } });
      else if (kind === 4) {
        const { text } = client.view;
        const place = Array.from(text).slice(0, upTo(text.length)).join('').length;
        client.others(text.slice(0, place) + sign + text.slice(place));
      } else insert(editor, at, sign);
      if (upTo(2) === 0) await settled();
    }
    compose(editor, false);
    editor.dispatch({});
    await settled();
    expect(editor.state.doc.toString()).toBe(client.view.text);
    expect(client.view.text).not.toMatch(/\p{Surrogate}/u);
  });
});
