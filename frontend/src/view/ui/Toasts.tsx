/** Short messages about what just happened, with what can be done about it. They wait while somebody reads them. */
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
import { explain } from '../../sync/condition';
import { IconButton } from './IconButton';

const SHOWN_MS = 8000;
const MOST = 3;

export interface ToastAction {
  label: string;
  run: () => void;
  /** The message stays: there may be more to do about it. */
  isKeeping?: boolean;
}

export interface Message {
  text: string;
  detail?: string | undefined;
  tone?: 'plain' | 'bad';
  action?: ToastAction;
  /** More than one thing to do; after `action`. */
  actions?: readonly ToastAction[];
  /** It does not go by itself. */
  stays?: boolean;
}

export interface Toasts {
  /** Show a message; the answer takes it away again. */
  show: (message: Message) => () => void;
  /** Say what went wrong and what to do, in the words of `explain`. */
  showError: (error: unknown) => void;
}

const ToastContext = createContext<Toasts | null>(null);

export function useToasts(): Toasts {
  const toasts = useContext(ToastContext);
  if (!toasts) throw new Error('useToasts outside of ToastProvider');
  return toasts;
}

type Shown = Message & { id: number };

/** With one message too many the oldest goes that would have gone by itself; one that stays only if all do. */
function withoutTooMany(messages: Shown[]): Shown[] {
  if (messages.length <= MOST) return messages;
  const index = messages.findIndex(({ stays }) => !stays);
  return messages.filter((_, at) => at !== (index < 0 || index === messages.length - 1 ? 0 : index));
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<Shown[]>([]);
  const nextId = useRef(0);
  const dismiss = useCallback((id: number) => {
    setMessages((shown) => shown.filter((message) => message.id !== id));
  }, []);
  const show = useCallback(
    (message: Message) => {
      nextId.current += 1;
      const id = nextId.current;
      setMessages((shown) => withoutTooMany([...shown, { ...message, id }]));
      return () => dismiss(id);
    },
    [dismiss],
  );
  const toasts = useMemo<Toasts>(
    () => ({
      show,
      showError: (error) => {
        const { title, advice } = explain(error);
        show({ text: title, detail: advice, tone: 'bad' });
      },
    }),
    [show],
  );
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

/** One message; it waits while somebody points at it or has one of its buttons in focus. */
function Toast({ message, onEnd }: { message: Message; onEnd: () => void }) {
  const [isHeld, setIsHeld] = useState(false);
  const { text, detail, tone = 'plain', action, actions = [], stays = false } = message;
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    if (isHeld || stays) return;
    const timer = setTimeout(() => end.current(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld, stays]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing only holds the clock; there is nothing to operate
    <div
      className={`toast ${tone}`}
      onMouseEnter={() => setIsHeld(true)}
      onMouseLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
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
            if (!isKeeping) onEnd();
          }}
        >
          {label}
        </button>
      ))}
      <IconButton icon={X} label="Dismiss" className="small" onClick={onEnd} />
    </div>
  );
}
