/** The formatting buttons: names, icons, keys. What each does is in the editor. */
import {
  AtSign,
  Bold,
  Code,
  Heading,
  ImagePlus,
  Italic,
  Link,
  List,
  ListTodo,
  type LucideIcon,
  Table,
  Workflow,
} from 'lucide-react';
import type { Keys } from '../commands/keys';
import type { Format } from './editorHandle';

interface FormatButton {
  id: Exclude<Format, 'section'> | 'mention' | 'image';
  title: string;
  icon: LucideIcon;
  keys?: Keys;
  words: string;
}

export const FORMATS: readonly FormatButton[] = [
  { id: 'bold', title: 'Bold', icon: Bold, keys: 'Mod+B', words: 'strong' },
  { id: 'italic', title: 'Italic', icon: Italic, keys: 'Mod+I', words: 'emphasis' },
  { id: 'heading', title: 'Heading', icon: Heading, keys: 'Mod+Shift+7', words: 'section title' },
  { id: 'list', title: 'List', icon: List, keys: 'Mod+Shift+8', words: 'bullets items' },
  { id: 'tasks', title: 'Task list', icon: ListTodo, keys: 'Mod+Shift+9', words: 'checkbox todo' },
  { id: 'code', title: 'Code', icon: Code, keys: 'Mod+E', words: 'monospace' },
  { id: 'link', title: 'Link', icon: Link, words: 'address url' },
  { id: 'image', title: 'Image', icon: ImagePlus, words: '' },
  { id: 'table', title: 'Table', icon: Table, words: 'grid rows columns' },
  { id: 'mermaid', title: 'Mermaid diagram', icon: Workflow, words: 'flowchart sequence block' },
  { id: 'mention', title: 'Mention a node', icon: AtSign, words: 'link to node @' },
];
