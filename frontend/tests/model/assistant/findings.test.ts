import { describe, expect, it } from 'vitest';
import {
  type FindingView,
  findingFocus,
  findingName,
  findingState,
  passageOf,
  passageState,
} from '../../../src/model/assistant/findings';
import type { Finding } from '../../../src/protocol/types';

const TEXT = [
  'Before.',
  '# Shop',
  '## API',
  'It retries twice.',
  '## Storage',
  'It retries never.',
  '### Orders',
  'Orders are kept.',
  '## `Mail`',
  'It retries twice.',
  '',
].join('\n\n');

const view = (rest: Partial<FindingView> = {}): FindingView => ({
  text: TEXT,
  nodes: new Set(['api']),
  edges: new Set(['api--db']),
  ...rest,
});
const finding = (rest: Partial<Finding>): Finding => ({
  kind: 'section',
  id: '',
  section: '',
  evidence: '',
  why: '',
  name: '',
  ...rest,
});
const quoted = (section: string, evidence: string, text = TEXT) => {
  const place = passageOf(finding({ section, evidence }), text);
  return place && [text.slice(place.from, place.to), place.from];
};

describe('the passage of a finding', () => {
  it('is the quote in the section that it names, not an equal one elsewhere', () => {
    const [api, mail] = [TEXT.indexOf('It retries twice.'), TEXT.lastIndexOf('It retries twice.')];
    expect(quoted('# Shop ## API', 'It retries twice.')).toEqual(['It retries twice.', api]);
    expect(quoted('# Shop ## `Mail`', 'It retries twice.')).toEqual(['It retries twice.', mail]);
    expect(quoted('# Shop ## Storage', 'Orders are kept.')?.[0]).toBe('Orders are kept.');
    expect(quoted('', 'Before.')).toEqual(['Before.', 0]);
  });

  it('is the heading where the quote reads differently now', () => {
    expect(quoted('# Shop ## API', 'It retries three times.')?.[0]).toBe('## API');
  });

  it('is the quote where its section has another name, if it stands once', () => {
    expect(quoted('# Shop ## Gone', 'It retries never.')?.[0]).toBe('It retries never.');
    expect(quoted('# Shop ## Gone', 'It retries twice.')).toBeNull();
    expect(quoted('# Shop ## Gone', 'Nowhere.')).toBeNull();
  });

  it('is none where two sections have its path', () => {
    expect(quoted('# A', 'x', '# A\n\nx\n\n# A\n\nx\n')).toBeNull();
  });
});

describe('the state of a finding', () => {
  it('says what was deleted since', () => {
    const [node, edge] = [finding({ kind: 'node', id: 'api' }), finding({ kind: 'edge', id: 'api--db' })];
    expect([findingState(node, view()), findingState(edge, view())]).toEqual(['there', 'there']);
    const empty = view({ nodes: new Set(), edges: new Set() });
    expect([findingState(node, empty), findingState(edge, empty)]).toEqual(['gone', 'gone']);
    expect(findingState(finding({ kind: 'commit', id: '3' }), empty)).toBe('there');
  });

  it('tells a text that reads differently from one that is gone', () => {
    const one = finding({ section: '# Shop ## API', evidence: 'It retries twice.' });
    expect(passageState(one, TEXT)).toBe('there');
    expect(passageState(one, TEXT.replaceAll('twice', 'once'))).toBe('changed');
    expect(passageState(one, 'Nothing.')).toBe('gone');
  });
});

describe('a change for a finding', () => {
  it('is about what it names, as far as that is there', () => {
    const node = finding({ kind: 'node', id: 'api', section: '# Shop ## API' });
    expect(findingFocus(node, view())).toEqual({ nodes: ['api'], section: '# Shop ## API' });
    expect(findingFocus(node, view({ nodes: new Set() }))).toEqual({ section: '# Shop ## API' });
    expect(findingFocus(finding({ kind: 'edge', id: 'api--db' }), view())).toEqual({ edges: ['api--db'] });
    expect(findingFocus(finding({ kind: 'commit', id: '3' }), view())).toEqual({});
  });
});

it('is named as what it is about was called', () => {
  expect(findingName(finding({ kind: 'commit', id: '3', name: 'Deleted node A' }))).toBe(
    'r3: Deleted node A',
  );
  expect(findingName(finding({ kind: 'node', id: 'api', name: '' }))).toBe('api');
  expect(findingName(finding({}))).toBe('Before the first heading');
});
