/** What a page becomes on paper, and what stands there. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PYTHON = path.join(ROOT, '.venv/bin/python');

export interface Paper {
  /** In points. */
  width: number;
  height: number;
  text: string;
  /** Addresses; `#` for a place in the file. */
  links: string[];
}

/** The sheets that a page is printed on, of the sizes that its style says. */
export async function printed(page: Page): Promise<Paper[]> {
  return papersIn(await page.pdf({ format: 'A4', preferCSSPageSize: true }));
}

export function papersIn(pdf: Buffer): Paper[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'draftsmith-pdf-'));
  try {
    const file = path.join(folder, 'printed.pdf');
    writeFileSync(file, pdf);
    const said = execFileSync(PYTHON, ['-P', '-m', 'tests.pdf_pages', file], {
      env: { ...process.env, PYTHONPATH: ROOT },
      encoding: 'utf8',
      maxBuffer: 50_000_000,
    });
    return JSON.parse(said) as Paper[];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
