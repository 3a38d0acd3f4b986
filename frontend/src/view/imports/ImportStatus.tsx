/**
 * What becomes of an import, said to screen readers as well: they announce changes of what they know, so it is there before it
 * says anything, and stays while everything else changes.
 */
import { LoaderCircle } from 'lucide-react';
import { useEffect, useState } from 'react';

interface Props {
  /** Empty for nothing. */
  text: string;
  isBusy?: boolean;
  className?: string;
}

export function ImportStatus({ text, isBusy = false, className }: Props) {
  const [said, setSaid] = useState('');
  useEffect(() => setSaid(text), [text]);
  return (
    <p role="status" className={said ? className : 'visually-hidden'}>
      {isBusy && said && (
        <LoaderCircle className="running-wheel" size={15} strokeWidth={2.2} aria-hidden="true" />
      )}
      {isBusy && said && ' '}
      {said}
    </p>
  );
}
