/** The stand-in for a model, as a test steers it: what it answers, and when. The other side: `tests/standin/rehearsal.py`. */
import { expect } from 'vitest';

type Call =
  | [tool: 'edit_diagram' | 'edit_document', input: { operations: object[]; explanation?: string }]
  | [tool: 'rewrite_document', input: { text: string }]
  | [tool: 'find_nodes', input: { query: string }]
  | [tool: `${string}__${string}`, input: object]
  | [tool: 'find_commits', input: { section: string }]
  | [tool: 'report_findings', input: { findings: object[] }]
  | [tool: 'propose_option', input: Option]
  | [tool: 'search_patterns', input: { text: string }];

/** An alternative, as the model proposes it. */
export interface Option {
  title: string;
  summary: string;
  gains: string[];
  costs: string[];
  operations: object[];
}

/** One answer of the model. */
export interface Answer {
  thinking?: string;
  text?: string;
  calls?: Call[];
  /** Wait before the first word, or before the last block ends, until it is let go. */
  holds?: 'start' | 'end';
  /** Break off after the first words. */
  breaks?: 'cut' | 'error';
  declines?: boolean;
  /** An error status instead, such as `rate_limit_error`. */
  error?: string;
  retry_after?: string;
}

interface Seen {
  holding: number;
  streaming: number;
  asked: number;
  disconnects: number;
  refused: string[];
}

/** Changes of the diagram, as the model calls for them. */
export const diagram = (...operations: object[]): Call => ['edit_diagram', { operations }];

/** Changes of the document, as the model calls for them. */
export const documentOf = (...operations: object[]): Call => ['edit_document', { operations }];

export class Rehearsal {
  constructor(private readonly url: string) {}

  /** What is answered to a request: a take for each time that it is made, the last from then on. */
  async plays(request: string, ...takes: Answer[][]): Promise<void> {
    await this.post('parts', { request, takes });
  }

  /** Wait until an answer waits to be let go. */
  async holds(count = 1): Promise<void> {
    await expect.poll(async () => (await this.seen()).holding).toBe(count);
  }

  async letGo(): Promise<void> {
    await this.post('let-go', {});
  }

  async seen(): Promise<Seen> {
    return (await (await fetch(`${this.url}/rehearsal`)).json()) as Seen;
  }

  private async post(what: string, body: object): Promise<void> {
    const response = await fetch(`${this.url}/rehearsal/${what}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`);
  }
}
