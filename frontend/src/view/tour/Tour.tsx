/** The tour: a callout beside each explained element, one after the other. Not modal. */
import '../styles/tour.css';
import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useVisibleMode } from '../context/useVisibleMode';
import { isModalOpen, isTyping } from '../ui/useShortcut';
import { pointAt } from './pointer';
import { boxOf, STEPS, type Step, thingOf } from './steps';

export function Tour({ onEnd }: { onEnd: () => void }) {
  const steps = useVisibleSteps();
  const [at, setAt] = useState(0);
  const index = Math.min(at, steps.length - 1);
  const step = steps[index];
  const ref = useRef<HTMLElement>(null);
  const titleId = useId();
  useBeside(ref, step);
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
  const [steps, setSteps] = useState(() => STEPS.filter(thingOf));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is in sight hangs on the view
  useEffect(() => setSteps(STEPS.filter(thingOf)), [mode]);
  return steps;
}

/** Keeps it beside its element, whatever moves. */
function useBeside(ref: RefObject<HTMLElement | null>, step: Step | undefined): void {
  useLayoutEffect(() => {
    const pointer = ref.current;
    const thing = step && thingOf(step);
    if (!pointer || !thing) return;
    const place = () => {
      const size = { width: pointer.offsetWidth, height: pointer.offsetHeight };
      const room = { width: window.innerWidth, height: window.innerHeight };
      const { x, y, side, arrow } = pointAt(boxOf(thing), size, room, step.sides);
      pointer.style.left = `${x}px`;
      pointer.style.top = `${y}px`;
      pointer.style.setProperty('--arrow', `${arrow}px`);
      pointer.dataset.side = side;
    };
    place();
    const watcher = new ResizeObserver(place);
    watcher.observe(thing);
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

const WORKED_IN = '#diagram, #document, .palette, .side-panel';

/** Ends the tour when somebody starts to work: presses into the diagram, the document or a panel, or types. */
function useEndWithWork(ref: RefObject<HTMLElement | null>, onEnd: () => void): void {
  useEffect(() => {
    const isOwn = (target: EventTarget | null) => target instanceof Node && ref.current?.contains(target);
    const press = ({ target }: PointerEvent) => {
      if (!isOwn(target) && target instanceof Element && target.closest(WORKED_IN)) onEnd();
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
