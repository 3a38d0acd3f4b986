/** What pointers do on the canvas, as changes of the workspace. */
import { useMemo } from 'react';
import type { Point } from '../../protocol/types';
import { useDesk } from '../desk/Desk';

/** What was pointed at when a menu was asked for. */
export type Target = { kind: 'node' | 'edge'; id: string } | { kind: 'canvas' };

/** Points are in the diagram's coordinates; `screen` is where a menu may open, in pixels of the window. */
export interface Gestures {
  connect: (source: string, target: string) => void;
  /** A line was dropped where nothing is: offer a node to add and connect. */
  connectToEmpty: (source: string, at: Point, screen: Point) => void;
  /** Place a node of a type with its centre there, inside the group that stands there. */
  place: (type: string, at: Point) => void;
  openMenu: (target: Target, at: Point, screen: Point) => void;
}

export function useGestures(): Gestures {
  const desk = useDesk();
  return useMemo(() => {
    void desk;
    return { connect() {}, connectToEmpty() {}, place() {}, openMenu() {} };
  }, [desk]);
}
