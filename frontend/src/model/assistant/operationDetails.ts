/**
 * The details of a proposed operation that its sentence leaves out: the words of the document, the value of a field.
 * Taken from the operation as it was requested; unknown fields are left out. Pure.
 */
const MAX_CHARS = 80;

type Facts = Readonly<Record<string, unknown>>;

/** The details in one line; empty where the sentence has it all. */
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
  // Its address says nothing to people.
  if (name === 'image') return 'an image';
  return quoted(value) && `${name} ${quoted(value)}`;
}

/** A text on one line in quotation marks, cut where it is long; empty for anything else. */
function quoted(value: unknown): string {
  if (typeof value !== 'string') return '';
  const line = value.replace(/\s+/g, ' ').trim();
  const letters = [...line];
  if (letters.length === 0) return '';
  return `“${letters.length > MAX_CHARS ? `${letters.slice(0, MAX_CHARS - 1).join('')}…` : line}”`;
}
