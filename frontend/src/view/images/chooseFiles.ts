/** The chooser of files that can be images. A file of its own: what is pasted or dropped is taken before a chooser is needed. */
import { IMAGE_TYPES } from '../../model/text/images';

/** Has files chosen, of those that can be images. */
export function chooseFiles(use: (files: File[]) => void, { isMultiple = false } = {}): void {
  const chooser = document.createElement('input');
  chooser.type = 'file';
  chooser.multiple = isMultiple;
  chooser.accept = IMAGE_TYPES.join(',');
  chooser.addEventListener('change', () => use([...(chooser.files ?? [])]));
  chooser.click();
}
