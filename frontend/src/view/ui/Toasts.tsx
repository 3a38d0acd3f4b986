/** Short messages about what just happened, with at most one thing to do about it. */
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

interface Message {
  text: string;
  detail?: string;
  tone?: 'plain' | 'bad';
  action?: { label: string; run: () => void };
}

interface Toasts {
  show: (message: Message) => void;
  /** Say what went wrong and what to do, in the words of `explain`. */
  showError: (error: unknown) => void;
}

const ToastContext = createContext<Toasts | null>(null);

export function useToasts(): Toasts {
  const toasts = useContext(ToastContext);
  if (!toasts) throw new Error('useToasts outside of ToastProvider');
  return toasts;
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<(Message & { id: number })[]>([]);
  const nextId = useRef(0);
  const show = useCallback((message: Message) => {
    nextId.current += 1;
    const id = nextId.current;
    setMessages((shown) => [...shown.slice(-2), { ...message, id }]);
  }, []);
  const dismiss = useCallback((id: number) => {
    setMessages((shown) => shown.filter((message) => message.id !== id));
  }, []);
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

/** One message; it waits while somebody points at it or has its button in focus. */
function Toast({ message, onEnd }: { message: Message; onEnd: () => void }) {
  const [isHeld, setIsHeld] = useState(false);
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => end.current(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld]);
  const { text, detail, tone = 'plain', action } = message;
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
      {action && (
        <button
          type="button"
          className="button small"
          onClick={() => {
            action.run();
            onEnd();
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton icon={X} label="Dismiss" className="small" onClick={onEnd} />
    </div>
  );
}
