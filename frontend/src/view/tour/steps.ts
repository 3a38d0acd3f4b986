/** The steps of the tour. Steps without a visible element are skipped. */

import { type Keys, written } from '../commands/keys';
import type { Box, Side } from './pointer';

export interface Step {
  id: string;
  title: string;
  /** Keys are in backquotes. */
  text: string;
  /** The first that is visible is used. */
  things: readonly string[];
  /** In order of preference. */
  sides: readonly [Side, ...Side[]];
}

const keys = (name: Keys): string => `\`${written(name)}\``;

export const STEPS: readonly Step[] = [
  {
    id: 'draw',
    title: 'Draw',
    text: `Drag a node type from here onto the canvas, or press ${keys('/')} and say what you need. Drag from a node’s edge to connect it.`,
    things: ['.palette'],
    sides: ['right'],
  },
  {
    id: 'write',
    title: 'Write beside it',
    text: `Explain the design in Markdown. Type ${keys('@')} to link a node: a click on the link shows it in the diagram.`,
    things: ['#document'],
    sides: ['right', 'left', 'below'],
  },
  {
    id: 'ask',
    title: 'Ask, and undo',
    text: `Have the assistant change diagram and document: ${keys('Mod+J')}. Whatever it or anybody does stands in the history, and ${keys('Mod+Z')} takes back yours.`,
    things: ['.panel-switch button'],
    sides: ['below'],
  },
];

/** For a tall element the callout is near its top. */
const MAX_HEIGHT = 220;

export function thingOf({ things }: Step): Element | null {
  for (const selector of things) {
    const found = document.querySelector(selector);
    if (found && found.getBoundingClientRect().width > 0) return found;
  }
  return null;
}

export function boxOf(thing: Element): Box {
  const { left, top, width, height } = thing.getBoundingClientRect();
  return { left, top, width, height: Math.min(height, MAX_HEIGHT) };
}
