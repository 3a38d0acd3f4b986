/**
 * What can be seen to be wrong with how a page is laid out, measured in the DOM with real fonts; each flaw in words.
 * Not here: what a page should show (`screens.test.ts`), accessibility (`axe.ts`).
 */
import type { Page } from 'playwright-core';

/** Text that may end in an ellipsis, and why that loses nothing. */
const MAY_BE_CUT = [
  '[title]', // pointing at it shows all of it
  '[data-tip]', // the same, in the page's own tooltip
  '.skip-links', // shown in full as soon as the keyboard is on them
  '.visually-hidden', // for screen readers alone, they read all of it
  '.cm-editor', // scrolls with the caret
  'pre', // code scrolls by itself
  'select', // the list that opens shows all of it
  '.commit-what', // opening the row shows all of it
  '.row-link', // opening the workspace shows all of it
  '.react-flow__minimap', // a picture
];

/** Cut text, a page that scrolls sideways, and buttons beyond the window. */
export async function pageFlaws(page: Page, options: { mayScroll?: boolean } = {}): Promise<string[]> {
  return page.evaluate(
    ({ allowed, mayScroll }) => {
      const flaws: string[] = [];
      const { scrollWidth, scrollHeight } = document.documentElement;
      if (scrollWidth > innerWidth) flaws.push(`the page scrolls sideways: ${scrollWidth} > ${innerWidth}`);
      if (!mayScroll && scrollHeight > innerHeight)
        flaws.push(`the page scrolls: ${scrollHeight} > ${innerHeight}`);
      const isSeen = (element: Element) =>
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      const named = (element: Element) =>
        `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> "${(element.textContent ?? '').trim().slice(0, 60)}"`;
      for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
        const hasText = [...element.childNodes].some(
          (child) => child.nodeType === Node.TEXT_NODE && child.textContent?.trim(),
        );
        if (!hasText || !isSeen(element) || element.closest(allowed)) continue;
        const style = getComputedStyle(element);
        if (style.display === 'inline' || element.clientWidth <= 1) continue;
        const isCutAcross = style.overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
        const isCutBelow = style.overflowY === 'hidden' && element.scrollHeight > element.clientHeight + 2;
        if (isCutAcross || isCutBelow) flaws.push(`cut text: ${named(element)}`);
      }
      for (const button of document.body.querySelectorAll(
        'header button, header a, .react-flow__panel button',
      )) {
        if (!isSeen(button)) continue;
        const { left, right, top, bottom } = button.getBoundingClientRect();
        if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)
          flaws.push(`beyond the window: ${named(button)} ${button.getAttribute('aria-label') ?? ''}`);
      }
      return flaws;
    },
    { allowed: MAY_BE_CUT.join(','), mayScroll: options.mayScroll ?? false },
  );
}

/** Labels over labels or nodes, lines through nodes, nodes under controls or out of sight. For a canvas that is fitted. */
export async function canvasFlaws(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const flaws: string[] = [];
    const pane = document.querySelector('.react-flow')?.getBoundingClientRect();
    if (!pane) return ['there is no canvas'];
    const found = (selector: string) =>
      [...document.querySelectorAll(selector)].map((element) => ({
        element,
        name: (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 50),
        box: element.getBoundingClientRect(),
      }));
    const meet = (a: DOMRect, b: DOMRect, slack = 0.5) =>
      a.left < b.right - slack &&
      b.left < a.right - slack &&
      a.top < b.bottom - slack &&
      b.top < a.bottom - slack;
    const cards = found('.node-card');
    const labels = found('.edge-label');
    labels.forEach((label, at) => {
      for (const other of labels.slice(at + 1))
        if (meet(label.box, other.box)) flaws.push(`label "${label.name}" over label "${other.name}"`);
      for (const card of cards)
        if (meet(label.box, card.box)) flaws.push(`label "${label.name}" over node "${card.name}"`);
    });
    const controls = found(
      '.react-flow__panel:not(.react-flow__attribution), .edge-key ul:not(.under)',
    ).filter(({ box }) => box.width * box.height > 0);
    for (const { element, box, name } of found('.react-flow__panel button')) {
      const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      if (box.width > 0 && top && !element.contains(top)) flaws.push(`control "${name}" is covered`);
    }
    for (const { box, name } of cards) {
      for (const control of controls)
        if (meet(box, control.box)) flaws.push(`control "${control.name}" over node "${name}"`);
      if (
        box.left < pane.left - 1 ||
        box.right > pane.right + 1 ||
        box.top < pane.top - 1 ||
        box.bottom > pane.bottom + 1
      )
        flaws.push(`node "${name}" is not in sight`);
    }
    for (const path of document.querySelectorAll<SVGPathElement>('.react-flow__edge .edge-line')) {
      const matrix = path.getScreenCTM();
      if (!matrix) continue;
      const crossed = new Set<string>();
      for (let at = 0; at <= path.getTotalLength(); at += 5) {
        const { x, y } = path.getPointAtLength(at).matrixTransform(matrix);
        for (const { box, name } of cards)
          if (x > box.left + 3 && x < box.right - 3 && y > box.top + 3 && y < box.bottom - 3)
            crossed.add(name);
      }
      const edge = path.closest('.react-flow__edge')?.getAttribute('data-id');
      for (const name of crossed) flaws.push(`line ${edge} through node "${name}"`);
    }
    return flaws;
  });
}

/** Lines that stand out less than 3:1 from the canvas or from any depth of groups under them, as they are really painted. */
export async function faintEdges(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    type Colour = [red: number, green: number, blue: number, alpha: number];
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 1;
    const pen = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
    const colour = (css: string): Colour => {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = css;
      pen.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
      return [red ?? 0, green ?? 0, blue ?? 0, (alpha ?? 0) / 255];
    };
    const over = (top: Colour, below: Colour): Colour =>
      [...([0, 1, 2] as const).map((at) => top[at] * top[3] + below[at] * (1 - top[3])), 1] as Colour;
    const light = ([red, green, blue]: Colour) => {
      const [r, g, b] = [red, green, blue].map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      }) as [number, number, number];
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (a: Colour, b: Colour) => {
      const [one, other] = [light(a), light(b)].sort((x, y) => y - x) as [number, number];
      return (one + 0.05) / (other + 0.05);
    };
    const flow = document.querySelector('.react-flow');
    if (!flow) return ['there is no canvas'];
    const grounds: Colour[] = [over(colour(getComputedStyle(flow).backgroundColor), [255, 255, 255, 1])];
    const fill = document.querySelector('.group-frame');
    // Groups in groups: each lays its fill over those around it.
    for (let depth = 0; fill && depth < 3; depth += 1)
      grounds.push(over(colour(getComputedStyle(fill).backgroundColor), grounds.at(-1) as Colour));
    const flaws = new Set<string>();
    for (const line of document.querySelectorAll('.react-flow__edge .edge-line')) {
      const { stroke, opacity } = getComputedStyle(line);
      const [red, green, blue, alpha] = colour(stroke);
      grounds.forEach((ground, depth) => {
        const seen = contrast(over([red, green, blue, alpha * Number(opacity)], ground), ground);
        if (seen < 3) flaws.add(`line ${stroke} has ${seen.toFixed(2)}:1 over ${depth} groups`);
      });
    }
    return [...flaws];
  });
}
