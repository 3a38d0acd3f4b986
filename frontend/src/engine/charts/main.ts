/**
 * What reads charts of Mermaid on the server: one script that needs no DOM. It sets `globalThis.draftsmithCharts`. A question is the
 * JSON of `{text}`, its answer that of `ChartAnswer`.
 */
import '../globals';
import { readChart } from './read';

async function run(question: string): Promise<string> {
  const { text } = JSON.parse(question) as { text: string };
  return withEntities(JSON.stringify(await readChart(text)));
}

/** Entities as they are written in HTML; before it parses, Mermaid puts signs of its own in place of `#` and `;`. */
const withEntities = (answer: string): string =>
  answer.replaceAll('ﬂ°°', '&#').replaceAll('ﬂ°', '&').replaceAll('¶ß', ';');

(globalThis as unknown as { draftsmithCharts: { run: typeof run } }).draftsmithCharts = { run };
