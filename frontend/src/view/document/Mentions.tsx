/** How often the document speaks of what is selected, and the way from one place to the next. */
import { ChevronDown, ChevronUp } from 'lucide-react';
import { counted } from '../../model/words/kinds';
import { IconButton } from '../ui/IconButton';

interface Props {
  /** What is selected, in words. */
  what: string;
  count: number;
  onStep: (by: 1 | -1) => void;
}

export function Mentions({ what, count, onStep }: Props) {
  return (
    <div className="mentions" role="group" aria-label={`Mentions of ${what}`}>
      <span role="status" title={`Mentions of ${what}`}>
        {counted(count, 'mention')}
      </span>
      <IconButton
        icon={ChevronUp}
        label="Previous mention"
        className="small tip-up"
        onClick={() => onStep(-1)}
      />
      <IconButton
        icon={ChevronDown}
        label="Next mention"
        className="small tip-up"
        onClick={() => onStep(1)}
      />
    </div>
  );
}
