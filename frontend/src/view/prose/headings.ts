/** Links within the rendered document: `#rollout-plan` leads to the heading "Rollout plan". */
import { anchorIn } from '../../model/text/anchors';

/** The headings and named places of a rendered document that have an address. */
export const addressedHeadings = (prose: Element): HTMLElement[] => [
  ...prose.querySelectorAll<HTMLElement>('[data-anchor]:not([data-anchor=""])'),
];

/** The heading or the place that an address names; the second of two equal ones is `…-1`. */
export function headingFor(prose: Element, href: string): Element | null {
  const anchor = anchorIn(href);
  return addressedHeadings(prose).find(({ dataset }) => dataset.anchor === anchor) ?? null;
}

/** Opens the details that an element lies in. */
export function reveal(element: Element): void {
  for (let fold = element.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true;
}

/** Whether an address leads to the top of a document where no heading has it, as in browsers. */
export const leadsToTop = (href: string): boolean => href === '#' || href.toLowerCase() === '#top';
