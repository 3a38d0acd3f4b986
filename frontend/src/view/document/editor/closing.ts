/**
 * An effect on an editor that is about to close: temporary decorations are removed, so that they are not kept with its
 * state.
 */
import { StateEffect } from '@codemirror/state';

export const editorClosing = StateEffect.define<null>();
