/** Elements without a framework: made in one call, and lists whose rows stay while what they show is there. */

type Given = string | number | boolean | null | undefined | ((event: Event) => void);

/**
 * Make an element.
 *
 * @param attributes functions are listened with (`onclick`), true sets an attribute without a value, false, null and
 *   undefined leave it out
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Given> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name.replace(/^on/, ''), value);
    else if (value !== undefined && value !== null && value !== false)
      made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children);
  return made;
}

export const button = (label: string, onclick: () => void, name?: string): HTMLButtonElement =>
  element('button', { type: 'button', 'aria-label': name, onclick }, label);

/** A form that stays where it is when it is sent. */
export const form = (
  attributes: Record<string, Given>,
  send: (fields: FormData, form: HTMLFormElement) => void,
  ...children: (Node | string)[]
): HTMLFormElement =>
  element(
    'form',
    {
      ...attributes,
      onsubmit: (event) => {
        event.preventDefault();
        const sent = event.currentTarget as HTMLFormElement;
        send(new FormData(sent), sent);
      },
    },
    ...children,
  );

/** A part of the page with its heading. */
export const section = (id: string, title: string, ...children: (Node | string)[]): HTMLElement =>
  element(
    'section',
    { 'aria-labelledby': `${id}-title` },
    element('h2', { id: `${id}-title` }, title),
    ...children,
  );

/** Put a value into a field, unless somebody is writing in it. */
export function fill(field: HTMLInputElement, value: string): void {
  if (field.value !== value && document.activeElement !== field) field.value = value;
}

export interface Row<T> {
  element: HTMLElement;
  show(value: T): void;
  /** What it was about is gone, and so is the row. */
  end?(): void;
}

/** A list that keeps each row, with focus and half-written fields in it, for as long as its key is there. */
export class Rows<T> {
  readonly list: HTMLElement;
  private readonly rows = new Map<string, Row<T>>();

  constructor(
    attributes: Record<string, Given>,
    private readonly make: (key: string) => Row<T>,
  ) {
    this.list = element('ul', attributes);
  }

  show(items: Iterable<readonly [string, T]>): void {
    const gone = new Set(this.rows.keys());
    let next = this.list.firstElementChild;
    for (const [key, value] of items) {
      gone.delete(key);
      const row = this.rows.get(key) ?? this.make(key);
      this.rows.set(key, row);
      row.show(value);
      if (row.element === next) next = next.nextElementSibling;
      else this.list.insertBefore(row.element, next);
    }
    for (const key of gone) {
      const row = this.rows.get(key);
      row?.element.remove();
      row?.end?.();
      this.rows.delete(key);
    }
  }
}
