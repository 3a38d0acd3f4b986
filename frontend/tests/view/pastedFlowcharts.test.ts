// @vitest-environment jsdom
/** Which pastes are told of as flowcharts, and until when one counts as being there. */
import { history, undo } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchPastedFlowcharts } from '../../src/view/document/paste/watchPastedFlowcharts';

const CHART = 'flowchart LR\n  a --> b';
const OTHER = '```mermaid\ngraph TD\n  c --> d\n```';

let view: EditorView;
let told: string[];
let end: () => void;

const open = (state = EditorState.create({ doc: '# Plan\n\n', extensions: history() })): EditorView =>
  new EditorView({ parent: document.body, state });

function watch(): void {
  end = watchPastedFlowcharts(view, (source) => {
    told.push(source);
    return () => told.push(`without ${source.split('\n').at(-1)?.trim()}`);
  });
}

const put = (insert: string, userEvent = 'input.paste', from = view.state.doc.length, to = from): void =>
  view.dispatch({ changes: { from, to, insert }, userEvent });

beforeEach(() => {
  view = open();
  told = [];
  watch();
});

afterEach(() => {
  end();
  view.destroy();
});

describe('flowcharts that are pasted', () => {
  it('are told of, bare or in their block, and in place of what was selected', () => {
    put(CHART);
    put(OTHER, 'input.paste', 0, view.state.doc.length);
    expect(told).toEqual([CHART, 'without a --> b', 'graph TD\n  c --> d']);
  });

  it.each([
    ['typed', CHART, 'input.type'],
    ['moved', CHART, 'move.drop'],
    ['a table', '| a |\n| --- |', 'input.paste'],
    ['words around it', `See ${CHART}`, 'input.paste'],
  ])('are not told of where it is %s', (_what, text, event) => {
    put(text, event);
    expect(told).toEqual([]);
  });

  it('are there until they are deleted, or their paste is undone', () => {
    put(CHART);
    const above = '# Plan\n\n'.length;
    put('above\n', 'input.type', above);
    put('!', 'input.type');
    expect(told).toEqual([CHART]);
    put('', 'delete', above + 'above\n'.length, view.state.doc.length - 1);
    expect(view.state.doc.toString()).toBe('# Plan\n\nabove\n!');
    expect(told).toEqual([CHART, 'without a --> b']);
    put(CHART, 'input.paste', 0);
    undo(view);
    expect(told.slice(2)).toEqual([CHART, 'without a --> b']);
  });

  it('are told of once where the editor is opened again, and no longer after the end', () => {
    put(CHART);
    end();
    expect(told).toEqual([CHART, 'without a --> b']);
    put(CHART);
    expect(told).toHaveLength(2);
    const { state } = view;
    view.destroy();
    view = open(state);
    watch();
    put(CHART);
    expect(told).toEqual([CHART, 'without a --> b', CHART]);
  });
});
