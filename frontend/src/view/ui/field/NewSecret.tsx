/** A new secret with a button to copy it; it is displayed only once. */
import { Copy } from 'lucide-react';
import { useToasts } from '../overlay/Toasts';

interface Props {
  /** What it is, for screen readers. */
  label: string;
  secret: string;
  /** What is said once it is copied. */
  copied: string;
  hint: string;
}

export function NewSecret({ label, secret, copied, hint }: Props) {
  const toasts = useToasts();
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    toasts.show({ text: copied });
  };
  return (
    <div className="access-made" role="status">
      <input readOnly aria-label={label} value={secret} onFocus={(event) => event.target.select()} />
      <button type="button" className="button primary" onClick={() => void copy()}>
        <Copy size={16} strokeWidth={1.9} aria-hidden="true" />
        Copy
      </button>
      <p className="access-hint">{hint}</p>
    </div>
  );
}
