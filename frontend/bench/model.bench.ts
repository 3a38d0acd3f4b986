// @vitest-environment jsdom
/** How long the page's model takes over what is large or hostile. Not part of the tests. */
import { expect, it } from 'vitest';
import { drawingOf } from '../src/model/drawing/drawing';
import { svgOf } from '../src/model/export/svg';
import { nodeLinksIn } from '../src/model/text/links';
import { ALMOST_LINKS, largestDiagram, longChain } from '../tests/large';

const CASES: [name: string, bound: number, run: () => unknown][] = [
  ['draws 5,000 nodes and 10,000 edges', 5000, () => drawingOf(largestDiagram())],
  ['exports 1,000 nodes as SVG', 3000, () => svgOf(drawingOf(longChain()))],
  ['finds no link in text that looks like many', 2000, () => nodeLinksIn(ALMOST_LINKS)],
];

it.each(CASES)('%s', (name, bound, run) => {
  const started = performance.now();
  run();
  const took = performance.now() - started;
  console.log(`${name}: ${took.toFixed(0)} ms, at most ${bound} ms`);
  expect(took).toBeLessThan(bound);
});
