/** Said to an editor that goes: whoever has drawn something for the moment takes it away, so that it is not kept. */
import { StateEffect } from '@codemirror/state';

export const editorClosing = StateEffect.define<null>();
