/** How all cards of a drawing are drawn at a step of the zoom. */
import { useLayoutEffect } from 'react';
import { type Drawing, isFrame } from '../../model/drawing/drawing';
import { formOf } from '../../model/drawing/legible';
import { isAnnotation } from '../../protocol/types';
import { letterWidth } from '../drawing/textWidth';
import { cardOf } from './CardText';
import type { CanvasStore } from './canvasState';

export function useCardForm(store: CanvasStore, { nodes }: Drawing, step: number): void {
  useLayoutEffect(() => {
    const cards = nodes.filter((drawn) => !isFrame(drawn) && !isAnnotation(drawn.node.type)).map(cardOf);
    store.setState({ form: formOf(cards, step, letterWidth) });
  }, [store, nodes, step]);
}
