/** Links within the document: `#rollout-plan` leads to the heading "Rollout plan". */

/** The anchor of a heading, as code hosts make it: lower case, words joined by hyphens, other characters dropped. */
export function anchorOf(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** The heading that an address like `#rollout-plan` names; the second of two equal ones is `…-1`. */
export function headingFor(prose: Element, href: string): Element | null {
  return headingsByAddress(prose)(href);
}

/** Finds headings by address; reads them once. */
export function headingsByAddress(prose: Element): (href: string) => Element | null {
  const seen = new Map<string, number>();
  const found = new Map<string, Element>();
  for (const heading of prose.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const anchor = anchorOf(heading.textContent ?? '');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    const name = count === 0 ? anchor : `${anchor}-${count}`;
    if (!found.has(name)) found.set(name, heading);
  }
  return (href) => found.get(decoded(href.slice(1)).toLowerCase()) ?? null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
