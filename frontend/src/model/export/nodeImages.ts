/**
 * Images of nodes and icons of technologies in a picture, embedded as `data:` addresses: which a picture shows, and how much room
 * they have. The server decides by the same rule (`usecases/upkeep/node_images.py`), so that both draw alike. Pure. Not here:
 * their bytes.
 */
import type { DiagramNode } from '../../protocol/types';
import { type Drawing, isFrame } from '../drawing/drawing';
import { element } from './xml';

/** Bytes that an image may have to be drawn in a picture; one that has more leaves the icon. */
export const MAX_DRAWN_BYTES = 1_000_000;
/** The same for all images of a picture, each counted once. */
export const MAX_ALL_DRAWN_BYTES = 2_000_000;
/** The same for all icons of technologies of a picture. */
export const MAX_ALL_ICON_BYTES = 500_000;

/** Addresses that hold the whole of an image, by the address that nodes have for it, or by that of an icon. */
export type EmbeddedImages = Readonly<Record<string, string>>;

/** Addresses of icons, by technologies as nodes have them. */
export type IconAddresses = Readonly<Record<string, string>>;

export interface PictureImages {
  /** For one that is not there the icon of its node's type is drawn. */
  images?: EmbeddedImages | undefined;
  icons?: IconAddresses | undefined;
}

type Shown = Pick<DiagramNode, 'type' | 'image' | 'technology' | 'custom'>;

/** The images that these nodes would show in a picture, each once, in the order in which they get room. A frame shows none. */
export function imagesShown(nodes: readonly Pick<DiagramNode, 'type' | 'image'>[]): string[] {
  const shown = nodes.filter(({ type, image }) => image && type !== 'group');
  return [...new Set(shown.map(({ image }) => image))].sort();
}

/**
 * The technologies whose icons these nodes would show in a picture: of those without an image, their own and those of their types,
 * each once.
 */
export function technologiesShown(nodes: readonly Shown[]): string[] {
  const shown = nodes.filter(({ type, image }) => !image && type !== 'group');
  return [...new Set(shown.flatMap(technologiesOf))].filter(Boolean);
}

/** Whose icons a card may show, best first: of the technology of the node, and of its custom type. */
const technologiesOf = ({ technology, custom }: Pick<Shown, 'technology' | 'custom'>): string[] => [
  technology,
  custom?.icon ?? '',
];

/**
 * What a card shows in place of the icon of its type: the image of the node, or the icon of its technology or of its custom type;
 * empty for none.
 */
export function shownBy(
  { image, ...node }: Pick<Shown, 'image' | 'technology' | 'custom'>,
  icons: IconAddresses,
): string {
  const known = technologiesOf(node).find((technology) => Object.hasOwn(icons, technology));
  return image || (icons[known ?? ''] ?? '');
}

/** The images and icons of a drawing that are there, with the ids by which cards show them. */
export function imageIds(
  { nodes }: Drawing,
  images: EmbeddedImages,
  icons: IconAddresses,
): Map<string, string> {
  const shown = nodes.filter((drawn) => !isFrame(drawn)).map(({ node }) => shownBy(node, icons));
  const there = [...new Set(shown)].filter((address) => images[address]).sort();
  // With a slash, which no address of a heading in the same page has.
  return new Map(there.map((address, at) => [address, `image/${at + 1}`]));
}

/** Each image once, whatever number of nodes shows it. In an element that runs nothing of it and loads nothing. */
export function imagesSvg(ids: ReadonlyMap<string, string>, images: EmbeddedImages, size: number): string {
  if (ids.size === 0) return '';
  const all = [...ids].map(([address, id]) =>
    element('image', { id, width: size, height: size, href: images[address] }),
  );
  return element('defs', {}, ...all);
}
