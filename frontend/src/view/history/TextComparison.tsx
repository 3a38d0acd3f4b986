/** A comparison of two texts by lines: insertions and deletions, with signs as well as colours. */
import '../styles/history.css';
import { Equal, UnfoldVertical } from 'lucide-react';
import { useMemo, useState } from 'react';
import {
  boundedStretches,
  type ComparedLine,
  compareTexts,
  foldSame,
  MAX_SHOWN,
} from '../../model/text/compareText';
import { counted } from '../../model/words/kinds';
import { Notice } from '../ui/Notice';

const SIGNS = { same: '', added: '+', removed: '−' } as const;

/** Replaces the document during a comparison. */
export function TextComparison({ from, to }: { from: string; to: string }) {
  const compared = useMemo(() => compareTexts(from, to), [from, to]);
  const { stretches, leftOut, cut } = useMemo(() => boundedStretches(foldSame(compared.lines)), [compared]);
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  if (compared.added + compared.removed === 0)
    return (
      <Notice
        icon={Equal}
        title="The text is the same"
        advice="Nothing in the document differs between the two."
      />
    );
  return (
    <div className="text-comparison">
      <h2 className="visually-hidden">What changed in the document</h2>
      <LeftOut isWhole={compared.isWhole} leftOut={leftOut} cut={cut} />
      {stretches.map(({ kind, lines, count }, index) => {
        const at = lines[0]?.line ?? 0;
        return kind === 'shown' || unfolded.has(at) ? (
          // Stretches are identified by their order.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Lines key={index} lines={lines} />
        ) : (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={index}
            type="button"
            className="unfold"
            onClick={() => setUnfolded(new Set([...unfolded, at]))}
          >
            <UnfoldVertical size={14} strokeWidth={2} aria-hidden="true" />
            {counted(count ?? lines.length, 'line')} the same
            {(count ?? 0) > MAX_SHOWN &&
              `, of which the first ${MAX_SHOWN.toLocaleString('en')} can be shown`}
          </button>
        );
      })}
    </div>
  );
}

/** What the comparison does not show. */
function LeftOut({ isWhole, leftOut, cut }: { isWhole: boolean; leftOut: number; cut: number }) {
  const sentences = [
    ...(isWhole ? ['Too much differs to be compared line by line: all of it counts as replaced.'] : []),
    ...(leftOut > 0 ? [`${counted(leftOut, 'changed line')} left out here.`] : []),
    ...(cut > 0 ? [`${counted(cut, 'long line')} shown up to a point.`] : []),
  ];
  return sentences.length > 0 ? (
    <p className="left-out-note" role="note">
      {sentences.join(' ')}
    </p>
  ) : null;
}

function Lines({ lines }: { lines: readonly ComparedLine[] }) {
  return lines.map((line) => (
    <div key={`${line.kind} ${line.line}`} className={`compared ${line.kind}`}>
      <span className="change-sign" aria-hidden={line.kind === 'same'}>
        {SIGNS[line.kind]}
      </span>
      <Text line={line} />
    </div>
  ));
}

function Text({ line: { kind, spans } }: { line: ComparedLine }) {
  let at = 0;
  const text = spans.map(({ text: part, isChanged }) => {
    at += part.length;
    return isChanged ? <mark key={at}>{part}</mark> : part;
  });
  if (kind === 'added') return <ins>{text}</ins>;
  if (kind === 'removed') return <del>{text}</del>;
  return <span>{text}</span>;
}
