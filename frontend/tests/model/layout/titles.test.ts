import { describe, expect, it } from 'vitest';
import { titleOf } from '../../../src/model/drawing/drawing';
import { smallestGroup } from '../../../src/model/layout/elk/graph';
import { node } from '../../builders';

describe('the smallest size of a group', () => {
  it.each(['VPC', 'Customer Payment Request HTTPS', 'Residential Private Networks'])(
    'is as wide as its title: %s',
    (label) => {
      const { width } = smallestGroup(node('g', { type: 'group', label }));
      const title = titleOf({ x: 0, y: 0, width: 1000, height: 100 }, label);
      expect(width).toBeGreaterThan(title.width);
    },
  );
});
