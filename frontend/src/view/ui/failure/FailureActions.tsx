/** The actions of an error message: reload, or copy the details for a bug report. */
import { type ReactNode, useRef, useState } from 'react';
import type { Failure } from './failure';
import { serverVersion } from './version';

export function FailureActions({ failure, children }: { failure: Failure; children?: ReactNode }) {
  const [isCopied, setIsCopied] = useState(false);
  const details = useRef<HTMLPreElement>(null);
  const text = detailsOf(failure);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      // Without access to the clipboard the details are selected.
      const element = details.current;
      if (!element) return;
      element.closest('details')?.setAttribute('open', '');
      window.getSelection()?.selectAllChildren(element);
    }
  };
  return (
    <>
      <div className="notice-actions">
        <button type="button" className="button primary" onClick={() => window.location.reload()}>
          Reload
        </button>
        {children}
        <button type="button" className="button" onClick={() => void copy()}>
          {isCopied ? 'Copied' : 'Copy details'}
        </button>
      </div>
      <p className="visually-hidden" role="status">
        {isCopied ? 'The details are on the clipboard' : ''}
      </p>
      <details className="failure-details">
        <summary>Details</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to get there */}
        <pre ref={details} tabIndex={0}>
          {text}
        </pre>
      </details>
    </>
  );
}

/** The address names the workspace; no content is included. */
function detailsOf({ error, parts }: Failure): string {
  const message = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  const where = `${window.location.pathname}\n${navigator.userAgent}`;
  return `Draftsmith ${serverVersion()}\n${where}\n\n${message}\n${parts}`.trimEnd();
}
