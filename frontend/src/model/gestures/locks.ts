/** What locks forbid, in words. Pure. */
import type { Operation } from '../../protocol/live';
import type { Refusal } from './connect';
import type { Scene } from './scene';

/** Why these cannot be changed, with the names of what is locked; null where nothing is. */
export function lockRefusal(scene: Scene, ids: Iterable<string>, what: string): Refusal | null {
  const holders = [...new Set([...ids].flatMap((id) => holderOf(scene, id) ?? []))];
  if (holders.length === 0) return null;
  const names = holders.slice(0, 2).map((id) => `“${scene.labelOf(id)}”`);
  const more = holders.length - names.length;
  if (more > 0) names.push(more === 1 ? 'one more' : `${more} more`);
  const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return {
    refusal: `${what}: ${list} ${holders.length === 1 ? 'is' : 'are'} locked`,
    advice: `Unlock ${holders.length === 1 ? 'it' : 'them'} first.`,
  };
}

/** The node whose lock covers this one: itself or the outermost locked ancestor. */
export function holderOf(scene: Scene, id: string): string | null {
  const chain = [id, ...scene.groupsAround(id)].reverse();
  return chain.find((one) => scene.nodes.get(one)?.locked) ?? null;
}

/** Locks nodes, or unlocks them where all of them are locked; null where there is nothing to do. */
export function lockChange(scene: Scene, ids: Iterable<string>): Operation[] | Refusal {
  const nodes = [...ids].flatMap((id) => scene.nodes.get(id) ?? []);
  const locked = !nodes.every((node) => node.locked);
  const outer = nodes.flatMap(({ parent }) => (parent === null ? [] : [parent]));
  const refusal = lockRefusal(scene, outer, locked ? 'Nothing was locked' : 'Nothing was unlocked');
  if (refusal) return refusal;
  return nodes.filter((node) => node.locked !== locked).map(({ id }) => ({ op: 'update_node', id, locked }));
}
