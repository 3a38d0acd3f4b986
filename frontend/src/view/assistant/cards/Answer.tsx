/**
 * The text of the assistant as prose. Names of nodes and links to nodes lead to them. The text passes the same two
 * barriers as the document, because it is as untrusted.
 */
import { useLayoutEffect, useRef } from 'react';
import { markdownToHtml } from '../../../model/text/markdown';
import { NODE_LINK } from '../../../model/text/nodeLink';
import { type NameSpan, nameFinder } from '../../../model/text/nodeNames';
import { useEditorContext } from '../../context/EditorContext';
import { markLinks, reachWide } from '../../prose/proseMarks';
import { sanitised } from '../../prose/sanitise';
import { useReveal } from './useReveal';

const NOTHING: ReadonlySet<string> = new Set();

export function Answer({ text, hasNames }: { text: string; hasNames: boolean }) {
  const { live } = useEditorContext();
  const { showNodes } = useReveal();
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const prose = body.current;
    if (!prose) return;
    const { nodes } = live.state.getState().diagram;
    prose.replaceChildren(sanitised(markdownToHtml(text)));
    if (hasNames) linkNames(prose, nodes);
    markLinks(prose, { nodes: new Map(nodes.map((node) => [node.id, node])), selected: NOTHING });
    return reachWide(prose);
  }, [text, hasNames, live]);
  useLayoutEffect(() => {
    const prose = body.current;
    const clicked = (event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      const link = (event.target as Element).closest<HTMLElement>('a[href^="#"]');
      if (!link) return;
      event.preventDefault();
      if (link.dataset.node) showNodes([link.dataset.node]);
    };
    prose?.addEventListener('click', clicked);
    return () => prose?.removeEventListener('click', clicked);
  }, [showNodes]);
  return <div ref={body} className="prose card-answer" />;
}

/** Links the names of nodes, outside of code and existing links. */
function linkNames(prose: Element, nodes: readonly { id: string; label: string }[]): void {
  const find = nameFinder(nodes);
  if (!find) return;
  const walker = document.createTreeWalker(prose, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (text.parentElement?.closest('a, pre')) continue;
    const spans = find(text.data);
    if (spans.every(({ id }) => id === null)) continue;
    text.replaceWith(...bare(spans).map(({ text: words, id }) => (id === null ? words : linkTo(id, words))));
  }
}

/** Removes the quotation marks around names that become links. */
function bare(spans: readonly NameSpan[]): NameSpan[] {
  const left = spans.map((piece) => ({ ...piece }));
  for (const [index, { id }] of left.entries()) {
    const [before, after] = [left[index - 1], left[index + 1]];
    if (id === null || !before?.text.endsWith("'") || !after?.text.startsWith("'")) continue;
    before.text = before.text.slice(0, -1);
    after.text = after.text.slice(1);
  }
  return left;
}

function linkTo(id: string, words: string): HTMLElement {
  const link = document.createElement('a');
  link.className = 'node-link';
  link.href = `${NODE_LINK}${encodeURIComponent(id)}`;
  link.dataset.node = id;
  link.textContent = words;
  return link;
}
