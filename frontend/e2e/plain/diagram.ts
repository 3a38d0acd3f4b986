/** The diagram as two lists, with a form for each thing that can be done to it. */

import type { EdgeRecord, NodeRecord } from '../../src/model/core/workspace';
import type { Operation } from '../../src/protocol/live';
import { NODE_TYPES } from '../../src/protocol/types';
import type { PageContext, Part } from './context';
import { button, element, fill, form, type Row, Rows, section } from './dom';

export function nodesPart(context: PageContext): Part {
  const rows = new Rows<NodeRecord>({ id: 'nodes' }, (id) => nodeRow(context, id));
  return {
    element: section('nodes', 'Nodes', rows.list, newNode(context)),
    show(change) {
      const { nodes } = context.client.view;
      if (!change || touches(change.nodes)) rows.show([...nodes].sort(byKey));
    },
  };
}

export function edgesPart(context: PageContext): Part {
  const rows = new Rows<EdgeRecord>({ id: 'edges' }, (id) => edgeRow(context, id));
  return {
    element: section('edges', 'Edges', rows.list, newEdge(context)),
    show(change) {
      const { edges } = context.client.view;
      if (!change || touches(change.edges)) rows.show([...edges].sort(byKey));
    },
  };
}

function nodeRow(context: PageContext, id: string): Row<NodeRecord> {
  const send = (operation: Operation) => void context.follow(context.client.edit([operation]));
  const words = element('strong');
  const label = element('input', { name: 'label', 'aria-label': `Label of ${id}`, maxlength: 120 });
  const x = element('input', { name: 'x', type: 'number', step: 'any', 'aria-label': `x of ${id}` });
  const y = element('input', { name: 'y', type: 'number', step: 'any', 'aria-label': `y of ${id}` });
  const row = element(
    'li',
    { 'data-node': id, onfocusin: () => context.present({ selection: [id] }) },
    words,
    form(
      {},
      () => send({ op: 'update_node', id, label: label.value }),
      label,
      element('button', { 'aria-label': `Rename ${id}` }, 'Rename'),
    ),
    form(
      {},
      () => send({ op: 'move_nodes', positions: { [id]: { x: Number(x.value), y: Number(y.value) } } }),
      x,
      y,
      element('button', { 'aria-label': `Move ${id}` }, 'Move'),
    ),
    button('Delete', () => send({ op: 'delete_node', id }), `Delete ${id}`),
  );
  return {
    element: row,
    show(node) {
      const inside = node.parent === undefined ? '' : ` in ${node.parent}`;
      words.textContent = `${node.label} (${node.type}${inside})`;
      fill(label, node.label);
      fill(x, String(node.position.x));
      fill(y, String(node.position.y));
      Object.assign(row.dataset, { label: node.label, x: node.position.x, y: node.position.y });
    },
  };
}

/** Without an id or a position the server chooses them, and the node is there when it has answered. */
function newNode(context: PageContext): HTMLElement {
  return form(
    { id: 'new-node' },
    (fields, sent) => {
      const [id, x, y] = ['id', 'x', 'y'].map((name) => String(fields.get(name)));
      const operation = {
        op: 'add_node',
        type: fields.get('type'),
        label: String(fields.get('label')),
        ...(id ? { id } : {}),
        ...(x && y ? { position: { x: Number(x), y: Number(y) } } : {}),
      } as Operation;
      sent.reset();
      void context.follow(context.client.edit([operation]));
    },
    element('label', {}, 'Label ', element('input', { name: 'label', required: true, maxlength: 120 })),
    element('label', {}, 'Id ', element('input', { name: 'id', pattern: '[a-z0-9][a-z0-9_\\-]{0,63}' })),
    element(
      'label',
      {},
      'Type ',
      element('select', { name: 'type' }, ...NODE_TYPES.map((type) => option(type))),
    ),
    element('label', {}, 'x ', element('input', { name: 'x', type: 'number', step: 'any' })),
    element('label', {}, 'y ', element('input', { name: 'y', type: 'number', step: 'any' })),
    element('button', {}, 'Add node'),
  );
}

function edgeRow(context: PageContext, id: string): Row<EdgeRecord> {
  const send = (operation: Operation) => void context.follow(context.client.edit([operation]));
  const words = element('strong');
  const label = element('input', { name: 'label', 'aria-label': `Label of ${id}`, maxlength: 200 });
  const row = element(
    'li',
    { 'data-edge': id, onfocusin: () => context.present({ selection: [id] }) },
    words,
    form(
      {},
      () => send({ op: 'update_edge', id, label: label.value || null }),
      label,
      element('button', { 'aria-label': `Rename ${id}` }, 'Rename'),
    ),
    button('Turn round', () => send(turned(context, id)), `Turn round ${id}`),
    button('Delete', () => send({ op: 'delete_edge', id }), `Delete ${id}`),
  );
  return {
    element: row,
    show(edge) {
      words.textContent = `${edge.source} → ${edge.target} (${edge.kind ?? 'sync'})`;
      fill(label, edge.label ?? '');
      Object.assign(row.dataset, { label: edge.label ?? '', source: edge.source, target: edge.target });
    },
  };
}

function turned(context: PageContext, id: string): Operation {
  const edge = context.client.view.edges.get(id);
  return { op: 'rewire_edge', id, new_source: edge?.target ?? null, new_target: edge?.source ?? null };
}

function newEdge(context: PageContext): HTMLElement {
  return form(
    { id: 'new-edge' },
    (fields, sent) => {
      const [id, source = '', target = '', label] = ['id', 'source', 'target', 'label'].map((name) =>
        String(fields.get(name)),
      );
      sent.reset();
      const more = { ...(id ? { id } : {}), ...(label ? { label } : {}) };
      void context.follow(context.client.edit([{ op: 'add_edge', source, target, ...more }]));
    },
    element('label', {}, 'From ', element('input', { name: 'source', required: true })),
    element('label', {}, 'To ', element('input', { name: 'target', required: true })),
    element('label', {}, 'Label ', element('input', { name: 'label' })),
    element('label', {}, 'Id ', element('input', { name: 'id' })),
    element('button', {}, 'Add edge'),
  );
}

const option = (value: string): HTMLOptionElement => element('option', { value }, value);
const touches = (changed: ReadonlySet<string> | 'all'): boolean => changed === 'all' || changed.size > 0;
const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;
