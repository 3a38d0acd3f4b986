/** Toasts: short messages about what just happened, with actions. Their timers pause while somebody reads them. */
import { X } from 'lucide-react';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { explainError } from '../../../sync/words/errors';
import { IconButton } from '../IconButton';
import { isModalOpen, isTyping } from '../useShortcut';

const SHOWN_MS = 8000;
const MAX = 3;

export interface ToastAction {
  label: string;
  run: () => void;
  /** The toast stays open after the action. */
  isKeeping?: boolean;
}

export interface Message {
  text: string;
  detail?: string | undefined;
  tone?: 'plain' | 'bad';
  action?: ToastAction;
  /** More actions, after `action`. */
  actions?: readonly ToastAction[];
  /** It has no timer; errors never do, unless this says so. */
  stays?: boolean;
}

export interface Toasts {
  /** Shows a message. Returns a function that dismisses it. */
  show: (message: Message) => () => void;
  /** Shows an error in the words of `explainError`. */
  showError: (error: unknown) => void;
}

const ToastContext = createContext<Toasts | null>(null);

export function useToasts(): Toasts {
  const toasts = useContext(ToastContext);
  if (!toasts) throw new Error('useToasts outside of ToastProvider');
  return toasts;
}

type ToastState = Message & { id: number; stays: boolean };

/** A repeated message replaces the earlier one. */
const isOther =
  ({ text, detail }: Message) =>
  (toast: ToastState): boolean =>
    toast.text !== text || toast.detail !== detail;

/** With too many toasts the oldest with a timer is dismissed; one without only if all are. */
function withoutTooMany(messages: ToastState[]): ToastState[] {
  if (messages.length <= MAX) return messages;
  const index = messages.findIndex(({ stays }) => !stays);
  return messages.filter((_, at) => at !== (index < 0 || index === messages.length - 1 ? 0 : index));
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<ToastState[]>([]);
  const nextId = useRef(0);
  const dismiss = useCallback((id: number) => {
    setMessages((open) => open.filter((message) => message.id !== id));
  }, []);
  const show = useCallback(
    (message: Message) => {
      nextId.current += 1;
      const id = nextId.current;
      const stays = message.stays ?? message.tone === 'bad';
      setMessages((open) => withoutTooMany([...open.filter(isOther(message)), { ...message, stays, id }]));
      return () => dismiss(id);
    },
    [dismiss],
  );
  const toasts = useMemo<Toasts>(
    () => ({
      show,
      showError: (error) => {
        const { title, advice } = explainError(error);
        show({ text: title, detail: advice, tone: 'bad' });
      },
    }),
    [show],
  );
  useEscape(messages.at(-1)?.id, dismiss);
  return (
    <ToastContext value={toasts}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {messages.map((message) => (
          <Toast key={message.id} message={message} onEnd={() => dismiss(message.id)} />
        ))}
      </div>
    </ToastContext>
  );
}

/** Escape dismisses the newest where the key means nothing else. */
function useEscape(newest: number | undefined, dismiss: (id: number) => void): void {
  useEffect(() => {
    if (newest === undefined) return;
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isTyping(event.target) || isModalOpen()) return;
      dismiss(newest);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [newest, dismiss]);
}

/** A toast; its timer pauses on hover, on focus, and under a dialog. */
function Toast({ message, onEnd }: { message: ToastState; onEnd: () => void }) {
  const [isPointedAt, setIsPointedAt] = useState(false);
  const [isInFocus, setIsInFocus] = useState(false);
  const { text, detail, tone = 'plain', action, actions = [], stays } = message;
  const way = useWayBack(onEnd);
  const isHeld = isPointedAt || isInFocus || stays;
  useEffect(() => {
    if (isHeld) return;
    const timer = setInterval(() => !isModalOpen() && way.leave(), SHOWN_MS);
    return () => clearInterval(timer);
  }, [isHeld, way]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing only holds the clock; Escape is for the buttons in it
    <div
      className={`toast ${tone}`}
      onMouseEnter={() => setIsPointedAt(true)}
      onMouseLeave={() => setIsPointedAt(false)}
      onFocus={(event) => {
        way.came(event.relatedTarget);
        setIsInFocus(true);
      }}
      onBlur={() => setIsInFocus(false)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        way.leave();
      }}
    >
      <div className="toast-text">
        <p>{text}</p>
        {detail && <p className="toast-detail">{detail}</p>}
      </div>
      {[...(action ? [action] : []), ...actions].map(({ label, run, isKeeping = false }) => (
        <button
          key={label}
          type="button"
          className="button small"
          onClick={() => {
            run();
            if (!isKeeping) way.leave();
          }}
        >
          {label}
        </button>
      ))}
      <IconButton icon={X} label="Dismiss" className="small" onClick={() => way.leave()} />
    </div>
  );
}

/** Dismisses the toast, and restores the focus if it is inside. */
function useWayBack(onEnd: () => void) {
  const newest = useRef(onEnd);
  newest.current = onEnd;
  return useMemo(() => {
    let before: HTMLElement | null = null;
    return {
      came(from: EventTarget | null) {
        if (from instanceof HTMLElement && !from.closest('.toast')) before = from;
      },
      leave() {
        if (before?.isConnected && document.activeElement?.closest('.toast')) before.focus();
        newest.current();
      },
    };
  }, []);
}
