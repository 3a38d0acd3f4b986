/**
 * What parts of the editor that are loaded at different times share: they tell each other by its state, and are given what the
 * editor has anyway. In one file, since the build makes one of it; whatever else a later part imported from the editor would
 * become a file of its own.
 */
import { type Extension, Facet, StateEffect, StateField } from '@codemirror/state';
import type { LinkTargets } from '../editorHandle';
import type { InlineParser } from './language';

/** Sent to an editor that is about to close: temporary decorations are removed, so that they are not kept with its state. */
export const editorClosing = StateEffect.define<null>();

export interface Stretch {
  from: number;
  to: number;
}

/**
 * Ranges whose source must be in sight, also where live preview would show them otherwise: those of proposed changes.
 * Without live preview nobody reads it.
 */
export const sourceShown = Facet.define<readonly Stretch[]>();

/** Sets the link targets. */
export const setLinkTargets = StateEffect.define<LinkTargets>();

export const linkTargets = StateField.define<LinkTargets>({
  create: () => ({ nodes: new Map(), selected: new Set() }),
  update(value, { effects }) {
    return effects.findLast((effect) => effect.is(setLinkTargets))?.value ?? value;
  },
});

/** What shows a node in the diagram. */
export const opensNode = Facet.define<(id: string) => void>();

/** The class and attributes of the words of a link to a node. */
export function pillOf(id: string, { nodes, selected }: LinkTargets) {
  const label = nodes.get(id)?.label;
  const isMissing = label === undefined;
  const classes = ['cm-nodeLink'];
  if (isMissing) classes.push('is-missing');
  if (selected.has(id)) classes.push('is-mention');
  const title = isMissing
    ? `There is no node “${id}” in the diagram`
    : `Ctrl and a click, or Alt+Enter: show ${label} in the diagram`;
  return { class: classes.join(' '), attributes: { title, 'data-node': id } };
}

/** What cells of tables are read and written with. */
export interface CellTools {
  inline: InlineParser;
  /** Language, looks, links and keys. */
  extensions: Extension;
}

export const cellTools = Facet.define<CellTools, CellTools | null>({ combine: ([tools]) => tools ?? null });
