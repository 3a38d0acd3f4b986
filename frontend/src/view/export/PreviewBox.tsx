/** A preview of the file: the picture on its background, or the beginning of the text. */
import { counted } from '../../model/words/kinds';
import type { Format, Look, Source } from './choices';
import type { Preview } from './usePreview';

/** More lines than fit. */
const LINES = 60;

interface Props {
  preview: Preview;
  look: Look;
  format: Format;
  source: Source;
}

export function PreviewBox({ preview, look, format, source }: Props) {
  const hasDocument = format === 'html' && preview.kind === 'picture' && source.text.trim() !== '';
  return (
    <figure className="export-preview" data-theme={look.theme} data-kind={preview.kind}>
      <Content preview={preview} look={look} isPage={format === 'html'} />
      {hasDocument && (
        <figcaption>and below it the document, {counted(wordsIn(source.text), 'word')}</figcaption>
      )}
    </figure>
  );
}

function Content({ preview, look, isPage }: { preview: Preview; look: Look; isPage: boolean }) {
  switch (preview.kind) {
    case 'picture':
      return (
        <img
          src={preview.address}
          alt={`Preview of the diagram, ${look.theme}`}
          data-ground={look.isTransparent && !isPage ? 'none' : 'theme'}
        />
      );
    case 'text':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and holds nothing else to stop at
        <pre tabIndex={0} role="region" aria-label="Preview of the text">
          {beginningOf(preview.text)}
        </pre>
      );
    case 'none':
      return <p role={preview.isAlert ? 'alert' : 'status'}>{preview.why}</p>;
    default:
      return <p role="status">Drawing…</p>;
  }
}

function beginningOf(text: string): string {
  const lines = text.split('\n');
  return lines.length > LINES ? `${lines.slice(0, LINES).join('\n')}\n…` : text;
}

const wordsIn = (text: string): number => text.trim().split(/\s+/).filter(Boolean).length;
