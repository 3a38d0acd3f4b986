/** The actions of the export dialog: make the file, then save or copy it; with error messages. */
import { useEffect, useRef, useState } from 'react';
import { safeName } from '../../model/export/fileName';
import { useEditorContext } from '../context/EditorContext';
import { useToasts } from '../ui/overlay/Toasts';
import { FORMAT_FACTS } from './choices';
import { imageAddresses, pageFor, wholeJson } from './contents';
import { pixelsOf } from './pixels';
import type { Preview, Wanted } from './usePreview';

export interface ExportActions {
  /** The progress from 0 to 1; null while nothing is being made. */
  progress: number | null;
  /** The error message. */
  problem: string | null;
  save: (fileName: string) => Promise<boolean>;
  copy: () => Promise<boolean>;
}

export function useExport(wanted: Wanted, preview: Preview, factor: number): ExportActions {
  const toasts = useToasts();
  const { live } = useEditorContext();
  const [progress, setProgress] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const ends = useRef(new AbortController());
  useEffect(() => {
    ends.current = new AbortController();
    return () => ends.current.abort();
  }, []);
  const { format, what, source } = wanted;
  const { name, ending, mime } = FORMAT_FACTS[format];

  const make = async (): Promise<Blob> => {
    if (format === 'html') return pageFor(source, what === 'both', ends.current.signal);
    if (format === 'zip') return (await import('./archive')).archiveOf(source, live, ends.current.signal);
    if (format === 'json' && imageAddresses(source).length > 0)
      return new Blob([await wholeJson(source.workspace, live, ends.current.signal)], { type: mime });
    if (preview.kind === 'text') return new Blob([preview.text], { type: `${mime};charset=utf-8` });
    if (preview.kind !== 'picture') throw new Error('There is nothing to export yet.');
    if (format === 'png') return pixelsOf(preview.picture, factor, setProgress);
    return new Blob([preview.picture.svg], { type: mime });
  };

  /** Returns whether it was done; else `problem` says why not. */
  const attempt = async (
    work: () => Promise<void>,
    wordsFor: (error: unknown) => string,
  ): Promise<boolean> => {
    setProblem(null);
    setProgress(0);
    try {
      await work();
      return true;
    } catch (error) {
      if (!ends.current.signal.aborted) setProblem(wordsFor(error));
      return false;
    } finally {
      setProgress(null);
    }
  };

  const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

  return {
    progress,
    problem,
    save: (fileName) =>
      attempt(async () => {
        const file = `${safeName(fileName)}.${ending}`;
        download(await make(), file);
        toasts.show({ text: `Saved as ${file}` });
      }, wordsOf),
    copy: () =>
      attempt(
        async () => {
          if (format === 'png') await copyPicture(make());
          else await copyText(await (await make()).text());
          toasts.show({ text: `${name} is on the clipboard` });
        },
        () => `This browser did not let ${name} be copied. Use Download instead.`,
      ),
  };
}

/** Saves a file as a download, or copies it to the system clipboard. */

/** Long enough for a browser that asks where to save it. */
const KEPT_MS = 60_000;

function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}

const copyText = async (text: string): Promise<void> => {
  await navigator.clipboard.writeText(text);
};

/** Takes a promise: some browsers accept a write only synchronously after a click. */
const copyPicture = async (png: Promise<Blob>): Promise<void> => {
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
};
