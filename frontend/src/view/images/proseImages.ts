/**
 * Draws the images of the read half, also those that come with new text: own ones in frames, those of other servers as
 * placeholders. Not here: which addresses are own ones (`model/text/images.ts`).
 */
import '../styles/images.css';
import type { ShownImage } from '../../model/text/images';
import type { Uploads } from '../../sync/images/uploads';
import { ImageFrame } from './imageFrame';
import { widthHandle } from './imageWidth';
import { drawRemote, loadedRemotely } from './remoteImages';

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
