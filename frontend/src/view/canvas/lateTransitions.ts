/**
 * Stands for `d3-transition` where `d3-zoom` imports it (scripts/lighterD3.mjs): animated moves of the canvas are loaded
 * later than the canvas. Until then a move arrives at once, as where people want no motion.
 */
import { type BaseType, type Selection, select, selection } from 'd3-selection';

type Elements = Selection<BaseType, unknown, BaseType, unknown>;

/** Loading it gives selections its methods in place of those below. */
export const loadTransitions = () => import('d3-transition');

/** Stops what moves an element. */
export function interrupt(element: BaseType): void {
  select(element).interrupt();
}

const { prototype } = selection;

// Not where it has been loaded already, as while developing. Nothing moves yet, so there is nothing to stop.
prototype.interrupt ??= function interrupted(this: Elements) {
  return this;
};

// React Flow asks for a transition with a duration; it gets the selection itself, as it uses without one.
prototype.transition ??= function transition(this: Elements) {
  void loadTransitions().catch(() => undefined);
  const atOnce = {
    duration: () => atOnce,
    ease: () => atOnce,
    on: (_: 'end', arrive: () => void) => {
      arrive();
      return this;
    },
  };
  return atOnce;
};
