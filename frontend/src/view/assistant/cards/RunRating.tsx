/** The rating of an ended request by the person who made it: two toggles, at most one of them pressed. */
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import type { Turn } from '../../../model/assistant/card';
import { isRateable } from '../../../model/assistant/turns';
import type { Rating } from '../../../protocol/types';
import { IconButton } from '../../ui/IconButton';
import { useAssistantActions } from '../useAssistant';

const CHOICES = [
  { value: 'up', label: 'This helped', icon: ThumbsUp },
  { value: 'down', label: 'This did not help', icon: ThumbsDown },
] as const satisfies readonly { value: Rating; label: string; icon: typeof ThumbsUp }[];

export function RunRating({ turn }: { turn: Turn }) {
  const { rate } = useAssistantActions();
  if (!isRateable(turn)) return null;
  const rating = turn.record?.rating ?? null;
  return (
    <div className="card-rating" role="group" aria-label="What you think of it">
      {CHOICES.map(({ value, label, icon }) => (
        <IconButton
          key={value}
          icon={icon}
          label={label}
          className="small tip-left"
          aria-pressed={rating === value}
          onClick={() => rate(turn.run, rating === value ? null : value)}
        />
      ))}
    </div>
  );
}
