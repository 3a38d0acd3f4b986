/** What stands in place of marks in live preview: bullets, boxes of tasks, icons of nodes, rules. */

import icons from 'virtual:type-icons';
import { WidgetType } from '@codemirror/view';

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  depth?: number,
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.className = className;
  if (depth !== undefined) made.style.setProperty('--depth', String(depth));
  return made;
}

export class Bullet extends WidgetType {
  constructor(private readonly depth: number) {
    super();
  }

  override eq(other: Bullet): boolean {
    return other.depth === this.depth;
  }

  override toDOM(): HTMLElement {
    const bullet = element('span', 'live-prefix live-bullet', this.depth);
    bullet.textContent = ['•', '◦', '▪'][(this.depth - 1) % 3] as string;
    bullet.setAttribute('aria-hidden', 'true');
    return bullet;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

export class Checkbox extends WidgetType {
  constructor(
    private readonly isDone: boolean,
    private readonly depth: number,
    private readonly words: string,
  ) {
    super();
  }

  override eq(other: Checkbox): boolean {
    return other.isDone === this.isDone && other.depth === this.depth && other.words === this.words;
  }

  override toDOM(): HTMLElement {
    const place = element('span', 'live-prefix live-task', this.depth);
    const box = place.appendChild(element('input', 'task-box live-checkbox'));
    box.type = 'checkbox';
    // Reached by the text, where its mark is typed.
    box.tabIndex = -1;
    this.dress(box);
    return place;
  }

  override updateDOM(place: HTMLElement): boolean {
    const box = place.querySelector('input');
    if (!box) return false;
    place.style.setProperty('--depth', String(this.depth));
    this.dress(box);
    return true;
  }

  private dress(box: HTMLInputElement): void {
    box.checked = this.isDone;
    box.setAttribute('aria-label', this.words.trim() || 'task');
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

/** The icon at the beginning of a link to a node; null is the type of one that is missing. */
export class NodeIcon extends WidgetType {
  constructor(
    private readonly type: string | null,
    private readonly isMention: boolean,
  ) {
    super();
  }

  override eq(other: NodeIcon): boolean {
    return other.type === this.type && other.isMention === this.isMention;
  }

  override toDOM(): HTMLElement {
    const icon = element('span', 'live-node-icon');
    icon.classList.toggle('is-missing', this.type === null);
    icon.classList.toggle('is-mention', this.isMention);
    icon.append(nodeIcon(this.type));
    return icon;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

/** The icon of a node type as a picture. */
export function nodeIcon(type: string | null): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  // Shapes that the build has made of our own icons.
  svg.innerHTML = icons[type ?? 'other'] ?? icons.other ?? '';
  return svg;
}

export class Rule extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    return element('hr', 'live-rule');
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

/** Maths as it is written, until it is drawn (`maths.ts`). */
export function mathsPlace(source: string): HTMLElement {
  const place = element('span', source.startsWith('$$') ? 'maths maths-block' : 'maths');
  place.appendChild(document.createElement('code')).textContent = source;
  return place;
}
