import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { NODE_TYPES } from '../src/protocol/types';

interface Contract {
  components: { schemas: Record<string, { properties: Record<string, { enum?: string[] }> }> };
}

const CONTRACT = path.resolve(import.meta.dirname, '../../docs/openapi.json');
const { schemas } = (JSON.parse(readFileSync(CONTRACT, 'utf8')) as Contract).components;

describe('the contract', () => {
  it.each([
    ['DefineType', 'type'],
    ['TypeDefinition', 'base'],
  ])('gives %s the node types that this page knows, but for groups', (shape, field) => {
    expect(NODE_TYPES.filter((type) => type !== 'group')).toEqual(schemas[shape]?.properties[field]?.enum);
  });
});
