/**
 * The side panels, in the order of their tabs. Not here: their content (`SidePanel.tsx`), which is loaded on demand.
 */
import { History, SlidersHorizontal, Sparkles } from 'lucide-react';

export const PANELS = [
  { name: 'assistant', title: 'Assistant', icon: Sparkles },
  { name: 'properties', title: 'Properties', icon: SlidersHorizontal },
  { name: 'history', title: 'History', icon: History },
] as const;
