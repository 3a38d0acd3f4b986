/** Elements of the page; texts become text nodes, never markup. */

export function el(name: string, classes = '', ...children: (Node | string)[]): HTMLElement {
  const element = document.createElement(name);
  if (classes) element.className = classes;
  element.append(...children);
  return element;
}

export function button(label: string, classes: string, act: () => void): HTMLButtonElement {
  const element = el('button', classes, label) as HTMLButtonElement;
  element.type = 'button';
  element.addEventListener('click', act);
  return element;
}

/** A picture of ours as an element. Parsed as XML: what is no well-formed picture is not shown. */
export function picture(svg: string): Element {
  return document.importNode(new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement, true);
}
