/** Changes that did not fit: what, why, and what can be done with them. */
import type { TrayItem } from '../../src/sync/client/client';
import type { PageContext, Part } from './context';
import { button, element, type Row, Rows, section } from './dom';

export function trayPart(context: PageContext): Part {
  const rows = new Rows<TrayItem>({ id: 'tray' }, (id) => trayRow(context, id));
  const none = element('p', {}, 'Nothing: everything has found its place.');
  return {
    element: section('tray', 'Changes that did not fit', none, rows.list),
    show(change) {
      if (change && !change.tray) return;
      none.hidden = context.client.tray.length > 0;
      rows.show(context.client.tray.map((item) => [item.id, item]));
    },
  };
}

function trayRow(context: PageContext, id: string): Row<TrayItem> {
  const words = element('p');
  const content = element('pre', { tabindex: 0, 'aria-label': 'Its content' });
  const row = element(
    'li',
    { 'data-tray': id },
    words,
    content,
    button('Apply again', () => context.client.applyAgain(id)),
    button('Copy', () => void copy(context, content.textContent ?? '')),
    button('Discard', () => context.client.discard(id)),
  );
  return {
    element: row,
    show(item) {
      row.dataset.code = item.code;
      words.textContent = `${item.what}. ${item.why}`;
      content.textContent = contentOf(item);
    },
  };
}

const contentOf = ({ text, operations }: TrayItem): string =>
  text ? text.inserted.join('\n') : JSON.stringify(operations ?? [], null, 2);

async function copy(context: PageContext, content: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(content);
    context.say('Copied.');
  } catch {
    context.say('The browser does not let this page copy: mark the text and copy it by hand.', 'failed');
  }
}
