/** The head of the page: the workspace's name, and how things stand, in words and in `data-` attributes for tests. */
import type { PageContext, Part } from './context';
import { element, fill, form } from './dom';

const SAVING = {
  saved: 'Saved',
  saving: 'Saving…',
  offline: 'Offline, kept here',
  not_saving: 'Not saving',
} as const;

export function barPart(context: PageContext): Part {
  const { client } = context;
  const title = element('h1');
  const status = element('p', { id: 'status' });
  const name = element('input', { name: 'name', maxlength: 200 });
  const rename = form(
    { id: 'rename-workspace' },
    () => context.follow(client.edit([{ op: 'rename_workspace', name: name.value }])),
    element('label', {}, 'Name ', name),
    element('button', {}, 'Rename the workspace'),
  );
  return {
    element: element('header', {}, title, status, rename, context.outcome),
    show(change) {
      if (!change || change.name) {
        title.textContent = client.view.name || 'Draftsmith, plain';
        document.title = `${client.view.name} · plain`;
        fill(name, client.view.name);
      }
      const { connection, pending, saving, reason } = client.status;
      Object.assign(status.dataset, { connection, saving, pending, revision: client.revision });
      const parts = [
        SAVING[saving],
        `revision ${client.revision}`,
        pending && `${pending} on the way`,
        reason,
      ];
      status.textContent = parts.filter(Boolean).join(' · ');
    },
  };
}
