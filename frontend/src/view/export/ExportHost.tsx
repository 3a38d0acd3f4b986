/** The parts of exports outside of their dialog: the command to print, and what the browser's own menu prints. */
import { Printer } from 'lucide-react';
import { useCommands } from '../context/EditorContext';
import { useToasts } from '../ui/overlay/Toasts';
import { WHOLE } from './choices';
import { printWhole, useNativePrint } from './printing';
import { useShown } from './useShown';

export function ExportHost() {
  const toasts = useToasts();
  const shown = useShown();
  useNativePrint(shown);
  useCommands([
    {
      id: 'go.print',
      title: 'Print or save as PDF…',
      group: 'Go',
      icon: Printer,
      keys: ['Mod+P'],
      reach: 'everywhere',
      words: 'paper',
      run: () => void printWhole(shown, WHOLE, toasts),
    },
  ]);
  return null;
}
