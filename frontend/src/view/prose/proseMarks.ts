/** What is done to the blocks of the read half after they came in: marks of links, ticks of tasks, anchors, a flash. */
import type { DiagramNode } from '../../protocol/types';

export interface LinkMarks {
  nodes: ReadonlyMap<string, DiagramNode>;
  selected: ReadonlySet<string>;
}

/** Show which links lead to what is selected, and which lead nowhere. */
export function markLinks(prose: Element, { nodes, selected }: LinkMarks): void {
  for (const link of prose.querySelectorAll<HTMLElement>('a.node-link')) {
    const id = link.dataset.node ?? '';
    const label = nodes.get(id)?.label;
    link.classList.toggle('missing', label === undefined);
    link.classList.toggle('is-mention', selected.has(id));
    link.title =
      label === undefined ? `There is no node “${id}” in the diagram` : `Show ${label} in the diagram`;
    if (selected.has(id)) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

/** Make boxes of tasks that can be ticked, by pointer and keyboard. */
export function makeTasks(prose: Element, isWritable: boolean): void {
  for (const box of prose.querySelectorAll<HTMLElement>('.task-box')) {
    const tick = box instanceof HTMLInputElement ? box : tickFor(box);
    tick.disabled = !isWritable;
  }
}

function tickFor(box: HTMLElement): HTMLInputElement {
  const tick = document.createElement('input');
  tick.type = 'checkbox';
  tick.className = 'task-box';
  tick.defaultChecked = box.classList.contains('done');
  tick.setAttribute('aria-label', wordsOf(box.closest('li')));
  box.replaceWith(tick);
  return tick;
}

/** What an item says, without the items in it. */
function wordsOf(item: Element | null): string {
  const copy = item?.cloneNode(true) as Element | undefined;
  for (const list of copy?.querySelectorAll('ul, ol') ?? []) list.remove();
  return copy?.textContent?.trim().replace(/\s+/g, ' ') || 'Task';
}

/** Give headings a sign that links to them. The outline is the way for keyboards. */
export function anchorHeadings(blocks: readonly Element[]): void {
  for (const block of blocks) {
    const anchor = block.getAttribute('data-anchor');
    if (!anchor) continue;
    const link = document.createElement('a');
    link.className = 'heading-anchor';
    link.href = `#${anchor}`;
    link.textContent = '#';
    link.tabIndex = -1;
    link.setAttribute('aria-hidden', 'true');
    block.append(link);
  }
}

const FRAMES = 'pre, .table-frame, .maths-block';

/**
 * Let the keyboard scroll code, tables and maths that are wider than the page, now and whenever that changes. Each is measured when
 * its own size changes or is first known, so that what changes elsewhere in a long document costs nothing here.
 */
export function reachWide(prose: Element): () => void {
  const wide = new Set<Element>();
  const measured = new ResizeObserver((entries) => {
    for (const { target } of entries)
      if (target.scrollWidth > target.clientWidth) wide.add(target);
      else wide.delete(target);
    name();
  });
  const name = () => {
    let count = 0;
    for (const frame of prose.querySelectorAll(FRAMES)) {
      const isWide = wide.has(frame);
      if (isWide) count += 1;
      const what = frame.tagName === 'PRE' ? 'Code' : frame.matches('.maths') ? 'Maths' : 'Table';
      set(frame, 'tabindex', isWide ? '0' : null);
      set(frame, 'role', isWide ? 'region' : null);
      set(frame, 'aria-label', isWide ? `${what} wider than the page, ${count}` : null);
    }
  };
  const each = (nodes: Iterable<Node>, act: (frame: Element) => void) => {
    for (const node of nodes)
      if (node instanceof Element)
        for (const frame of [...(node.matches(FRAMES) ? [node] : []), ...node.querySelectorAll(FRAMES)])
          act(frame);
  };
  const observe = (nodes: Iterable<Node>) => each(nodes, (frame) => measured.observe(frame));
  const changes = new MutationObserver((records) => {
    for (const { addedNodes, removedNodes } of records) {
      each(removedNodes, (frame) => {
        measured.unobserve(frame);
        wide.delete(frame);
      });
      observe(addedNodes);
    }
  });
  changes.observe(prose, { childList: true, subtree: true });
  observe(prose.children);
  return () => {
    measured.disconnect();
    changes.disconnect();
  };
}

function set(element: Element, name: string, value: string | null): void {
  if (value === element.getAttribute(name)) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

const FLASH_MS = 2000;

/** Point out a block. */
export function flash(block: Element): void {
  block.classList.add('is-new');
  setTimeout(() => block.classList.remove('is-new'), FLASH_MS);
}
