/** Lays packed forms beside the files of a built editor, for the server to send: `x.js.br` and `x.js.gz` beside `x.js`. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);

/** Smaller ones fit into a packet as they are. */
const LEAST_BYTES = 1024;
/** Pages are not among them: each showing of one has a nonce of its own. */
const PACKED = /\.(js|mjs|css|svg|json|map|wasm)$/;

/** Pack all files below a folder that are worth it. */
export async function pack(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && PACKED.test(entry.name));
  await Promise.all(files.map((file) => packFile(path.join(file.parentPath, file.name))));
}

async function packFile(file) {
  const content = await readFile(file);
  if (content.length < LEAST_BYTES) return;
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, BROTLI_MAX_QUALITY } = zlib.constants;
  const [small, smallest] = await Promise.all([
    gzip(content, { level: 9 }),
    brotli(content, {
      params: { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY, [BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
  ]);
  for (const [ending, packed] of [
    ['.gz', small],
    ['.br', smallest],
  ])
    if (packed.length < content.length) await writeFile(file + ending, packed);
}
