/** The tasks of a document (`- [ ] …`): their positions, and the change that checks one. Pure. */

import { lineStarts } from './lineStarts';
import { documentTokens } from './markdown';

export interface Task {
  /** Units from the start of the text to the character between the brackets. */
  at: number;
  isDone: boolean;
  /** The rest of its line. */
  words: string;
}

export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

// Marks of quotes and lists may precede it on the same line.
const AHEAD = /^(?:\s|>|[-*+](?=\s)|\d{1,9}[.)](?=\s))*\[(?=[ xX]\])/;

/** All tasks, in the order in which they are shown. */
export function tasksOf(text: string): Task[] {
  const starts = lineStarts(text);
  return documentTokens(text).flatMap((token) => {
    const start = starts[token.map?.[0] ?? -1];
    if (start === undefined || !token.children?.some(({ type }) => type === 'task')) return [];
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end);
    const ahead = AHEAD.exec(line);
    if (!ahead) return [];
    const mark = ahead[0].length;
    return [{ at: start + mark, isDone: text[start + mark] !== ' ', words: line.slice(mark + 1) }];
  });
}

/**
 * Checks or unchecks the task of that number; null where it is not the one in `visibleText`, because others have moved it
 * since.
 */
export function toggledTask(text: string, index: number, visibleText: string = text): TextChange | null {
  const task = tasksOf(text)[index];
  const seen = tasksOf(visibleText)[index];
  return task && task.words === seen?.words && task.isDone === seen.isDone
    ? { from: task.at, to: task.at + 1, insert: task.isDone ? ' ' : 'x' }
    : null;
}
