// @vitest-environment jsdom
/** The command palette: which entry Enter takes, at any moment. */
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Finder } from '../../src/view/commands/Finder';
import { allowDialogs, every } from './operate';

let root: Root;
let taken: string[];

const chosen = () => every('[cmdk-item][aria-selected="true"]').map(({ textContent }) => textContent);
const isChosen = (title: string) => vi.waitFor(() => expect(chosen()).toEqual([title]));
const field = () => document.querySelector('[cmdk-input]') as HTMLInputElement;

/** Draw it as React does in a browser: what follows from a key may come in a task of its own. */
const draw = (...titles: string[]) =>
  root.render(
    <Finder
      label="Search"
      commands={[]}
      places={titles.map((title) => ({
        id: title,
        title,
        group: 'Nodes',
        run: () => void taken.push(title),
      }))}
      typed="o"
      onClose={() => {}}
    />,
  );

function type(query: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field(), query);
  field().dispatchEvent(new Event('input', { bubbles: true }));
}

const enter = () => field().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));

beforeEach(() => {
  taken = [];
  allowDialogs();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
    },
  );
  Element.prototype.scrollIntoView = () => {};
  root = createRoot(document.body.appendChild(document.createElement('div')));
});

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

describe('Enter', () => {
  it('takes the first that is found, in the moment of the last letter', async () => {
    draw('Orders', 'Old stock', 'Stock');
    await isChosen('Orders');
    type('old');
    type('sto');
    enter();
    expect(taken).toEqual(['Stock']);
  });

  it('takes the first that is left, where others have removed what was chosen', async () => {
    draw('Orders', 'Order mail', 'Order log', 'Old orders');
    await isChosen('Orders');
    draw('Order log', 'Old orders');
    await isChosen('Order log');
    enter();
    expect(taken).toEqual(['Order log']);
  });

  it('takes what was chosen, where others have added what is found before it', async () => {
    draw('Orders of all', 'Orders of today');
    await isChosen('Orders of all');
    draw('Orders', 'Orders of all', 'Orders of today');
    await vi.waitFor(() => expect(every('[cmdk-item]')).toHaveLength(3));
    enter();
    expect(taken).toEqual(['Orders of all']);
  });
});
