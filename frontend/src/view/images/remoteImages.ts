/**
 * Images of other servers in the read half: a placeholder each, until a person says that this one is loaded, or all of that
 * server. That is remembered until the page is left. They are loaded in a frame of their own (decision 0067).
 */
import { ROOT_PATH } from '../../protocol/root';

/** What a person has said of a document. */
export class LoadedRemotely {
  private readonly addresses = new Set<string>();
  private readonly hosts = new Set<string>();

  isWanted(address: string): boolean {
    return this.addresses.has(address) || this.hosts.has(hostOf(address));
  }

  want(address: string): void {
    this.addresses.add(address);
  }

  wantAll(host: string): void {
    this.hosts.add(host);
  }
}

const chosen = new Map<string, LoadedRemotely>();

export function loadedRemotely(workspace: string): LoadedRemotely {
  const known = chosen.get(workspace) ?? new LoadedRemotely();
  chosen.set(workspace, known);
  return known;
}

const hostOf = (address: string): string => {
  try {
    return new URL(address).host;
  } catch {
    return '';
  }
};

const PLACEHOLDERS = 'a.image-placeholder[href]';

/** Gives the placeholders their buttons, and draws the images that are wanted. */
export function drawRemote(prose: Element, loaded: LoadedRemotely): void {
  const links = [...prose.querySelectorAll<HTMLAnchorElement>(PLACEHOLDERS)];
  const hosts = links.map(({ href }) => hostOf(href));
  for (const link of links) {
    const address = link.getAttribute('href') ?? '';
    const place = placeOf(link);
    if (loaded.isWanted(address)) {
      // One that gave no image waits for a person again.
      if (!place.querySelector('iframe, .image-note')) load(place, link, address);
      continue;
    }
    const host = hostOf(address);
    const isOneOfMany = hosts.filter((other) => other === host).length > 1;
    offer(place, link, [
      { words: 'Load', name: `Load ${nameOf(link)} from ${host}`, run: () => loaded.want(address) },
      ...(isOneOfMany
        ? [
            {
              words: `Load all of ${host}`,
              name: `Load all images of ${host}`,
              run: () => loaded.wantAll(host),
            },
          ]
        : []),
    ]);
  }

  function offer(place: HTMLElement, link: HTMLElement, choices: Choice[]): void {
    if (place.querySelectorAll('button').length === choices.length) return;
    place.replaceChildren(
      link,
      ...choices.map(({ words, name, run }) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.className = 'button small';
        button.textContent = words;
        button.setAttribute('aria-label', name);
        button.addEventListener('click', () => {
          run();
          drawRemote(prose, loaded);
          link.focus({ preventScroll: true });
        });
        return button;
      }),
    );
  }
}

interface Choice {
  words: string;
  /** What a screen reader says. */
  name: string;
  run: () => void;
}

const nameOf = (link: HTMLElement): string => link.querySelector('.image-name')?.textContent || 'the image';

/** The element around a placeholder, made when it is first drawn. */
function placeOf(link: HTMLElement): HTMLElement {
  const known = link.closest<HTMLElement>('.remote-image');
  if (known) return known;
  const place = document.createElement('span');
  place.className = 'remote-image';
  link.replaceWith(place);
  place.append(link);
  return place;
}

/** Replaces the buttons by a frame; the link stays, as the way to where the image comes from. */
function load(place: HTMLElement, link: HTMLElement, address: string): void {
  const frame = document.createElement('iframe');
  frame.className = 'remote-frame';
  frame.title = nameOf(link);
  frame.tabIndex = -1;
  // Readable from here for the image's size, and without scripts.
  frame.setAttribute('sandbox', 'allow-same-origin');
  frame.referrerPolicy = 'no-referrer';
  frame.addEventListener('load', () => {
    const image = frame.contentDocument?.querySelector('img');
    const [width, height] = [image?.naturalWidth ?? 0, image?.naturalHeight ?? 0];
    if (width === 0 || height === 0) return fail(place, link, address);
    frame.width = String(width);
    frame.style.aspectRatio = `${width} / ${height}`;
    place.classList.add('is-loaded');
  });
  frame.src = `${ROOT_PATH}/remote-image?address=${encodeURIComponent(address)}`;
  place.replaceChildren(frame, link);
}

function fail(place: HTMLElement, link: HTMLElement, address: string): void {
  const note = document.createElement('span');
  note.className = 'image-note';
  note.setAttribute('role', 'status');
  note.textContent = `${hostOf(address)} gave no image.`;
  const again = document.createElement('button');
  again.type = 'button';
  again.className = 'button small';
  again.textContent = 'Try again';
  again.addEventListener('click', () => load(place, link, address));
  place.replaceChildren(link, note, again);
}
