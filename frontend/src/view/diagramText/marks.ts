/**
 * What is shown at lines: below some why they cannot be sent, which speak of what is selected, and what a proposal would make of
 * them. Not here: which lines these are (`openText.ts`).
 */
import { type EditorState, type Range, StateEffect, StateField, type Transaction } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';

/** By lines; the first is 0. */
export interface Marks {
  /** Lines of what is selected. */
  marked: ReadonlySet<number>;
  /** Lines that a proposal would take away. */
  going: ReadonlySet<number>;
  /** Lines that a proposal would bring, below others. */
  coming: ReadonlyMap<number, readonly string[]>;
  /** Why lines cannot be sent; null to leave what is shown. */
  problems: ReadonlyMap<number, string> | null;
}

export const setMarks = StateEffect.define<Marks>();

interface Shown {
  problems: DecorationSet;
  others: DecorationSet;
}

/** Words below a line that are no part of the text. */
class Note extends WidgetType {
  constructor(
    private readonly words: string,
    private readonly name: string,
  ) {
    super();
  }

  override eq(other: Note): boolean {
    return other.words === this.words && other.name === this.name;
  }

  toDOM(): HTMLElement {
    const note = document.createElement('div');
    note.className = this.name;
    note.textContent = this.words;
    return note;
  }
}

const field = StateField.define<Shown>({
  create: () => ({ problems: Decoration.none, others: Decoration.none }),
  update(shown, transaction) {
    const given = transaction.effects.findLast((effect) => effect.is(setMarks))?.value;
    const problems = given?.problems
      ? problemsOf(transaction.state, given.problems)
      : withoutEdited(shown.problems, transaction);
    const others = given ? othersIn(transaction.state, given) : shown.others.map(transaction.changes);
    return { problems, others };
  },
  provide: (self) => [
    EditorView.decorations.from(self, ({ problems }) => problems),
    EditorView.decorations.from(self, ({ others }) => others),
  ],
});

export const marks = field;

const styled = (state: EditorState, lines: Iterable<number>, name: string): Range<Decoration>[] =>
  [...lines]
    .filter((at) => at < state.doc.lines)
    .map((at) => Decoration.line({ class: name }).range(state.doc.line(at + 1).from));

function below({ doc }: EditorState, at: number, words: string, name: string): Range<Decoration>[] {
  if (at >= doc.lines) return [];
  const widget = new Note(words, name);
  return [Decoration.widget({ widget, block: true, side: 1 }).range(doc.line(at + 1).to)];
}

function problemsOf(state: EditorState, problems: ReadonlyMap<number, string>): DecorationSet {
  const notes = [...problems].flatMap(([at, why]) => below(state, at, why, 'text-problem'));
  return Decoration.set([...styled(state, problems.keys(), 'is-bad'), ...notes], true);
}

function othersIn(state: EditorState, { marked, going, coming }: Marks): DecorationSet {
  const notes = [...coming].flatMap(([at, lines]) => below(state, at, lines.join('\n'), 'text-coming'));
  return Decoration.set(
    [...styled(state, marked, 'is-marked'), ...styled(state, going, 'is-going'), ...notes],
    true,
  );
}

/** The problem of a line is gone as soon as that is written on. */
function withoutEdited(problems: DecorationSet, { changes, docChanged, state }: Transaction): DecorationSet {
  if (!docChanged || problems === Decoration.none) return problems;
  const edited = new Set<number>();
  changes.iterChangedRanges((_fromA, _toA, from, to) => {
    const [first, last] = [state.doc.lineAt(from).number, state.doc.lineAt(to).number];
    for (let line = first; line <= last; line++) edited.add(line);
  });
  return problems.map(changes).update({ filter: (from) => !edited.has(state.doc.lineAt(from).number) });
}
