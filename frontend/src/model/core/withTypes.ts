/** Definitions of custom types at the nodes of a diagram that the server has told over HTTP. */
import type { Diagram } from '../../protocol/types';
import { customOf } from './customTypes';

/** A diagram as the server tells it, with the definitions of custom types at its nodes. */
export const withTypes = (diagram: Diagram): Diagram =>
  diagram.types
    ? { ...diagram, nodes: diagram.nodes.map((node) => ({ ...node, ...customOf(node, diagram.types) })) }
    : diagram;
