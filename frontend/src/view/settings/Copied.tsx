/** Text to be taken elsewhere: shown as it is, with a button that copies it. */
import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

interface Props {
  /** What it is, for screen readers. */
  label: string;
  text: string;
}

const SAYS_SO_MS = 2500;

export function Copied({ label, text }: Props) {
  const [state, setState] = useState<'' | 'copied' | 'failed'>('');
  const block = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (state !== 'copied') return;
    const timer = setTimeout(() => setState(''), SAYS_SO_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      // Where a browser gives no clipboard, the text is selected for the keys.
      if (block.current) window.getSelection()?.selectAllChildren(block.current);
      setState('failed');
    }
  };
  const Icon = state === 'copied' ? Check : Copy;
  return (
    <div className="copied">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it. */}
      <pre ref={block} aria-label={label} role="region" tabIndex={0}>
        {text}
      </pre>
      <button type="button" className="button small" aria-label={`Copy ${label}`} onClick={() => void copy()}>
        <Icon size={14} strokeWidth={2} aria-hidden="true" />
        {state === 'copied' ? 'Copied' : 'Copy'}
      </button>
      <p className={state === 'failed' ? 'field-hint' : 'visually-hidden'} role="status">
        {state === 'copied' && 'Copied'}
        {state === 'failed' && 'This browser gives no clipboard here: it is selected, copy it by key.'}
      </p>
    </div>
  );
}
