/** A request to the assistant as it was said, and the card of what came of it. */
import type { Turn } from '../../../model/assistantCard';

export function TurnCard({ turn }: { turn: Turn }) {
  return <article className="assistant-card" data-run={turn.run} />;
}
