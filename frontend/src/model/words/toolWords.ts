/** Calls of the assistant's tools in words. Pure. Not here: reasons of refusals (`codeWords.ts`). */

export interface CallFacts {
  name: string;
  status: 'ok' | 'refused' | 'unknown_tool';
}

/** What a tool that changes something is about, and what calling it means. */
const EDITS: Readonly<Record<string, { what: string; done: string; prepared: string; tried: string }>> = {
  edit_diagram: {
    what: 'A change of the diagram',
    done: 'Changed the diagram',
    prepared: 'Prepared changes of the diagram',
    tried: 'Tried to change the diagram',
  },
  edit_document: {
    what: 'A change of the document',
    done: 'Changed the document',
    prepared: 'Prepared changes of the document',
    tried: 'Tried to change the document',
  },
  rewrite_diagram: {
    what: 'The diagram as a whole',
    done: 'Wrote the diagram anew',
    prepared: 'Prepared the diagram anew',
    tried: 'Tried to write the diagram anew',
  },
  rewrite_document: {
    what: 'The document as a whole',
    done: 'Wrote the document anew',
    prepared: 'Prepared the document anew',
    tried: 'Tried to write the document anew',
  },
};

const READS: Readonly<Record<string, string>> = {
  find_nodes: 'Looked for nodes',
  find_text: 'Looked for text',
  read_nodes: 'Read nodes',
  read_section: 'Read the document',
  neighbours: 'Looked at what is connected',
  paths: 'Followed paths',
  impact: 'Followed what depends on it',
  check_diagram: 'Checked the diagram',
  find_commits: 'Searched the history',
  read_commit: 'Read a change',
  report_findings: 'Reported findings',
};

/**
 * A call in words. Until a request is applied, its edits have changed nothing: `isApplied` says whether it is.
 *
 * A tool that this page does not know is named as it is.
 */
export function callWords({ name, status }: CallFacts, isApplied: boolean): string {
  if (status === 'unknown_tool') return `Called “${name}”, which does not exist`;
  const edit = wordsFor(EDITS, name);
  const [plugin, tool] = name.split('__');
  if (tool)
    return status === 'refused' ? `Did not call “${tool}” of ${plugin}` : `Called “${tool}” of ${plugin}`;
  if (!edit) return wordsFor(READS, name) ?? `Called “${name}”`;
  if (status === 'refused') return edit.tried;
  return isApplied ? edit.done : edit.prepared;
}

/** Whether it is a call of a tool that changes something, and was refused. */
export const isRefusedBatch = ({ name, status }: CallFacts): boolean =>
  status === 'refused' && wordsFor(EDITS, name) !== undefined;

/** What a refused batch was about: “A change of the diagram”. */
export const batchWords = (tool: string): string => wordsFor(EDITS, tool)?.what ?? `A call of “${tool}”`;

/** Names come from a model: `constructor` is one that no table has. */
const wordsFor = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
