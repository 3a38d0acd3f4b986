/**
 * The tray, "Changes that did not fit": what was refused or could not be merged, with the reason, in words, so that a
 * person can apply it again, copy it or discard it. Items stay until then. Pure.
 */
import { type Changes, changesBetween } from '../../model/core/changes';
import type { Operation } from '../../protocol/live';
import type { Conflict } from '../text/merge';
import type { UnappliedText } from '../text/text';
import { wordsForOperations } from './operationWords';

export interface TrayItem {
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  what: string;
  why: string;
  code: string;
  operations?: Operation[];
  /** Inserted pieces of text, after `near`; and deleted ones, where nothing replaced them. */
  text?: { inserted: string[]; near: string; deleted?: string[] };
}

/** An item without its time. */
export type NewItem = Omit<TrayItem, 'at'>;

/** Why work is here that was sent, and of which the server cannot say any more whether it arrived. */
export const UNCERTAIN =
  'Whether this was carried out is not known any more. Look whether it is there before you apply it again.';

const MAX_CHARS = 60;

export class Tray {
  private items: readonly TrayItem[] = [];

  /** Oldest first; a new list after every change. */
  all(): readonly TrayItem[] {
    return this.items;
  }

  get(id: string): TrayItem | undefined {
    return this.items.find((item) => item.id === id);
  }

  add(item: TrayItem): void {
    if (!this.get(item.id)) this.items = [...this.items, item];
  }

  discard(id: string): boolean {
    const rest = this.items.filter((item) => item.id !== id);
    const isGone = rest.length < this.items.length;
    this.items = rest;
    return isGone;
  }
}

/** A batch that the server refused. */
export function refusedBatch(id: string, operations: Operation[], code: string, why: string): NewItem {
  return { id, what: wordsForOperations(operations), why, code, operations };
}

/** Typed text that the server refused. */
export function refusedText(id: string, typedText: UnappliedText, code: string, why: string): NewItem {
  const { inserted, near, deleted } = typedText;
  const text = inserted.length > 0 ? { inserted, near } : { inserted, near, deleted };
  return { id, what: wordsForText(typedText), why, code, text };
}

/** A piece of typed text that overlaps with the changes of others. */
export function overlapping(id: string, { inserted, deleted, near }: Conflict): NewItem {
  const typedText = { inserted: inserted ? [inserted] : [], deleted: deleted ? [deleted] : [], near };
  const why = 'Others changed the same words while this page was not connected; theirs stand.';
  return refusedText(id, typedText, 'text_overlap', why);
}

function wordsForText({ inserted, deleted }: UnappliedText): string {
  if (inserted.length === 0) return `Deleted text: ${quotation(deleted)}`;
  return deleted.length === 0
    ? `Typed: ${quotation(inserted)}`
    : `Typed: ${quotation(inserted)} in place of ${quotation(deleted)}`;
}

function quotation(parts: readonly string[]): string {
  const text = parts.join(' … ').replace(/\s+/g, ' ').trim();
  const cut = [...text];
  return `“${cut.length > MAX_CHARS ? `${cut.slice(0, MAX_CHARS).join('')}…` : text}”`;
}

/** The change that inserts an item's text again after `near`, else at the end; null where it has no place. */
export function putBack(text: string, item: NonNullable<TrayItem['text']>): Changes | null {
  if (item.inserted.length === 0) return without(text, item.deleted ?? []);
  const inserted = item.inserted.join('\n');
  const at = item.near === '' ? -1 : text.indexOf(item.near);
  if (at >= 0) {
    const place = at + item.near.length;
    const gap = /^\s|^$/.test(inserted) ? '' : ' ';
    return changesBetween(text, text.slice(0, place) + gap + inserted + text.slice(place));
  }
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return changesBetween(text, `${text}${gap}${inserted}`);
}

/** The change that deletes pieces of text, each of which must occur once; null if one does not. */
function without(text: string, deleted: readonly string[]): Changes | null {
  let rest = text;
  for (const stretch of deleted) {
    const at = rest.indexOf(stretch);
    if (at < 0 || rest.includes(stretch, at + 1)) return null;
    rest = rest.slice(0, at) + rest.slice(at + stretch.length);
  }
  return rest === text ? null : changesBetween(text, rest);
}
