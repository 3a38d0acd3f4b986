import type { CodeWords } from '../src/protocol/codes';

export function codesOf(page: string): { steps: Record<string, string>; codes: Record<string, CodeWords> };
