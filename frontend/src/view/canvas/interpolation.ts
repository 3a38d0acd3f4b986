/**
 * Stands for `d3-interpolate` where React Flow and `d3-zoom` import it (scripts/lighterD3.mjs). They interpolate between
 * places and zooms only, which are lists of numbers; what stands between colours and texts was more than a quarter of d3.
 */
export { interpolateNumberArray as interpolate, interpolateZoom } from 'd3-interpolate';
