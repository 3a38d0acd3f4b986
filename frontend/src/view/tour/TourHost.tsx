/**
 * The tour: a callout beside each explained element, one after the other. It is not modal, and starts when a workspace is
 * opened for the first time in this browser, once the page is loaded; or on request. Not here: where a callout is put
 * (`pointer.ts`).
 */
import '../styles/tour.css';
import {
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { hasSeenTour, rememberTour, subscribeToPreferences } from '../../sync/preferences';
import { type Keys, written } from '../commands/keys';
import { useEditorContext, useUiState } from '../context/EditorContext';
import { useVisibleMode } from '../context/useVisibleMode';
import { useIsPhone } from '../ui/useMedia';
import { isModalOpen, isTyping } from '../ui/useShortcut';
import { type Box, pointAt, type Side } from './pointer';

export function TourHost() {
  const { access } = useEditorContext();
  const isWanted = !useSyncExternalStore(subscribeToPreferences, hasSeenTour);
  const isBusy = useUiState(({ dialog, viewed }) => dialog !== null || viewed !== null);
  const isPhone = useIsPhone();
  const [isOn, setIsOn] = useState(false);
  const mayShow = access.isTextWritable && !isPhone && !isBusy;
  const end = useCallback(() => setIsOn(false), []);
  useEffect(() => {
    if (!isWanted || !mayShow) return;
    // Once shown it never starts by itself again.
    rememberTour();
    setIsOn(true);
  }, [isWanted, mayShow]);
  return isOn && mayShow ? <Tour onEnd={end} /> : null;
}

function Tour({ onEnd }: { onEnd: () => void }) {
  const steps = useVisibleSteps();
  const [at, setAt] = useState(0);
  const index = Math.min(at, steps.length - 1);
  const step = steps[index];
  const ref = useRef<HTMLElement>(null);
  const titleId = useId();
  usePlaceBeside(ref, step);
  useLayoutEffect(() => {
    // Nothing else asks meanwhile.
    document.body.toggleAttribute('data-tour', true);
    return () => document.body.removeAttribute('data-tour');
  }, []);
  useFocusWhileOpen(ref);
  useEscape(onEnd);
  useEndWithWork(ref, onEnd);
  useEffect(() => {
    if (!step) onEnd();
  }, [step, onEnd]);
  if (!step) return null;
  const isLast = index === steps.length - 1;
  return (
    <section
      ref={ref}
      className="tour"
      role="dialog"
      aria-labelledby={titleId}
      data-step={step.id}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onEnd();
      }}
    >
      <div aria-live="polite">
        <p className="tour-count">
          {index + 1} of {steps.length}
        </p>
        <h2 id={titleId}>{step.title}</h2>
        <Text text={step.text} />
      </div>
      <footer className="tour-foot">
        {!isLast && (
          <button type="button" className="button small" onClick={onEnd}>
            Skip
          </button>
        )}
        <button
          type="button"
          className="button small primary"
          onClick={() => (isLast ? onEnd() : setAt(index + 1))}
        >
          {isLast ? 'Done' : 'Next'}
        </button>
      </footer>
    </section>
  );
}

/** Text with keys as <kbd>. */
function Text({ text }: { text: string }) {
  return (
    <p className="tour-text">
      {text.split('`').map((part, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
        index % 2 === 0 ? part : <kbd key={index}>{part}</kbd>,
      )}
    </p>
  );
}

/** Another view shows other elements. */
function useVisibleSteps(): readonly Step[] {
  const mode = useVisibleMode();
  const [steps, setSteps] = useState(() => STEPS.filter(elementOf));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is in sight hangs on the view
  useEffect(() => setSteps(STEPS.filter(elementOf)), [mode]);
  return steps;
}

/** Keeps it beside its element, whatever moves. */
function usePlaceBeside(ref: RefObject<HTMLElement | null>, step: Step | undefined): void {
  useLayoutEffect(() => {
    const pointer = ref.current;
    const element = step && elementOf(step);
    if (!pointer || !element) return;
    const place = () => {
      const size = { width: pointer.offsetWidth, height: pointer.offsetHeight };
      const room = { width: window.innerWidth, height: window.innerHeight };
      const { x, y, side, arrow } = pointAt(boxOf(element), size, room, step.sides);
      pointer.style.left = `${x}px`;
      pointer.style.top = `${y}px`;
      pointer.style.setProperty('--arrow', `${arrow}px`);
      pointer.dataset.side = side;
    };
    place();
    const watcher = new ResizeObserver(place);
    watcher.observe(element);
    watcher.observe(document.body);
    window.addEventListener('resize', place);
    return () => {
      watcher.disconnect();
      window.removeEventListener('resize', place);
    };
  }, [ref, step]);
}

/** Focuses the callout, unless somebody is typing, and restores the focus afterwards. */
function useFocusWhileOpen(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const pointer = ref.current;
    const before = document.activeElement;
    if (!isTyping(before)) pointer?.querySelector<HTMLElement>('.primary')?.focus({ preventScroll: true });
    return () => {
      const isInside = pointer?.contains(document.activeElement) ?? false;
      const isSomewhere = before instanceof HTMLElement && before !== document.body && before.isConnected;
      if (isInside)
        (isSomewhere ? before : document.getElementById('diagram'))?.focus({ preventScroll: true });
    };
  }, [ref]);
}

const WORK_AREAS = '#diagram, #document, .palette, .side-panel';

/** Ends the tour when somebody starts to work: presses into the diagram, the document or a panel, or types. */
function useEndWithWork(ref: RefObject<HTMLElement | null>, onEnd: () => void): void {
  useEffect(() => {
    const isOwn = (target: EventTarget | null) => target instanceof Node && ref.current?.contains(target);
    const press = ({ target }: PointerEvent) => {
      if (!isOwn(target) && target instanceof Element && target.closest(WORK_AREAS)) onEnd();
    };
    const type = ({ target, key }: KeyboardEvent) => {
      if (!isOwn(target) && key.length === 1 && isTyping(target as Element | null)) onEnd();
    };
    window.addEventListener('pointerdown', press, { capture: true });
    window.addEventListener('keydown', type, { capture: true });
    return () => {
      window.removeEventListener('pointerdown', press, { capture: true });
      window.removeEventListener('keydown', type, { capture: true });
    };
  }, [ref, onEnd]);
}

/** Escape ends the tour, also without a focused element. */
function useEscape(onEnd: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.target !== document.body || isModalOpen()) return;
      event.preventDefault();
      onEnd();
    };
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, [onEnd]);
}

interface Step {
  id: string;
  title: string;
  /** Keys are in backquotes. */
  text: string;
  /** The first that is visible is used. */
  elements: readonly string[];
  /** In order of preference. */
  sides: readonly [Side, ...Side[]];
}

const keys = (name: Keys): string => `\`${written(name)}\``;

/** Those without a visible element are skipped. */
const STEPS: readonly Step[] = [
  {
    id: 'draw',
    title: 'Draw',
    text: `Drag a node type from here onto the canvas, or press ${keys('/')} and say what you need. Drag from a node’s edge to connect it.`,
    elements: ['.palette'],
    sides: ['right'],
  },
  {
    id: 'write',
    title: 'Write beside it',
    text: `Explain the design in Markdown. Type ${keys('@')} to link a node: a click on the link shows it in the diagram.`,
    elements: ['#document'],
    sides: ['right', 'left', 'below'],
  },
  {
    id: 'ask',
    title: 'Ask, and undo',
    text: `Have the assistant change diagram and document: ${keys('Mod+J')}. Whatever it or anybody does stands in the history, and ${keys('Mod+Z')} takes back yours.`,
    elements: ['.panel-switch button'],
    sides: ['below'],
  },
];

/** For a tall element the callout is near its top. */
const MAX_HEIGHT = 220;

/** The element that a step explains; null where none is visible. */
function elementOf({ elements }: Step): Element | null {
  for (const selector of elements) {
    const found = document.querySelector(selector);
    if (found && found.getBoundingClientRect().width > 0) return found;
  }
  return null;
}

function boxOf(element: Element): Box {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { left, top, width, height: Math.min(height, MAX_HEIGHT) };
}
