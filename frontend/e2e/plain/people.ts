/** Who is here and where, in words; and a field over which the pointer is shown to the others. */
import type { Member, PresenceState } from '../../src/protocol/live';
import type { LiveClient } from '../../src/sync/client/client';
import type { PageContext, Part } from './context';
import { element, type Row, Rows, section } from './dom';

export function peoplePart(context: PageContext): Part {
  const { client } = context;
  const rows = new Rows<Member>({ id: 'people' }, (member) => personRow(client, member));
  return {
    element: section('people', 'Who is here', rows.list, pointerField(context)),
    // A caret moves with the text around it, so a change of the text is news of everybody's.
    show(change) {
      if (change && !change.members && !change.presence && !change.text) return;
      rows.show(client.members.map((member) => [member.member, member]));
    },
  };
}

function personRow(client: LiveClient, key: string): Row<Member> {
  const colour = element('span', { class: 'colour', 'aria-hidden': 'true' });
  const words = element('span');
  const row = element('li', { 'data-member': key }, colour, words);
  return {
    element: row,
    show({ member, id, name, color, state }) {
      const where = whereIs(client, state as PresenceState);
      colour.style.backgroundColor = color;
      Object.assign(row.dataset, { person: id, color, me: String(member === client.member), where });
      words.textContent = `${name}${member === client.member ? ' (this page)' : ''}${where ? `: ${where}` : ''}`;
    },
  };
}

function whereIs(client: LiveClient, { cursor, selection, caret, editing }: PresenceState): string {
  const here = caret ? client.caretHere(caret) : null;
  return [
    cursor && `points at ${cursor.x}, ${cursor.y}`,
    selection?.length && `has ${selection.join(', ')} selected`,
    editing && `writes in ${editing}`,
    here && (here.anchor === here.head ? `caret at ${here.head}` : `selects ${here.anchor} to ${here.head}`),
  ]
    .filter(Boolean)
    .join('; ');
}

function pointerField(context: PageContext): HTMLElement {
  return element(
    'div',
    {
      id: 'pointer-field',
      onpointermove: (event) => {
        const { offsetX, offsetY } = event as PointerEvent;
        context.present({ cursor: { x: Math.round(offsetX), y: Math.round(offsetY) } });
      },
      onpointerleave: () => context.present({ cursor: null }),
    },
    'Move the pointer here: the others see where it is.',
  );
}
