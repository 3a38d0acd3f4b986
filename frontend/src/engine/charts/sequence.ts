/** Sequence diagrams: participants and notes as boxes, boxes around participants as groups, messages as numbered lines. */
import { type Box, colorsOf, filled, type LeftOut, type Line, type Parts, textOf } from './chart';
import { noteLine } from './classes';

interface ParticipantBox {
  name?: unknown;
  fill?: string;
}

interface Actor {
  description?: unknown;
  type?: string;
  box?: ParticipantBox;
  links?: Record<string, unknown>;
}

interface Message {
  id?: string;
  from?: string;
  to?: string;
  message?: unknown;
  type?: number;
}

export interface SequenceDb {
  getActors(): Map<string, Actor>;
  getBoxes(): ParticipantBox[];
  getMessages(): Message[];
  getDiagramTitle(): string | undefined;
  LINETYPE: Record<string, number>;
}

const BLOCK = /^(LOOP|ALT|OPT|PAR|PAR_OVER|RECT|CRITICAL|BREAK)_START$/;
const NO_MESSAGE = /_(?:START|END|ELSE|AND|OPTION)$|^(?:NOTE|AUTONUMBER|CENTRAL_\w+)$/;

export function sequenceParts(db: SequenceDb): Parts {
  const words = new Map(Object.entries(db.LINETYPE).map(([word, type]) => [type, word]));
  const groups = db.getBoxes();
  const boxes: Box[] = [
    ...groups.map(
      (group, at): Box => ({
        name: groupName(at),
        text: textOf(group.name) || `Box ${at + 1}`,
        word: 'group',
        is_group: true,
        is_nameless: true,
        colors: colorsOf([group.fill]),
      }),
    ),
    ...[...db.getActors()].map(([name, actor]): Box => {
      const at = actor.box ? groups.indexOf(actor.box) : -1;
      return {
        name,
        text: textOf(actor.description) || name,
        word: actor.type ?? 'participant',
        inside: at < 0 ? '' : groupName(at),
        properties: filled(actor.links ?? {}),
      };
    }),
  ];
  const lines: Line[] = [];
  const leftOut: LeftOut[] = [];
  let number = 0;
  for (const message of db.getMessages()) {
    const word = words.get(message.type ?? -1) ?? '';
    const text = textOf(message.message);
    const block = BLOCK.exec(word)?.[1]?.toLowerCase().replace('_', ' ');
    if (block) leftOut.push({ text, reason: `a block (${block}) is not kept, and the messages in it are` });
    if (word === 'NOTE') {
      const name = `note:${boxes.length}`;
      boxes.push({ name, text, word: 'note', is_nameless: true });
      lines.push(
        ...[...new Set([message.from, message.to])].flatMap((about) =>
          about ? [noteLine(name, about)] : [],
        ),
      );
    }
    if (!word || NO_MESSAGE.test(word) || message.from === undefined || message.to === undefined) continue;
    number += 1;
    lines.push(lineOf(word, message.from, message.to, `${number}. ${text}`.trim()));
  }
  return { boxes, lines, left_out: leftOut, title: db.getDiagramTitle() ?? '' };
}

/** No participant has a colon in its name. */
const groupName = (at: number): string => `box:${at}`;

function lineOf(word: string, from: string, to: string, text: string): Line {
  const isBack = word.includes('REVERSE');
  return {
    source: isBack ? to : from,
    target: isBack ? from : to,
    text,
    // An open head, `-)`, is Mermaid's sign of a message that nobody waits for.
    kind: word.endsWith('_POINT') ? 'async' : 'sync',
    direction: word.startsWith('BIDIRECTIONAL') ? 'both' : 'forward',
    is_dashed: word.includes('DOTTED'),
  };
}
