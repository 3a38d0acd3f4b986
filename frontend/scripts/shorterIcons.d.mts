import type { Plugin } from 'vite';

export function shorterIcons(): Plugin;
