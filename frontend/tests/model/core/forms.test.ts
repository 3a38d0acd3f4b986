/** The forms of operations are those of the contract, and operations are read by them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formsOf } from '../../../scripts/forms.mjs';
import { readOperation } from '../../../src/model/core/forms';
import { OPERATION_FORMS } from '../../../src/protocol/forms';
import type { Operation } from '../../../src/protocol/live';

const schema: unknown = JSON.parse(readFileSync('../docs/operations.schema.json', 'utf8'));
const read = (operation: object) => readOperation(operation as Operation);

describe('forms of operations', () => {
  it('are those of the contract: `make schema` was run after its last change', () => {
    expect(OPERATION_FORMS).toEqual(formsOf(schema));
  });

  it('bring values into the form in which they are stored', () => {
    const position = { x: 1.005, y: -0 };
    const given = { op: 'add_node', type: 'robot', label: ' \u0085Web ', notes: null, position };
    expect(read(given)).toEqual({ ...given, label: 'Web', position: { x: 1, y: 0 } });
    const routes = { e: [{ x: 0, y: 0.001 }], f: null };
    const moved = { op: 'move_nodes', positions: { a: { x: 0, y: 1 } }, routes };
    expect(read(moved)).toEqual({ ...moved, routes: { e: [{ x: 0, y: 0 }], f: null } });
  });

  it.each([
    [{ op: 'edit_section', section: 'A', find: 'a', replace: 'b' }, /resolved by the server/],
    [{ op: 'add_node', type: 'web' }, /'label' is missing/],
    [{ op: 'add_node', type: 'web', label: 'A', colour: 'red' }, /no field 'colour'/],
    [{ op: 'add_node', type: 'web', label: null }, /'label'.*text/],
    [{ op: 'add_node', type: 'web', label: 'a'.repeat(121) }, /at most 120/],
    [{ op: 'add_node', type: 'web', label: 'A', position: { x: 1e7, y: 0 } }, /between/],
    [{ op: 'add_node', type: 'web', label: 'A', position: { x: 1 } }, /x and y/],
    [{ op: 'add_node', type: 'web', label: 'A', locked: 1 }, /true or false/],
    [{ op: 'add_node', type: 'web', label: 'A', properties: { '': 'x' } }, /at least 1/],
    [{ op: 'update_node', id: 'a', properties: { k: 1 } }, /text/],
    [{ op: 'add_edge', source: 'a', target: 'b', kind: 'maybe' }, /one of sync/],
    [{ op: 'delete_node', id: 'a', bridge: null }, /true or false/],
    [{ op: 'delete_nodes', ids: [] }, /1 to 500/],
    [{ op: 'move_to_group', ids: ['a'] }, /'group' is missing/],
  ])('refuse %j', (operation, message) => {
    expect(() => read(operation)).toThrow(message);
  });
});
