/** Lists of Microsoft Word, which writes paragraphs that say in their style which list, item and level they are. */

const LEVEL = /mso-list:[^;]*\blevel(\d)/i;
const NUMBER = /^\s*(?:\d{1,9}|[a-z]{1,3})[.)]/i;
const MAX_LEVEL = 9;

interface Entry {
  paragraph: Element;
  level: number;
  isNumbered: boolean;
}

export function makeOfficeLists(body: HTMLElement): void {
  let run: Entry[] = [];
  for (const paragraph of body.querySelectorAll('p[style*="mso-list"], p[style*="MSO-LIST"]')) {
    const entry = entryOf(paragraph);
    if (!entry) continue;
    if (run.at(-1)?.paragraph !== paragraph.previousElementSibling) {
      makeList(run);
      run = [];
    }
    run.push(entry);
  }
  makeList(run);
}

function entryOf(paragraph: Element): Entry | null {
  const level = LEVEL.exec(paragraph.getAttribute('style') ?? '')?.[1];
  const mark = [...paragraph.querySelectorAll('[style]')].find((part) =>
    /mso-list:\s*ignore/i.test(part.getAttribute('style') ?? ''),
  );
  if (!level || !mark) return null;
  const isNumbered = NUMBER.test(mark.textContent ?? '');
  mark.remove();
  return { paragraph, level: Math.min(MAX_LEVEL, Number(level)), isNumbered };
}

function makeList(run: readonly Entry[]): void {
  const [first] = run;
  if (!first) return;
  const document = first.paragraph.ownerDocument;
  const place = document.createElement('div');
  first.paragraph.before(place);
  const open: { list: Element; level: number }[] = [];
  for (const { paragraph, level, isNumbered } of run) {
    while (open.length > 0 && (open.at(-1)?.level ?? 0) > level) open.pop();
    const top = open.at(-1);
    if (top?.level !== level) {
      const list = document.createElement(isNumbered ? 'ol' : 'ul');
      (top?.list.lastElementChild ?? place).append(list);
      open.push({ list, level });
    }
    const item = document.createElement('li');
    item.append(...paragraph.childNodes);
    open.at(-1)?.list.append(item);
    paragraph.remove();
  }
}
