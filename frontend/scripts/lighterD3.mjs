/**
 * A plugin of Vite: what React Flow and d3-zoom import of d3 that the first view of the canvas does not need comes from
 * files of ours beside the canvas, which say what they leave out and why it is not missed. Everybody else, such as
 * Mermaid, gets d3 as it is.
 */
import path from 'node:path';

const CANVAS = path.resolve(import.meta.dirname, '../src/view/canvas');
const STAND_INS = {
  'd3-interpolate': path.join(CANVAS, 'interpolation.ts'),
  'd3-transition': path.join(CANVAS, 'lateTransitions.ts'),
};
const OF_THE_CANVAS = /[\\/]node_modules[\\/](@xyflow|d3-zoom)[\\/]/;
const OF_ITS_OWN = '?canvas';
const COMPUTED = /^(var \w+ = )(?=\w+\(|\(function)/gm;

export const lighterD3 = () => ({
  name: 'lighter-d3',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (importer && OF_THE_CANVAS.test(importer)) return STAND_INS[source];
    // A copy of its own, or it would hold all that Mermaid needs of it.
    if (source !== 'd3-interpolate' || importer !== STAND_INS[source]) return;
    const found = await this.resolve(source, importer, { skipSelf: true });
    return found && `${found.id}${OF_ITS_OWN}`;
  },
  // Its package says that it has no effects; for each value that is computed at the top it has to be said here.
  transform(code, id) {
    if (id.endsWith(OF_ITS_OWN)) return { code: code.replace(COMPUTED, '$1/* @__PURE__ */ '), map: null };
  },
});
