/** Icons of technologies: which technology has which, and what is in them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { problemOf, technologyIcons } from '../../../scripts/technologyIcons.mjs';
import { iconFor, keyOf, tableOf } from '../../../src/model/words/technologies';

const FILE = path.resolve(import.meta.dirname, '../../../../tests/fixtures/technologies.json');
const CASES = JSON.parse(readFileSync(FILE, 'utf8')) as [string, string | null][];
const ICONS = technologyIcons();
const TABLE = tableOf(ICONS);

describe('the icon of a technology', () => {
  it.each(CASES)('of %s is that of %s', (technology, name) => {
    expect(iconFor(technology, TABLE)?.names[0] ?? null).toBe(name);
  });

  it('is found by every name that it has, and no two technologies have one', () => {
    const keys = ICONS.flatMap(({ names }) => [...new Set(names.map(keyOf))]);
    const twice = keys.filter((key, at) => keys.indexOf(key) !== at);
    expect(twice).toEqual([]);
    for (const icon of ICONS) for (const name of icon.names) expect(iconFor(name, TABLE), name).toBe(icon);
  });
});

describe('icons that are shipped', () => {
  it('are many, each with an id of its own that can be part of an address', () => {
    expect(ICONS.length).toBeGreaterThan(150);
    expect(new Set(ICONS.map(({ id }) => id)).size).toBe(ICONS.length);
    expect(ICONS.filter(({ id }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  it.each(ICONS)('hold nothing but shapes: $id', ({ svg, file }) => {
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="64" height="64" viewBox="[-\d. ]+">/,
    );
    expect(svg).not.toMatch(/<(script|style|image|foreignObject|text|a|animate|set|iframe|filter)\b|<!|<\?/i);
    expect(svg).not.toMatch(/\son\w+=|style=|javascript:|data:|\burl\((?!#)|href="(?!#)/i);
    expect(svg).toMatch(/<(path|rect|circle|ellipse|polygon|polyline|line)\b/);
    expect(file).toMatch(/^assets\/icons\/[a-z0-9-]+-[0-9a-f]{8}\.svg$/);
  });

  it('are small: what a page reads of all is their names', () => {
    const index = JSON.stringify({ icons: ICONS.map(({ id, names, file }) => ({ id, names, file })) });
    expect(gzipSync(index).length).toBeLessThan(10_000);
    expect(Math.max(...ICONS.map(({ svg }) => Buffer.byteLength(svg)))).toBeLessThanOrEqual(20_000);
  });

  it.each([
    ['<script/><path d="M0 0"/>', 'an element script'],
    ['<script>alert(1)</script><path d="M0 0"/>', 'holds alert(1)'],
    ['<style>path{}</style>', 'path{}'],
    ['<path d="M0 0" onload="alert(1)"/>', 'an attribute onload'],
    ['<path d="M0 0" style="fill:red"/>', 'an attribute style'],
    ['<image href="https://example.org/x.png"/>', 'an element image'],
    ['<use href="https://example.org/x.svg#a"/>', 'refers to https://example.org/x.svg#a'],
    ['<path fill="url(https://example.org/x)"/>', 'refers to url(https://example.org/x)'],
    ['<foreignObject/>', 'an element foreignObject'],
    ['<path d="M0 0"/>text', 'text'],
    ['<!-- note --><path d="M0 0"/>', '<!-- note -->'],
    [`<path d="${'M0 0'.repeat(6_000)}"/>`, 'more than'],
  ])('end the build where they hold more: %#', (inside, problem) => {
    expect(problemOf(`<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`)).toContain(problem);
  });
});
