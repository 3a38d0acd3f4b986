/** The number of mentions of the selection in the document, with buttons to go from one to the next. */
import { ChevronDown, ChevronUp } from 'lucide-react';
import { counted } from '../../model/words/kinds';
import { IconButton } from '../ui/IconButton';

interface Props {
  /** The name of the selection. */
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
