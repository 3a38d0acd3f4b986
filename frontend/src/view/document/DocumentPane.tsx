/** The document pane: editor, preview, and the bar over them. */
import '../styles/document.css';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { nodeLinksIn } from '../../model/text/links';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import type { Ghosts } from '../context/uiState';
import { useCanChange } from '../context/useCanChange';
import { useTextComparison, useWorkspaceView } from '../context/useWorkspaceView';
import { later, laterInBackground } from '../ui/loading/later';
import { useIsWide } from '../ui/useMedia';
import { useThrottledValue } from '../ui/useThrottledValue';
import { DocumentCommands } from './DocumentCommands';
import { DocumentHead } from './DocumentHead';
import type { EditorHandle } from './editorHandle';
import { LoadingLines } from './LoadingLines';
import { readHalf } from './laterParts';
import type { ProseHandle } from './Prose';
import { useHalves } from './useHalves';
import { WriteHalf } from './WriteHalf';

const EmptyDocument = laterInBackground(async () => (await import('./EmptyDocument')).EmptyDocument);
const Mentions = laterInBackground(async () => (await import('./Mentions')).Mentions);
const DocumentImages = laterInBackground(
  async () => (await import('../images/DocumentImages')).DocumentImages,
);
const PastedFlowcharts = laterInBackground(
  async () => (await import('./paste/PastedFlowcharts')).PastedFlowcharts,
);
const TextComparison = later(async () => (await import('../history/TextComparison')).TextComparison);
const DocumentGhosts = laterInBackground(
  async () => (await import('./ghosts/DocumentGhosts')).DocumentGhosts,
);

export function DocumentPane() {
  const { ui, access } = useEditorContext();
  const workspaceView = useWorkspaceView();
  const liveNodes = useLive((live) => live.diagram.nodes);
  const nodes = useMemo(() => new Map(liveNodes.map((node) => [node.id, node])), [liveNodes]);
  const half = useUiState((state) => state.half);
  const mode = useUiState((state) => state.mode);
  const isWide = useIsWide();
  const [editor, setEditor] = useState<EditorHandle | null>(null);
  const [prose, setProse] = useState<ProseHandle | null>(null);
  const [isOutlineOpen, setIsOutlineOpen] = useState(false);
  const isWritable = access.isTextWritable && workspaceView.isNewest;
  const isBegun = useIsBegun(workspaceView.text);
  const isBoth = isWritable && mode === 'document' && isWide;
  const isWriting = isWritable && (isBoth || half === 'write');
  // The editor stays mounted while an old revision is shown, to keep its undo history.
  const canChange = useCanChange();
  const ghosts = useUiState((state) => (state.viewed ? null : state.ghosts));
  const [proposed, setProposed] = useState<{ from: string; to: string } | null>(null);
  const compared = useTextComparison() ?? proposed;
  const isReading = (!isWriting || isBoth) && !compared;
  const ReadHalf = readHalf.usePart(isReading);
  const halves = useHalves({
    editor,
    prose,
    isWriting,
    isReading,
    isInStep: isBoth && isBegun.is,
    text: workspaceView.text,
  });
  const mentions = useMentions(workspaceView.text);
  const step = useMentionSteps(mentions, halves.goToMention);
  const isEmpty = isWritable && !isBegun.is && !hasText(ghosts);
  const onSwitch = isWritable && !isBoth ? () => ui.set({ half: half === 'write' ? 'read' : 'write' }) : null;
  return (
    <section className="document-pane" id="document" aria-label="Document" tabIndex={-1}>
      <DocumentHead
        text={workspaceView.text}
        isFormatting={isWriting && editor !== null && !isEmpty}
        isWriting={isWriting}
        hasSwitch={onSwitch !== null}
        isOutlineOpen={isOutlineOpen}
        onOutline={setIsOutlineOpen}
        place={halves.place}
        onGo={halves.go}
        onAdd={isWritable && editor ? addSection : null}
      />
      {ghosts && (
        <DocumentGhosts
          ghosts={ghosts}
          text={workspaceView.text}
          editor={isWriting ? editor : null}
          isReading={!isWriting}
          onCompare={setProposed}
        />
      )}
      <div className={`document-halves${isBoth ? ' both' : ''}`} hidden={isEmpty}>
        {canChange && <WriteHalf isShown={isWriting} nodes={nodes} onEditor={setEditor} />}
        {isReading &&
          (ReadHalf ? (
            <ReadHalf ref={setProse} nodes={nodes} editor={editor} />
          ) : (
            <div className="read-half" aria-busy="true">
              <LoadingLines />
            </div>
          ))}
        {compared && <TextComparison {...compared} />}
      </div>
      <DocumentImages
        editor={editor}
        isWriting={isWriting}
        readHalf={prose?.scroller ?? null}
        isWritable={isWritable}
      />
      {isWritable && <PastedFlowcharts editor={editor} isWriting={isWriting} />}
      {isEmpty && <EmptyDocument onWrite={write} />}
      {mentions.links.length > 0 && (
        <Mentions what={whatIs(mentions.ids, nodes)} count={mentions.links.length} onStep={step} />
      )}
      <DocumentCommands
        editor={editor}
        isWriting={isWriting && !isEmpty}
        mentions={mentions.links.length}
        onOutline={() => setIsOutlineOpen(true)}
        onSwitch={onSwitch}
        onStep={step}
      />
    </section>
  );

  function write() {
    isBegun.begin();
    ui.set({ half: 'write' });
    requestAnimationFrame(() => editor?.focus());
  }

  function addSection() {
    isBegun.begin();
    ui.set({ half: 'write' });
    requestAnimationFrame(() => editor?.format('section'));
  }
}

function whatIs(ids: ReadonlySet<string>, nodes: ReadonlyMap<string, { label: string }>): string {
  const [only] = ids;
  return ids.size === 1 && only !== undefined ? (nodes.get(only)?.label ?? only) : 'what is selected';
}

/** Whether any of the ghosts is for the document. */
const hasText = (ghosts: Ghosts | null): boolean =>
  ghosts !== null && (ghosts.document.length > 0 || ghosts.steps.some(({ k }) => k === 'text'));

/** Whether somebody has begun to type: from then on there is no placeholder. */
function useIsBegun(text: string): { is: boolean; begin: () => void } {
  const isKnown = useLive((live) => live.isKnown);
  const hasText = text.trim() !== '';
  const [isBegun, setIsBegun] = useState(hasText);
  useEffect(() => {
    if (hasText) setIsBegun(true);
  }, [hasText]);
  return { is: isBegun || hasText || !isKnown, begin: () => setIsBegun(true) };
}

interface MentionsFound {
  ids: ReadonlySet<string>;
  links: readonly { from: number; to: number }[];
}

/** Mentions of the selected node in the document. */
function useMentions(text: string): MentionsFound {
  const ids = useUiState(({ selection }) => selection.nodes);
  const throttled = useThrottledValue(text);
  return useMemo(
    () => ({ ids, links: ids.size ? nodeLinksIn(throttled).filter(({ id }) => ids.has(id)) : [] }),
    [ids, throttled],
  );
}

function useMentionSteps(
  { ids, links }: MentionsFound,
  goTo: (ids: ReadonlySet<string>, links: MentionsFound['links'], index: number) => void,
): (by: 1 | -1) => void {
  const at = useRef({ ids, index: -1 });
  return useCallback(
    (by) => {
      if (links.length === 0) return;
      const before = at.current.ids === ids ? at.current.index : by > 0 ? -1 : 0;
      const index = (before + by + links.length) % links.length;
      at.current = { ids, index };
      goTo(ids, links, index);
    },
    [ids, links, goTo],
  );
}
