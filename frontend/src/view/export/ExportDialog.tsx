/** The export dialog: content, format, appearance, and target. */
import '../styles/export.css';
import { useId, useState } from 'react';
import { safeName } from '../../model/export/fileName';
import { chosenNodes } from '../../model/export/part';
import { pixelSizes, pixelWords } from '../../model/export/pixelSize';
import { counted } from '../../model/words/kinds';
import { useEditorContext } from '../context/EditorContext';
import { Field } from '../ui/field/Field';
import { Dialog } from '../ui/overlay/Dialog';
import { useToasts } from '../ui/overlay/Toasts';
import { useIsDark } from '../ui/useMedia';
import {
  FORMAT_FACTS,
  FORMATS,
  type Format,
  isFromServer,
  isPicture,
  type Look,
  type Source,
  type What,
} from './choices';
import { printWhole } from './printing';
import { useExport } from './useExport';
import { type Preview, usePreview } from './usePreview';
import { useShown } from './useShown';

export function ExportDialog({ onClose }: { onClose: () => void }) {
  const shown = useShown();
  const toasts = useToasts();
  // As of opening the dialog.
  const [source] = useState(shown);
  const { ui } = useEditorContext();
  const [selection] = useState(() => ui.get().selection);
  const [count] = useState(() => chosenNodes(source.diagram, selection).size);
  const [what, setWhat] = useState<What>(
    count > 0 ? 'selection' : ui.get().mode === 'document' ? 'document' : 'diagram',
  );
  const [formats, setFormats] = useState<Partial<Record<What, Format>>>({});
  const isDark = useIsDark();
  const [look, setLook] = useState<Look>({ theme: isDark ? 'dark' : 'light', isTransparent: false });
  const [factor, setFactor] = useState(2);
  const [fileName, setFileName] = useState(() => safeName(source.name));
  const offered = FORMATS[what].filter((one) => source.isNewest || !isFromServer(one));
  const format = formats[what] ?? (offered[0] as Format);
  const wanted = { what, format, ...look, source, selection };
  const preview = usePreview(wanted);
  const doing = useExport(wanted, preview, factorFor(preview, factor));
  const isBusy = doing.progress !== null;
  const isReady = preview.kind === 'picture' || preview.kind === 'text';
  return (
    <Dialog title="Export" onClose={onClose} size="wide" className="export-dialog">
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isBusy) void doing.save(fileName).then((isDone) => isDone && onClose());
        }}
      >
        <div className="export-parts">
          <div className="export-choices">
            <ChoiceRow label="What" value={what} choices={whats(count)} onChoose={setWhat} />
            <ChoiceRow
              label="Format"
              value={format}
              choices={offered.map((one) => ({ value: one, text: FORMAT_FACTS[one].name }))}
              onChoose={(one) => setFormats({ ...formats, [what]: one })}
            />
            <p className="field-hint">{FORMAT_FACTS[format].use}</p>
            {isPicture(format) && <LookChoices look={look} onLook={setLook} />}
            {format === 'png' && <SizeChoice preview={preview} factor={factor} onFactor={setFactor} />}
            <FileName format={format} value={fileName} onChange={setFileName} />
          </div>
          <PreviewBox preview={preview} look={look} format={format} source={source} />
        </div>
        {doing.problem && (
          <p className="field-error" role="alert">
            {doing.problem}
          </p>
        )}
        <footer className="dialog-foot">
          {isBusy && (
            <progress
              className="export-progress"
              aria-label="Making the file"
              value={doing.progress || undefined}
            />
          )}
          <button
            type="button"
            className="button print"
            disabled={!isReady || isBusy}
            onClick={() => {
              onClose();
              void printWhole(source, { what, selection }, toasts);
            }}
          >
            Print or save as PDF…
          </button>
          {format !== 'html' && format !== 'zip' && (
            <button
              type="button"
              className="button"
              disabled={!isReady || isBusy}
              onClick={() => void doing.copy().then((isDone) => isDone && onClose())}
            >
              Copy
            </button>
          )}
          <button type="submit" className="button primary" disabled={!isReady || isBusy}>
            Download
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

const whats = (selected: number): { value: What; text: string; isOff?: boolean }[] => [
  { value: 'diagram', text: 'Whole diagram' },
  { value: 'selection', text: `Selection (${selected.toLocaleString('en')})`, isOff: selected === 0 },
  { value: 'document', text: 'Document' },
  { value: 'both', text: 'Both' },
];

function LookChoices({ look, onLook }: { look: Look; onLook: (look: Look) => void }) {
  return (
    <div className="export-look">
      <ChoiceRow
        label="Colours"
        value={look.theme}
        choices={[
          { value: 'light', text: 'Light' },
          { value: 'dark', text: 'Dark' },
        ]}
        onChoose={(theme) => onLook({ ...look, theme })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={look.isTransparent}
          onChange={(event) => onLook({ ...look, isTransparent: event.target.checked })}
        />
        Transparent background
      </label>
    </div>
  );
}

const sizesOf = (preview: Preview) =>
  preview.kind === 'picture' ? pixelSizes(preview.picture) : pixelSizes({ width: 1, height: 1 });

/** The chosen factor, or the largest that fits. */
function factorFor(preview: Preview, factor: number): number {
  const fitting = sizesOf(preview).filter(({ fits }) => fits);
  return fitting.find((size) => size.factor === factor)?.factor ?? fitting.at(-1)?.factor ?? 1;
}

function SizeChoice({
  preview,
  factor,
  onFactor,
}: {
  preview: Preview;
  factor: number;
  onFactor: (factor: number) => void;
}) {
  const sizes = sizesOf(preview);
  const chosen = factorFor(preview, factor);
  const size = sizes.find((one) => one.factor === chosen);
  const largest = sizes.at(-1);
  return (
    <>
      <ChoiceRow
        label="Size"
        value={String(chosen)}
        choices={sizes.map((one) => ({
          value: String(one.factor),
          text: `${one.factor}×`,
          isOff: !one.fits,
        }))}
        onChoose={(value) => onFactor(Number(value))}
      />
      {preview.kind === 'picture' && size && (
        <p className="field-hint">
          {pixelWords(size)}
          {largest &&
            !largest.fits &&
            '. Larger ones are more than a browser can draw; SVG has no such limit.'}
        </p>
      )}
    </>
  );
}

function FileName({
  format,
  value,
  onChange,
}: {
  format: Format;
  value: string;
  onChange: (value: string) => void;
}) {
  const name = safeName(value);
  const hint = name === value.trim() ? undefined : `Saved as ${name}.${FORMAT_FACTS[format].ending}`;
  return (
    <Field label="File name" hint={hint}>
      {(wiring) => (
        <div className="export-name">
          <input
            {...wiring}
            value={value}
            maxLength={160}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onChange(event.target.value)}
          />
          <span aria-hidden="true">.{FORMAT_FACTS[format].ending}</span>
        </div>
      )}
    </Field>
  );
}

interface ChoiceRowProps<T extends string> {
  label: string;
  value: T;
  choices: readonly { value: T; text: string; isOff?: boolean }[];
  onChoose: (value: T) => void;
}

/** One of a few, side by side: radio buttons that look like the segments of the bar. */
function ChoiceRow<T extends string>({ label, value, choices, onChoose }: ChoiceRowProps<T>) {
  const name = useId();
  return (
    <fieldset className="choice-row">
      <legend>{label}</legend>
      <div className="choice-row-items">
        {choices.map((choice) => (
          <label key={choice.value} className={choice.isOff ? 'is-off' : undefined}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              disabled={choice.isOff ?? false}
              onChange={() => onChoose(choice.value)}
            />
            {choice.text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** More lines than fit. */
const MAX_LINES = 60;

interface PreviewBoxProps {
  preview: Preview;
  look: Look;
  format: Format;
  source: Source;
}

/** A preview of the file: the picture on its background, or the beginning of the text. */
function PreviewBox({ preview, look, format, source }: PreviewBoxProps) {
  const hasDocument = format === 'html' && preview.kind === 'picture' && source.text.trim() !== '';
  return (
    <figure className="export-preview" data-theme={look.theme} data-kind={preview.kind}>
      <PreviewContent preview={preview} look={look} isPage={format === 'html'} />
      {hasDocument && (
        <figcaption>and below it the document, {counted(wordsIn(source.text), 'word')}</figcaption>
      )}
    </figure>
  );
}

function PreviewContent({ preview, look, isPage }: { preview: Preview; look: Look; isPage: boolean }) {
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
  return lines.length > MAX_LINES ? `${lines.slice(0, MAX_LINES).join('\n')}\n…` : text;
}

const wordsIn = (text: string): number => text.trim().split(/\s+/).filter(Boolean).length;
