/** What somebody did and what they were told, as lines for people: where `$TRANSCRIPT` names a file, it is left there. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';

const FILE = process.env.TRANSCRIPT ? path.resolve(import.meta.dirname, '../..', process.env.TRANSCRIPT) : '';

/** What differs from machine to machine. */
const VARYING: [RegExp, string][] = [
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:11434'],
  [/about [\d,]+ tokens in a second/g, 'about N tokens in a second'],
  [/word came after [\d.]+ seconds/g, 'word came after N seconds'],
];

export class Transcript {
  private readonly lines: string[] = [];

  /** What somebody does. */
  does(what: string): void {
    this.lines.push('', `> ${withoutVarying(what)}`);
  }

  /** What the page says then, a line for each piece. */
  async reads(...shown: Locator[]): Promise<void> {
    for (const one of shown)
      for (const text of await one.allInnerTexts()) this.lines.push(`  ${withoutVarying(text)}`);
  }

  /** Leave the lines where they are wanted. */
  close(): void {
    if (!FILE) return;
    mkdirSync(path.dirname(FILE), { recursive: true });
    writeFileSync(FILE, `${this.lines.join('\n').trim()}\n`);
  }
}

function withoutVarying(text: string): string {
  const line = text.replace(/\s*\n\s*/g, ' · ').trim();
  return VARYING.reduce((said, [pattern, word]) => said.replace(pattern, word), line);
}
