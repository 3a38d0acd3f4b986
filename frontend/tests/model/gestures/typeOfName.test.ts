/** Which type a name says, for nodes whose type nobody has chosen. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TYPE_NAMES } from '../../../src/model/words/kinds';
import { typedByName, typeOfName, WORDS_IN_NAMES } from '../../../src/model/words/typeOfName';
import type { Operation } from '../../../src/protocol/live';
import { isAnnotation } from '../../../src/protocol/types';

const SERVER = '../backend/draftsmith/model/type_words.py';

describe('the type that a name says', () => {
  it.each([
    ['Orders DB', 'database'],
    ['redis-cart', 'cache'],
    ['paymentservice', 'service'],
    ['Queue worker', 'worker'],
    ['Auth service', 'service'],
    ['Payment gateway', 'gateway'],
    ['Next.js storefront', 'web'],
    ['frontend', 'web'],
    ['Kafka', 'stream'],
  ])('of “%s” is %s', (name, type) => expect(typeOfName(name)).toBe(type));

  it.each(['Checkout', 'loadgenerator', 'bulb', '', '注文'])('“%s” is none', (name) =>
    expect(typeOfName(name)).toBeNull(),
  );

  it('is the type itself for the name that each type is offered with', () => {
    for (const [type, name] of Object.entries(TYPE_NAMES))
      if (type !== 'group' && type !== 'other' && !isAnnotation(type))
        expect(typeOfName(`${name} 2`), name).toBe(type);
  });

  it('is said by the words by which the server guesses types', () => {
    const table = /_WORDS_OF: .*? = \{(.*?)\n\}/s.exec(readFileSync(SERVER, 'utf8'))?.[1] ?? '';
    const rows = [...table.matchAll(/"(\w+)": ((?:"[^"]*"\s*)+)/g)];
    const words = rows.map(([, type, texts]) => [type, (texts ?? '').match(/[a-z0-9]+/g)] as const);
    expect(words.length).toBeGreaterThan(15);
    const ours = Object.entries(WORDS_IN_NAMES).map(([type, text]) => [type, text.split(' ')] as const);
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(words));
  });
});

describe('what is sent', () => {
  it('has the types that names say, and others where they say none', () => {
    const added = (id: string, label: string): Operation => ({ op: 'add_node', id, type: 'database', label });
    const line: Operation = { op: 'add_edge', source: 'a', target: 'b' };
    const sent = typedByName([added('a', 'Cart service'), added('b', 'Checkout'), line]);
    expect(sent).toEqual([{ ...added('a', 'Cart service'), type: 'service' }, added('b', 'Checkout'), line]);
  });
});
