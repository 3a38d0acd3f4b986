/** What fields of choice offer: types, kinds, directions, groups, nodes. */

import type { Scene } from '../../model/gestures/scene';
import { groupsFor } from '../../model/gestures/ungroup';
import { DIRECTION_NAMES, KIND_NAMES, TYPE_CATEGORIES, TYPE_NAMES } from '../../model/words/kinds';
import { SHAPE_NAMES } from '../../model/words/looks';

export const listed = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, text]) => ({ value, text }));

export const TYPE_CHOICES = TYPE_CATEGORIES.flatMap(({ types }) => types).map((type) => ({
  value: type as string,
  text: TYPE_NAMES[type] ?? type,
}));
export const KIND_CHOICES = listed(KIND_NAMES);
export const DIRECTION_CHOICES = listed(DIRECTION_NAMES);
export const SHAPE_CHOICES = listed(SHAPE_NAMES);

/** The groups that nodes may go to, the one they are in among them. */
export function groupChoices(scene: Scene, ids: Iterable<string>, own: string | null) {
  const groups = groupsFor(scene, ids);
  const current = own !== null && !groups.some(({ id }) => id === own) ? scene.nodes.get(own) : undefined;
  return [
    { value: '', text: 'No group' },
    ...[...(current ? [current] : []), ...groups].map(({ id, label }) => ({ value: id, text: label })),
  ];
}

/** All nodes but one, by name; with the id where names are the same. */
export function nodeChoices(scene: Scene, except: string) {
  const counts = new Map<string, number>();
  for (const { label } of scene.diagram.nodes) counts.set(label, (counts.get(label) ?? 0) + 1);
  return scene.diagram.nodes
    .filter(({ id }) => id !== except)
    .map(({ id, label }) => ({ value: id, text: (counts.get(label) ?? 0) > 1 ? `${label} (${id})` : label }))
    .sort((one, other) => one.text.localeCompare(other.text));
}
