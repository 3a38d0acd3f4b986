/** Runs of the assistant with their events, and open proposals, as text. */
import type { PageContext, Part } from './context';
import { element, type Row, Rows, section } from './dom';

type Facts = Readonly<Record<string, unknown>>;

export function assistantPart(context: PageContext): Part {
  const { client } = context;
  const runs = new Rows<Facts>({ id: 'runs' }, (id) => runRow(context, id));
  const proposals = new Rows<Facts>({ id: 'proposals' }, proposalRow);
  return {
    element: section(
      'assistant',
      'Assistant',
      element('h3', {}, 'Runs'),
      runs.list,
      element('h3', {}, 'Open proposals'),
      proposals.list,
    ),
    show(change) {
      if (!change || change.runs) runs.show(byId(client.runs));
      if (!change || change.proposals) proposals.show(byId(client.proposals));
    },
  };
}

const byId = (items: readonly Facts[]): [string, Facts][] => items.map((item) => [String(item.id), item]);

/** A run is watched as long as it is in the list. */
function runRow(context: PageContext, id: string): Row<Facts> {
  const words = element('span');
  const events = element('ol', { 'aria-label': 'Events' });
  const row = element('li', { 'data-run': id }, words, events);
  const end = context.client.watchRun(id, '0', (_event, event) => {
    events.append(element('li', {}, String((event as Facts).type)));
  });
  return {
    element: row,
    end,
    show(run) {
      row.dataset.status = String(run.status);
      const prompt = run.prompt ? `“${run.prompt}”` : 'somebody’s request';
      words.textContent = `${prompt}: ${run.status} ${(run.outcome as Facts | null)?.summary ?? ''}`;
    },
  };
}

function proposalRow(id: string): Row<Facts> {
  const row = element('li', { 'data-proposal': id });
  return {
    element: row,
    show(proposal) {
      row.dataset.fit = String(proposal.fit);
      row.textContent = `${proposal.summary || proposal.explanation}: ${proposal.fit}. ${proposal.reason}`;
    },
  };
}
