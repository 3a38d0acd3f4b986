import type { Plugin } from 'vite';

export function lighterD3(): Plugin;
