/**
 * The particulars of a proposed operation that its sentence leaves out: which words of the document, which value of a
 * field. From the operation as it was asked for; what is not known of it is left out. Pure.
 */
const MAX_CHARS = 80;

type Facts = Readonly<Record<string, unknown>>;

/** In a line; empty where the sentence has said it all. */
export function operationDetails(op: string, asked: unknown): string {
  const facts = (typeof asked === 'object' && asked !== null ? asked : {}) as Facts;
  switch (op) {
    case 'edit_section':
      return quoted(facts.find) && `${quoted(facts.find)} → ${quoted(facts.replace) || 'nothing'}`;
    case 'append_to_section':
    case 'insert_section':
      return quoted(facts.text);
    case 'replace_section':
      return quoted(facts.text) && `now ${quoted(facts.text)}`;
    case 'update_node':
    case 'update_edge':
      return Object.entries(facts)
        .filter(([field]) => !ADDRESS.has(field))
        .map(([field, value]) => fieldText(op === 'update_node' && field === 'label' ? 'name' : field, value))
        .filter(Boolean)
        .join(', ');
    default:
      return '';
  }
}

const ADDRESS: ReadonlySet<string> = new Set(['op', 'id', 'source', 'target', 'current_label']);

function fieldText(name: string, value: unknown): string {
  if (value === null) return `no ${name}`;
  return quoted(value) && `${name} ${quoted(value)}`;
}

/** A text on one line in quotation marks, cut where it is long; empty for what is no text. */
function quoted(value: unknown): string {
  if (typeof value !== 'string') return '';
  const line = value.replace(/\s+/g, ' ').trim();
  const letters = [...line];
  if (letters.length === 0) return '';
  return `“${letters.length > MAX_CHARS ? `${letters.slice(0, MAX_CHARS - 1).join('')}…` : line}”`;
}
