/** The newest commits as they come, and the ways back: undo, redo, revert. */
import type { Commit } from '../../src/protocol/live';
import type { PageContext, Part } from './context';
import { button, element, form, section } from './dom';

const SHOWN = 20;

export function pastPart(context: PageContext): Part {
  const { client } = context;
  const list = element('ol', { id: 'commits' });
  const ask = (asked: ReturnType<typeof client.undo>) => void context.follow(asked);
  const everybody = () => ask(client.undo({ scope: 'all' }));
  return {
    element: section(
      'commits',
      'What has happened',
      element(
        'p',
        {},
        button('Undo', () => ask(client.undo()), 'Undo my last change'),
        button('Undo anybody’s', everybody, 'Undo anybody’s last change'),
        button('Redo', () => ask(client.redo())),
      ),
      revertForm(context),
      list,
    ),
    show(change) {
      for (const commit of change?.commits ?? []) list.prepend(commitRow(context, commit));
      while (list.children.length > SHOWN) list.lastElementChild?.remove();
    },
  };
}

function commitRow(context: PageContext, { rev, by, what, why, kind, left_out }: Commit): HTMLElement {
  const left = left_out.map((part) => ` Left out: ${part.what} (${part.why}).`).join('');
  return element(
    'li',
    { 'data-revision': rev, 'data-kind': kind, 'data-by': by.id },
    `${rev}. ${by.name}: ${what}${why ? ` — ${why}` : ''}${left} `,
    button('Revert', () => void context.follow(context.client.revert(rev)), `Revert revision ${rev}`),
  );
}

/** A range of what one person typed, or a commit that is no longer in the list. */
function revertForm(context: PageContext): HTMLElement {
  return form(
    { id: 'revert' },
    (fields) => {
      const upto = fields.get('upto');
      const options = { force: fields.has('force'), ...(upto ? { upto: Number(upto) } : {}) };
      void context.follow(context.client.revert(Number(fields.get('rev')), options));
    },
    element(
      'label',
      {},
      'Revision ',
      element('input', { name: 'rev', type: 'number', min: 1, required: true }),
    ),
    element('label', {}, 'up to ', element('input', { name: 'upto', type: 'number', min: 1 })),
    element('label', {}, element('input', { name: 'force', type: 'checkbox' }), ' overwrite later changes'),
    element('button', {}, 'Revert'),
  );
}
