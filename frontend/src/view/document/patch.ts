/**
 * Updates the children of an element, touching only the blocks that differ, so that scroll position and selection stay.
 */

/** Blocks as they were inserted: later changes to them in the page do not count as a difference. */
const asTheyCame = new WeakMap<Node, Node>();

/**
 * Replaces the children from the first to the last difference; the others stay.
 *
 * Returns the new elements. The fragment is emptied.
 */
export function patchChildren(target: Element, fresh: DocumentFragment): Element[] {
  const before = [...target.childNodes];
  const after = [...fresh.childNodes];
  let start = 0;
  while (start < before.length && start < after.length && areEqual(before[start], after[start])) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    areEqual(before[before.length - 1 - end], after[after.length - 1 - end])
  ) {
    end += 1;
  }
  const following = before[before.length - end] ?? null;
  for (const old of before.slice(start, before.length - end)) old.remove();
  const added = after.slice(start, after.length - end);
  for (const node of added) {
    asTheyCame.set(node, node.cloneNode(true));
    target.insertBefore(node, following);
  }
  fresh.replaceChildren();
  return added.filter((node) => node instanceof Element);
}

function areEqual(current: Node | undefined, fresh: Node | undefined): boolean {
  if (!current || !fresh) return false;
  return (asTheyCame.get(current) ?? current).isEqualNode(fresh);
}
