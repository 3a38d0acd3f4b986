/** The search panel: one row to find, one to replace, all by keyboard. The search is CodeMirror's. */
import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  SearchQuery,
  setSearchQuery,
} from '@codemirror/search';
import { type EditorView, type Panel, runScopeHandlers, type ViewUpdate } from '@codemirror/view';

const MAX_COUNTED = 999;

/** Options of the search. */
const WAYS = [
  { name: 'caseSensitive', sign: 'Aa', label: 'Match case' },
  { name: 'wholeWord', sign: 'W', label: 'Whole words' },
  { name: 'regexp', sign: '.*', label: 'Regular expression' },
] as const;

export function findPanel(view: EditorView): Panel {
  return new FindPanel(view);
}

class FindPanel implements Panel {
  readonly dom = element('div', 'find-panel', { role: 'search', 'aria-label': 'Find in the document' });
  readonly top = true;
  private readonly wanted = field('Find', { 'main-field': 'true' });
  private readonly other = field('Replace with');
  private readonly count = element('span', 'find-count', { role: 'status' });
  private readonly ways = WAYS.map(({ name, sign, label }) => ({
    name,
    button: button(sign, label, () => this.toggle(name)),
  }));

  constructor(private readonly view: EditorView) {
    const find = element('div', 'find-row');
    find.append(
      this.wanted,
      this.count,
      ...this.ways.map(({ button: one }) => one),
      button('↑', 'Previous match', () => findPrevious(view)),
      button('↓', 'Next match', () => findNext(view)),
      button('×', 'Close find', () => closeSearchPanel(view)),
    );
    const replace = element('div', 'find-row');
    replace.append(
      this.other,
      button('Replace', 'Replace', () => replaceNext(view)),
      button('Replace all', 'Replace all', () => replaceAll(view)),
    );
    this.dom.append(find, replace);
    this.dom.addEventListener('keydown', (event) => this.pressed(event));
    for (const input of [this.wanted, this.other]) input.addEventListener('input', () => this.commit({}));
    this.show(getSearchQuery(view.state));
  }

  mount(): void {
    this.wanted.select();
  }

  update(update: ViewUpdate): void {
    const query = getSearchQuery(update.state);
    const isOther = update.transactions.some(({ effects }) => effects.some((one) => one.is(setSearchQuery)));
    if (isOther) this.show(query);
    else if (update.docChanged || update.selectionSet) this.tellCount(query);
  }

  private show(query: SearchQuery): void {
    if (this.wanted.value !== query.search) this.wanted.value = query.search;
    if (this.other.value !== query.replace) this.other.value = query.replace;
    for (const { name, button: one } of this.ways) one.setAttribute('aria-pressed', String(query[name]));
    this.wanted.setAttribute('aria-invalid', String(query.search !== '' && !query.valid));
    this.tellCount(query);
  }

  /** "2 of 5", "5", "None". */
  private tellCount(query: SearchQuery): void {
    this.count.textContent = query.search === '' ? '' : query.valid ? counted(this.view, query) : 'Not valid';
  }

  private toggle(name: (typeof WAYS)[number]['name']): void {
    this.commit({ [name]: !getSearchQuery(this.view.state)[name] });
  }

  private commit(changed: Partial<Record<(typeof WAYS)[number]['name'], boolean>>): void {
    const { caseSensitive, wholeWord, regexp } = getSearchQuery(this.view.state);
    const query = new SearchQuery({
      ...{ caseSensitive, wholeWord, regexp, ...changed },
      search: this.wanted.value,
      replace: this.other.value,
    });
    this.view.dispatch({ effects: setSearchQuery.of(query) });
  }

  private pressed(event: KeyboardEvent): void {
    if (runScopeHandlers(this.view, event, 'search-panel')) {
      event.preventDefault();
    } else if (event.key === 'Enter' && event.target === this.wanted) {
      event.preventDefault();
      (event.shiftKey ? findPrevious : findNext)(this.view);
    } else if (event.key === 'Enter' && event.target === this.other) {
      event.preventDefault();
      replaceNext(this.view);
    }
  }
}

function counted(view: EditorView, query: SearchQuery): string {
  const { from, to } = view.state.selection.main;
  let count = 0;
  let at = 0;
  const cursor = query.getCursor(view.state);
  for (let next = cursor.next(); !next.done && count < MAX_COUNTED; next = cursor.next()) {
    count += 1;
    if (next.value.from === from && next.value.to === to) at = count;
  }
  if (count === 0) return 'None';
  const all = count === MAX_COUNTED ? `${count}+` : String(count);
  return at ? `${at} of ${all}` : all;
}

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  attributes: Record<string, string> = {},
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.className = className;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

const field = (label: string, attributes: Record<string, string> = {}): HTMLInputElement =>
  element('input', 'find-field', {
    type: 'text',
    'aria-label': label,
    placeholder: label,
    autocomplete: 'off',
    spellcheck: 'false',
    ...attributes,
  });

function button(words: string, label: string, press: () => unknown): HTMLButtonElement {
  const made = element('button', 'find-button', { type: 'button', 'aria-label': label, 'data-tip': label });
  if (words === label) made.removeAttribute('data-tip');
  made.textContent = words;
  made.addEventListener('click', press);
  return made;
}
