/** The panels on the right, in the order of their tabs. Not here: what is in them (`SidePanel.tsx`), which is read on demand. */
import { History, SlidersHorizontal, Sparkles } from 'lucide-react';

export const PANELS = [
  { name: 'assistant', title: 'Assistant', icon: Sparkles },
  { name: 'properties', title: 'Properties', icon: SlidersHorizontal },
  { name: 'history', title: 'History', icon: History },
] as const;
