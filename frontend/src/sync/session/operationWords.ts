/** Operations in words, for refused changes. Pure; the words of the history are the server's. */
import type { Operation } from '../../protocol/live';

const MAX_NAMED = 3;

/** What a batch was to do, in a sentence without its full stop. */
export function wordsForOperations(operations: readonly Operation[]): string {
  const parts = operations.slice(0, MAX_NAMED).map(wordsFor);
  const rest = operations.length - parts.length;
  if (rest > 0) parts.push(`${rest} more ${rest === 1 ? 'change' : 'changes'}`);
  return parts.join('; ');
}

function wordsFor(operation: Operation): string {
  const facts = operation as unknown as Record<string, unknown>;
  const name = (field: string) => `“${String(facts[field] ?? '')}”`;
  switch (operation.op) {
    case 'add_node':
      return `Add ${name('label')}`;
    case 'update_node':
      return facts.label === undefined ? `Change ${name('id')}` : `Rename ${name('id')} to ${name('label')}`;
    case 'delete_node':
      return `Delete ${name('id')}`;
    case 'delete_nodes':
      return `Delete ${counted(facts.ids)}`;
    case 'move_nodes':
      return `Move ${counted(facts.positions)}`;
    case 'add_edge':
      return `Connect ${name('source')} to ${name('target')}`;
    case 'update_edge':
    case 'delete_edge':
    case 'rewire_edge':
      return `${EDGE_VERBS[operation.op]} the connection ${edgeName(facts)}`;
    case 'group_nodes':
      return `Group ${counted(facts.ids)} as ${name('label')}`;
    case 'move_to_group':
      return facts.group === null
        ? `Take ${counted(facts.ids)} out of the group`
        : `Put ${counted(facts.ids)} into ${name('group')}`;
    case 'rename_workspace':
      return `Rename the workspace to ${name('name')}`;
    default:
      return plainWords(operation.op, facts);
  }
}

const EDGE_VERBS = { update_edge: 'Change', delete_edge: 'Delete', rewire_edge: 'Reconnect' };

function edgeName(facts: Record<string, unknown>): string {
  return facts.id === undefined ? `from “${facts.source}” to “${facts.target}”` : `“${facts.id}”`;
}

/** "edit_section" becomes "Edit section “Overview”"; also for kinds that this page does not know. */
function plainWords(op: string, facts: Record<string, unknown>): string {
  const words = op.replaceAll('_', ' ');
  const about = facts.section ?? facts.title ?? facts.id;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${typeof about === 'string' ? ` “${about}”` : ''}`;
}

function counted(things: unknown): string {
  const ids = Array.isArray(things) ? things : Object.keys(things ?? {});
  return ids.length === 1 ? `“${ids[0]}”` : `${ids.length} nodes`;
}
