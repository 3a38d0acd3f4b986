/** The calls of the API for files that are imported: which formats are read, what files are, what they would change. */
import { at } from './api';
import { ask } from './http';
import type { components } from './schema';

type Shapes = components['schemas'];
export type SentFile = Shapes['SentFile'];
export type Format = Shapes['FormatOut'];
/** What files are: sets that are read together, and files that no format has. */
export type ReadFiles = Shapes['ReadFilesOut'];
export type ReadSet = Shapes['ReadSetOut'];
export type UnreadPart = Shapes['UnreadPartOut'];
/** What files would do in a workspace: three lists of rows, each with its operations. */
export type OpenImport = Shapes['OpenImportOut'];
export type ImportRow = Shapes['ImportRowOut'];

export async function listFormats(signal?: AbortSignal): Promise<Format[]> {
  return (await ask<Shapes['FormatList']>('/imports', { signal })).body.items;
}

/** Nothing is made. */
export async function recognizeFiles(files: readonly SentFile[], signal?: AbortSignal): Promise<ReadFiles> {
  const body = { files };
  return (await ask<ReadFiles>('/imports', { method: 'POST', body, ...(signal && { signal }) })).body;
}

/** Nothing is changed. */
export async function compareFiles(
  id: string,
  files: readonly SentFile[],
  part: number | null,
  signal?: AbortSignal,
): Promise<OpenImport> {
  const body = { files, ...(part !== null && { part }) };
  return (await ask<OpenImport>(`${at(id)}/imports`, { method: 'POST', body, ...(signal && { signal }) }))
    .body;
}
