/** The design document as one reads it; links to nodes select them in the diagram. */
import '../styles/document.css';
import { FileText } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { markdownToHtml } from '../../model/markdown';
import { useDesk, useDeskState, useLive } from '../desk/Desk';
import { Notice } from '../ui/Notice';
import { headingFor } from './headings';
import { patchChildren } from './patch';
import { sanitised } from './sanitise';

export function DocumentPane() {
  const { ui } = useDesk();
  const text = useLive((live) => live.text);
  const nodes = useLive((live) => live.diagram.nodes);
  const selected = useDeskState(({ selection }) =>
    selection.nodes.size === 1 ? ([...selection.nodes][0] ?? null) : null,
  );
  const labels = useMemo(() => new Map(nodes.map(({ id, label }) => [id, label])), [nodes]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also where it holds no link to stop at
    <section className="document-pane" id="document" aria-label="Document" tabIndex={0}>
      {text.trim() ? (
        <Prose text={text} labels={labels} selected={selected} onOpenNode={(id) => ui.show([id])} />
      ) : (
        <Notice
          icon={FileText}
          title="The document is empty"
          advice="What is written here explains the diagram: goals, components, decisions."
        />
      )}
    </section>
  );
}

interface ProseProps {
  selected: string | null;
  onOpenNode: (id: string) => void;
  text: string;
  labels: ReadonlyMap<string, string>;
}

function Prose({ text, labels, selected, onOpenNode }: ProseProps) {
  const body = useRef<HTMLDivElement>(null);
  const open = useRef(onOpenNode);
  open.current = onOpenNode;
  useEffect(() => {
    if (!body.current) return;
    const isFirst = body.current.childNodes.length === 0;
    unmarkLinks(body.current);
    const added = patchChildren(body.current, sanitised(markdownToHtml(text)));
    if (!isFirst) for (const block of added) flash(block);
  }, [text]);
  // The text is among the reasons because new text brings new links.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (body.current) markLinks(body.current, labels, selected);
  }, [text, labels, selected]);
  useEffect(() => {
    const prose = body.current;
    if (!prose) return;
    const listen = (event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      const link = (event.target as Element).closest<HTMLElement>('a[href^="#"]');
      if (!link) return;
      event.preventDefault();
      if (link.dataset.node) open.current(link.dataset.node);
      else headingFor(prose, link.getAttribute('href') ?? '')?.scrollIntoView({ block: 'start' });
    };
    prose.addEventListener('click', listen);
    return () => prose.removeEventListener('click', listen);
  }, []);
  return <article ref={body} className="prose" />;
}

const nodeLinks = (prose: Element) => prose.querySelectorAll<HTMLElement>('a.node-link');

/** Show which links lead to the selected node, and which lead nowhere. */
function markLinks(prose: Element, labels: ReadonlyMap<string, string>, selected: string | null): void {
  for (const link of nodeLinks(prose)) {
    const id = link.dataset.node ?? '';
    const isMissing = !labels.has(id);
    link.classList.toggle('missing', isMissing);
    link.title = isMissing
      ? `There is no node “${id}” in the diagram`
      : `Show ${labels.get(id)} in the diagram`;
    if (id === selected) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

/** Take the marks off again, so that old and new blocks can be compared. */
function unmarkLinks(prose: Element): void {
  for (const link of nodeLinks(prose)) {
    link.classList.remove('missing');
    link.removeAttribute('title');
    link.removeAttribute('aria-current');
  }
}

/** Point out a block that has just changed; the class goes again, so that it does not count as a difference. */
function flash(block: Element): void {
  block.classList.add('is-new');
  setTimeout(() => {
    block.classList.remove('is-new');
    if (block.classList.length === 0) block.removeAttribute('class');
  }, 2000);
}
