/** The cost of a request: time, tokens, and money where the server knows a price. */
import type { Turn } from '../../../model/assistant/card';
import { priceOf, usageTexts } from '../../../model/assistant/runCost';
import { useAssistantPart } from '../useAssistant';

export function RunCost({ turn: { record, progress } }: { turn: Turn }) {
  const assistant = useAssistantPart((facts) => facts.assistant);
  if (!record || record.status === 'running') return null;
  const usage = progress?.end?.outcome.usage ?? record.outcome?.usage;
  const seconds = (Date.parse(record.updated_at) - Date.parse(record.created_at)) / 1000;
  const tokens = usage ? { input: usage.input_tokens, output: usage.output_tokens } : null;
  const parts = usageTexts({ tokens, seconds }, assistant ? priceOf(assistant, record) : null);
  if (record.edit_mode === 'regenerate' && record.model && record.workflow === 'edit')
    parts.unshift('written anew as a whole');
  if (record.model) parts.unshift(record.model);
  if (parts.length === 0) return null;
  return <p className="card-numbers">{parts.join(' · ')}</p>;
}
