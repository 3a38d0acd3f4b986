/** An own image in the read half, in a frame of its own: where its bytes come from, and a note while they are on their way. */
import { hashOfImage } from '../../model/text/images';
import type { LocalImage, Uploads } from '../../sync/images/uploads';
import { missingImagesOf } from './missingImages';
import { wordsForImage } from './uploadWords';
import { sourceOf } from './workspaceImages';

export class ImageFrame {
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
      button('Try again', () => this.uploads.retry(this.sha256)),
      button('Discard image', () => void this.uploads.remove(this.sha256)),
    );
  }
}

function button(words: string, run: () => void): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = 'button small';
  element.textContent = words;
  element.addEventListener('click', run);
  return element;
}
