/**
 * The words for a code, whatever it is. Pure.
 *
 * The table is `protocol/codes.ts`, generated from docs/operations.md ("In words"). Not here: the particulars of a case,
 * which the server says in `detail` and `message`.
 */
import { CODE_WORDS, type CodeWords } from '../../protocol/codes';

const UNKNOWN: CodeWords = { sentence: 'This was refused.', steps: ['retry', 'copy'] };

/** The words for a code; an HTTP status of a proxy (`http_502`) counts as `http_error`. */
export function codeWords(code: string): CodeWords {
  const known = code.startsWith('http_') ? 'http_error' : code;
  return Object.hasOwn(CODE_WORDS, known) ? (CODE_WORDS[known] ?? UNKNOWN) : UNKNOWN;
}
