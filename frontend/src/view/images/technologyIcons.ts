/**
 * Icons of technologies as the page has them: the table of their names is read once, when a node first has a technology, and the
 * icon of each that is used. Not here: which icon a technology has (`model/words/technologies`).
 */
import { useEffect, useState } from 'react';
import {
  type EmbeddedImages,
  type IconAddresses,
  MAX_ALL_ICON_BYTES,
  type PictureImages,
} from '../../model/export/nodeImages';
import {
  type IconTable,
  iconAddress,
  iconFor,
  type TechnologyIcon,
  tableOf,
} from '../../model/words/technologies';
import { ROOT_PATH } from '../../protocol/root';
import { untilLoaded } from '../ui/loading/later';
import { dataAddress } from './imageBytes';

let known: IconTable | null = null;
let asked: Promise<IconTable> | null = null;

async function readTable(): Promise<IconTable> {
  const answer = await fetch(`${ROOT_PATH}/icons/index.json`);
  // A server of another release may have none.
  if (answer.status === 404) return new Map();
  if (!answer.ok) throw new Error(`The icons of technologies were not read: ${answer.status}`);
  return tableOf(((await answer.json()) as { icons: TechnologyIcon[] }).icons);
}

/** The table; while the server is away it is asked for again. */
function whenRead(): Promise<IconTable> {
  asked ??= untilLoaded(readTable).then(
    (table) => {
      known = table;
      return table;
    },
    (error: unknown) => {
      asked = null;
      throw error;
    },
  );
  return asked;
}

/** The table as soon as it is read; null until then. */
export function useIconTable(): IconTable | null {
  const [table, setTable] = useState(known);
  useEffect(() => {
    if (table) return;
    let isHere = true;
    void whenRead().then(
      (read) => isHere && setTable(read),
      () => undefined, // Icons of types stay.
    );
    return () => {
      isHere = false;
    };
  }, [table]);
  return table;
}

export const sourceOfIcon = ({ file }: TechnologyIcon): string => `${ROOT_PATH}/${file}`;

/** Icons for a picture, as far as they are there and have room. */
export async function embeddedIcons(technologies: readonly string[]): Promise<Required<PictureImages>> {
  if (technologies.length === 0) return { images: {}, icons: {} };
  known ??= await readTable().catch(() => null);
  const { icons, addresses } = iconsOf(technologies);
  const read = await Promise.all(icons.map(bytesOf));
  const images: Record<string, string> = {};
  let room = MAX_ALL_ICON_BYTES;
  for (const [at, icon] of icons.entries()) {
    const bytes = read[at];
    if (!bytes || bytes.size > room) continue;
    const data = await dataAddress(bytes);
    if (!data) continue;
    images[iconAddress(icon)] = data;
    room -= bytes.size;
  }
  return { images, icons: addresses };
}

/** The same without waiting: with the addresses where the page has them from. */
export function iconsAtOnce(technologies: readonly string[]): Required<PictureImages> {
  const { icons, addresses } = iconsOf(technologies);
  const images: EmbeddedImages = Object.fromEntries(
    icons.map((icon) => [iconAddress(icon), sourceOfIcon(icon)]),
  );
  return { images, icons: addresses };
}

/** The icons of these technologies, each once, in the order in which they get room. */
function iconsOf(technologies: readonly string[]): { icons: TechnologyIcon[]; addresses: IconAddresses } {
  const found = technologies.flatMap((technology) => {
    const icon = known && iconFor(technology, known);
    return icon ? [[technology, icon] as const] : [];
  });
  const icons = new Map(found.map(([, icon]) => [iconAddress(icon), icon]));
  return {
    icons: [...icons.keys()].sort().flatMap((address) => icons.get(address) ?? []),
    addresses: Object.fromEntries(found.map(([technology, icon]) => [technology, iconAddress(icon)])),
  };
}

async function bytesOf(icon: TechnologyIcon): Promise<Blob | null> {
  try {
    const answer = await fetch(sourceOfIcon(icon));
    return answer.ok ? new Blob([await answer.arrayBuffer()], { type: 'image/svg+xml' }) : null;
  } catch {
    return null;
  }
}
