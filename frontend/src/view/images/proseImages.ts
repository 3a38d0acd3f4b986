/**
 * Draws the images of the read half, also those that come with new text: own ones in frames, with a handle for their width;
 * those of other servers as placeholders. Not here: which addresses are own ones (`model/text/images.ts`), placeholders
 * (`remoteImages.ts`).
 */
import '../styles/images.css';
import { hashOfImage, MIN_WIDTH, type ShownImage } from '../../model/text/images';
import type { LocalImage, Uploads } from '../../sync/images/uploads';
import { missingImagesOf } from './missingImages';
import { drawRemote, loadedRemotely } from './remoteImages';
import { wordsForImage } from './uploadWords';
import { sourceOf } from './workspaceImages';

export interface ProseTools {
  workspace: string;
  uploads: Uploads;
  isWritable: boolean;
  /** Writes a width down, null for its own. Returns whether that could be done. */
  resize: (image: ShownImage, width: number | null) => boolean;
}

/** Draws them until the function that it returns is called. */
export function watchImages(prose: HTMLElement, tools: ProseTools): () => void {
  const images = new ProseImages(prose, tools);
  return () => images.end();
}

class ProseImages {
  private readonly frames = new Map<HTMLImageElement, ImageFrame>();
  private readonly changes = new MutationObserver(() => this.draw());
  private readonly leave: () => void;
  private isOver = false;
  /** The image whose handle gets the focus again when its block was drawn anew. */
  private refocused: ShownImage | null = null;

  constructor(
    private readonly prose: HTMLElement,
    private readonly tools: ProseTools,
  ) {
    const { uploads } = tools;
    this.leave = uploads.subscribe(() => {
      for (const frame of this.frames.values()) frame.update();
    });
    // What this browser has is shown from here, so it has to be known first.
    void uploads.ready.then(() => {
      if (this.isOver) return;
      this.changes.observe(prose, { childList: true, subtree: true });
      this.draw();
    });
  }

  end(): void {
    this.isOver = true;
    this.leave();
    this.changes.disconnect();
    for (const frame of this.frames.values()) frame.end();
    for (const handle of this.prose.querySelectorAll('.image-handle')) handle.remove();
  }

  private draw(): void {
    for (const [image, frame] of this.frames) if (!image.isConnected) this.forget(image, frame);
    for (const image of this.prose.querySelectorAll<HTMLImageElement>('img[data-image]')) {
      const frame = this.frames.get(image) ?? this.frame(image);
      const handle = frame.element.querySelector('.image-handle');
      if (this.tools.isWritable && !handle) frame.element.append(this.handleFor(image));
    }
    drawRemote(this.prose, loadedRemotely(this.tools.workspace));
    this.refocus();
  }

  private forget(image: HTMLImageElement, frame: ImageFrame): void {
    frame.end();
    this.frames.delete(image);
  }

  private frame(image: HTMLImageElement): ImageFrame {
    const around = image.closest('.image-frame');
    // Framed by an earlier watch.
    if (around) around.replaceWith(image);
    const frame = new ImageFrame(image, this.tools.workspace, this.tools.uploads);
    this.frames.set(image, frame);
    return frame;
  }

  private handleFor(image: HTMLImageElement): HTMLElement {
    return widthHandle(image, (wanted, written) => {
      const shown = this.shown(image, written);
      const isFocused = image.parentElement?.contains(document.activeElement) === true;
      this.refocused = isFocused ? shown : null;
      return this.tools.resize(shown, wanted);
    });
  }

  private shown(image: HTMLImageElement, width: number | null): ShownImage {
    const address = image.dataset.image ?? '';
    const all = this.imagesAt(address);
    return { address, at: all.indexOf(image), of: all.length, alt: image.alt, width };
  }

  private imagesAt(address: string): HTMLImageElement[] {
    return [...this.prose.querySelectorAll<HTMLImageElement>(`img[data-image="${address}"]`)];
  }

  private refocus(): void {
    const { refocused } = this;
    if (!refocused || document.activeElement !== document.body) return;
    const image = this.imagesAt(refocused.address)[refocused.at];
    image?.parentElement?.querySelector<HTMLElement>('.image-handle')?.focus({ preventScroll: true });
    this.refocused = null;
  }
}

/** An own image in the read half, in a frame of its own: where its bytes come from, and a note while they are on their way. */
class ImageFrame {
  readonly element = document.createElement('span');
  readonly address: string;
  readonly sha256: string;
  /** Whether neither this browser nor the server has it. */
  private isMissing = false;
  private readonly note = document.createElement('span');
  private said = '';
  private endWait = () => {};

  constructor(
    readonly image: HTMLImageElement,
    private readonly workspace: string,
    private readonly uploads: Uploads,
  ) {
    this.address = image.dataset.image ?? '';
    this.sha256 = hashOfImage(this.address) ?? '';
    this.element.className = 'image-frame';
    this.note.className = 'image-note';
    image.decoding = 'async';
    // Copied along with it: whoever pastes it elsewhere can have its bytes from here.
    image.dataset.workspace = workspace;
    image.replaceWith(this.element);
    this.element.append(image, this.note);
    image.addEventListener('error', () => this.fail());
    image.addEventListener('load', () => this.setMissing(false));
    this.update();
  }

  /** Shows what is known of it by now. */
  update(): void {
    const source = sourceOf(this.workspace, this.address);
    if (this.image.getAttribute('src') !== source) this.image.src = source;
    this.show(this.uploads.get(this.sha256));
  }

  /** Asks no more for what is missing. */
  end(): void {
    this.endWait();
  }

  private fail(): void {
    this.setMissing(true);
    this.endWait();
    this.endWait = missingImagesOf(this.workspace).wait(this.sha256, () => {
      this.image.src = sourceOf(this.workspace, this.address);
    });
  }

  private setMissing(isMissing: boolean): void {
    this.isMissing = isMissing;
    this.element.classList.toggle('missing', isMissing);
    this.show(this.uploads.get(this.sha256));
  }

  private show(local: LocalImage | null): void {
    const words = wordsForImage(local, this.isMissing);
    // Drawn anew only when it says something else: a button in it keeps the focus.
    if (words === this.said) return;
    this.said = words;
    this.note.replaceChildren(words);
    if (local?.state !== 'refused') return;
    this.note.append(
      actionButton('Try again', () => this.uploads.retry(this.sha256)),
      actionButton('Discard image', () => void this.uploads.remove(this.sha256)),
    );
  }
}

function actionButton(words: string, run: () => void): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = 'button small';
  element.textContent = words;
  element.addEventListener('click', run);
  return element;
}

/** By how many pixels an arrow key changes the width; with Shift by the wide step. */
const STEP = 10;
const WIDE_STEP = 50;

/** Writes down a width in place of the one that is written, null for none. Returns whether that could be done. */
type WriteWidth = (width: number | null, written: number | null) => boolean;

/**
 * The handle at the edge of an image, by pointer or keyboard. The width is shown at once, and written down at the end: when the pointer is released, at Enter, or
 * when the handle loses the focus. Escape takes it back; Delete gives the image its own width again.
 */
function widthHandle(image: HTMLImageElement, commit: WriteWidth): HTMLElement {
  const handle = document.createElement('span');
  handle.className = 'image-handle';
  handle.tabIndex = 0;
  handle.setAttribute('role', 'slider');
  handle.setAttribute('aria-label', `Width of ${image.alt || 'the image'}`);
  handle.setAttribute('aria-orientation', 'horizontal');
  handle.title = 'Drag to change the width; double-click for its own';
  let written = image.getAttribute('width');
  const most = () => Math.max(MIN_WIDTH, Math.floor(image.closest('.prose')?.clientWidth ?? MIN_WIDTH));
  const now = () => Math.round(image.getBoundingClientRect().width);
  const say = () => {
    handle.setAttribute('aria-valuemin', String(MIN_WIDTH));
    handle.setAttribute('aria-valuemax', String(Math.max(most(), now())));
    handle.setAttribute('aria-valuenow', String(Math.max(MIN_WIDTH, now())));
    handle.setAttribute('aria-valuetext', `${now()} pixels`);
  };
  const isChanged = () => image.getAttribute('width') !== written;
  const show = (width: number) => {
    image.width = Math.round(Math.min(Math.max(width, MIN_WIDTH), most()));
    say();
  };
  const takeBack = () => {
    if (written === null) image.removeAttribute('width');
    else image.setAttribute('width', written);
    say();
  };
  const write = (width: number | null) => {
    const before = written;
    written = width === null ? null : String(width);
    // Drawn anew a moment later; until then the handle goes on from here.
    if (!commit(width, before === null ? null : Number(before))) written = before;
    takeBack();
  };
  const end = () => {
    if (isChanged()) write(image.width);
  };
  image.addEventListener('load', say);
  say();
  handle.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    handle.focus();
    const [from, width] = [event.clientX, now()];
    const ends = new AbortController();
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener('pointermove', ({ clientX }) => show(width + clientX - from), {
      signal: ends.signal,
    });
    const finish = (event: Event) => {
      ends.abort();
      if (event.type === 'pointerup') end();
      else takeBack();
    };
    for (const type of ['pointerup', 'pointercancel'])
      handle.addEventListener(type, finish, { signal: ends.signal });
  });
  handle.addEventListener('dblclick', () => write(null));
  handle.addEventListener('focus', say);
  handle.addEventListener('blur', end);
  handle.addEventListener('keydown', (event) => {
    const step = event.shiftKey ? WIDE_STEP : STEP;
    if (event.key === 'ArrowLeft' || event.key === 'ArrowDown') show(now() - step);
    else if (event.key === 'ArrowRight' || event.key === 'ArrowUp') show(now() + step);
    else if (event.key === 'Home') show(MIN_WIDTH);
    else if (event.key === 'End') show(most());
    else if (event.key === 'Enter') end();
    else if (event.key === 'Escape' && isChanged()) takeBack();
    else if (event.key === 'Delete' || event.key === 'Backspace') write(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return handle;
}
