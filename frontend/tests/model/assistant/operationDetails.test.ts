import { expect, it } from 'vitest';
import { operationDetails } from '../../../src/model/assistant/operationDetails';

it('says which words of the document would change', () => {
  const edit = { op: 'edit_section', section: '## Plan', find: '30\n seconds', replace: '20 seconds' };
  expect(operationDetails('edit_section', edit)).toBe('“30 seconds” → “20 seconds”');
  expect(operationDetails('edit_section', { ...edit, replace: '' })).toBe('“30 seconds” → nothing');
  expect(operationDetails('append_to_section', { section: '## Plan', text: '- Keys are rotated.' })).toBe(
    '“- Keys are rotated.”',
  );
  expect(operationDetails('replace_section', { section: '## Plan', text: 'Later.' })).toBe('now “Later.”');
  expect(operationDetails('insert_section', { title: 'Costs' })).toBe('');
});

it('says which values fields would have', () => {
  const node = {
    op: 'update_node',
    id: 'orders',
    label: 'Basket',
    technology: null,
    position: { x: 1, y: 2 },
  };
  expect(operationDetails('update_node', node)).toBe('name “Basket”, no technology');
  const image = `images/${'a'.repeat(64)}.png`;
  expect(operationDetails('update_node', { op: 'update_node', id: 'orders', image })).toBe('an image');
  expect(operationDetails('update_node', { op: 'update_node', id: 'orders', image: null })).toBe('no image');
  const edge = { op: 'update_edge', source: 'a', target: 'b', current_label: 'old', label: 'pays' };
  expect(operationDetails('update_edge', edge)).toBe('label “pays”');
});

it('cuts what is long, by whole characters, and says nothing of what it does not know', () => {
  const words = operationDetails('append_to_section', { text: '🚀'.repeat(200) });
  expect([...words]).toHaveLength(82);
  expect(words).toMatch(/🚀…”$/);
  expect(operationDetails('delete_node', { id: 'orders' })).toBe('');
  expect(operationDetails('edit_section', null)).toBe('');
});
