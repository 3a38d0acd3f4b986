/** The parts of changes and their normal form. Imported through `changes.ts`. */

export type Changes = (number | [number, ...string[]])[];

/** Parts in any form: as the wire's types have them, or a CodeMirror ChangeSet (of whichever copy of the package). */
export type AnyChanges = readonly (number | readonly (number | string)[])[] | { toJSON(): unknown };

/** Length, and the replacement; null keeps. */
export type Part = [length: number, inserted: string | null];

/** The normal form. */
export function normal(changes: AnyChanges): Changes {
  return ofParts(partsOf(changes));
}

/** The parts of changes, in normal form. */
export function partsOf(changes: AnyChanges): Part[] {
  const shape = 'toJSON' in changes ? (changes.toJSON() as Changes) : changes;
  return joined(shape.map(partOf));
}

/** Changes in normal form from parts in any. */
export function ofParts(parts: readonly Part[]): Changes {
  return joined(parts).map(([length, inserted]) => {
    if (inserted === null) return length;
    return inserted === '' ? [length] : [length, ...inserted.split('\n')];
  });
}

function partOf(part: number | readonly (number | string)[]): Part {
  if (typeof part === 'number') return [part, null];
  return [part[0] as number, part.slice(1).join('\n')];
}

function joined(parts: readonly Part[]): Part[] {
  const found: Part[] = [];
  for (const [length, inserted] of parts) {
    if (length === 0 && !inserted) continue;
    const last = found.at(-1);
    if (last && (last[1] === null) === (inserted === null)) {
      last[0] += length;
      if (inserted !== null) last[1] += inserted;
    } else found.push([length, inserted]);
  }
  return found;
}

/** Whether a position is between the halves of a surrogate pair. */
export function splitsPair(text: string, at: number): boolean {
  return at > 0 && at < text.length && isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
