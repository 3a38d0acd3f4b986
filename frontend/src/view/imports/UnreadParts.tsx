/** What of files was not taken over, each with its place and the reason. */
import { counted } from '../../model/words/kinds';
import type { UnreadPart } from '../../protocol/imports';

const MAX_SHOWN = 200;

export function UnreadParts({
  unread,
  isOfOneFile,
}: {
  unread: readonly UnreadPart[];
  isOfOneFile?: boolean;
}) {
  if (unread.length === 0) return null;
  return (
    <details className="import-parts">
      <summary>{counted(unread.length, 'thing is', 'things are')} not taken over</summary>
      <ul>
        {unread.slice(0, MAX_SHOWN).map(({ file, place, text, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and two may say the same
          <li key={index}>
            <strong>{[isOfOneFile ? '' : file, place].filter(Boolean).join(', ')}</strong> {reason}
            {text && <code>{text}</code>}
          </li>
        ))}
      </ul>
      {unread.length > MAX_SHOWN && <p>And {unread.length - MAX_SHOWN} more.</p>}
    </details>
  );
}
