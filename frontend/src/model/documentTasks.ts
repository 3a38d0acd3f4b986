/** The tasks of a document (`- [ ] …`): where their marks stand, and the change that ticks one. Pure. */

import { lineStarts } from './documentOutline';
import { documentTokens } from './markdown';

export interface Task {
  /** Units from the start of the text to the sign between the brackets. */
  at: number;
  isDone: boolean;
}

export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

// Marks of quotes and lists may stand ahead of it on the same line.
const AHEAD = /^(?:\s|>|[-*+](?=\s)|\d{1,9}[.)](?=\s))*\[(?=[ xX]\])/;

/** All tasks, in the order in which they are shown. */
export function tasksOf(text: string): Task[] {
  const starts = lineStarts(text);
  return documentTokens(text).flatMap((token) => {
    const start = starts[token.map?.[0] ?? -1];
    if (start === undefined || !token.children?.some(({ type }) => type === 'task')) return [];
    const end = text.indexOf('\n', start);
    const ahead = AHEAD.exec(text.slice(start, end < 0 ? text.length : end));
    if (!ahead) return [];
    const at = start + ahead[0].length;
    return [{ at, isDone: text[at] !== ' ' }];
  });
}

/** Tick the task of that number, or take its tick away; null if there is none. */
export function toggledTask(text: string, index: number): TextChange | null {
  const task = tasksOf(text)[index];
  return task ? { from: task.at, to: task.at + 1, insert: task.isDone ? ' ' : 'x' } : null;
}
