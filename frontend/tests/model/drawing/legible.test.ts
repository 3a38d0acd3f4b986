/** What can be read of a card at each zoom. */
import { describe, expect, it } from 'vitest';
import {
  type Card,
  cardContent,
  estimatedLetterWidth,
  formOf,
  isNamed,
  LEGIBLE,
  type LetterWidth,
  zoomStep,
} from '../../../src/model/drawing/legible';

const card = (label: string, more: Partial<Card> = {}): Card => ({
  label,
  note: '',
  hasButton: false,
  width: 180,
  height: 72,
  ...more,
});
/** From the smallest zoom at which a usual card is named to well beyond 1. */
const ZOOMS = Array.from({ length: 120 }, (_, at) => 1 / 3 + at / 100);
const NAMES = [
  'Web',
  'Orders',
  'Commerce DB',
  'Recommendations',
  'Payment orchestrator',
  'Größenrechnungsdienst',
  'productcatalogservice',
  'checkout-service/v2',
  'PaymentServiceGateway',
  'Recommendation personalisation engine for returning customers',
  '日本語日本語日本語日本語日本語日本語',
  'Сервис уведомлений',
];
const written = (content: { lines: readonly { text: string }[] } | null) =>
  content?.lines.map(({ text }) => text).join('') ?? '';

describe('steps of the zoom', () => {
  it('are never larger than the zoom, so that letters are never smaller than meant, and not much smaller', () => {
    for (let zoom = 0.02; zoom < 2.5; zoom += 0.003) {
      const step = zoomStep(zoom);
      expect(step).toBeLessThanOrEqual(zoom + 1e-6);
      if (zoom < 1) expect(step * 1.13).toBeGreaterThan(zoom);
      else expect(step).toBe(1);
    }
    expect(zoomStep(1.04)).toBe(1);
  });

  it('name every card of 60 by 24 pixels of the screen, and none that is much smaller', () => {
    for (const [width, height] of [
      [180, 72],
      [240, 96],
      [120, 200],
      [400, 30],
    ] as const)
      for (let zoom = 0.1; zoom < 1.5; zoom += 0.003) {
        const isLarge = width * zoom >= 60 && height * zoom >= 24;
        const isSmall = width * zoom < 53 || height * zoom < 21;
        if (isLarge) expect(isNamed({ width, height }, zoomStep(zoom)), `${width} ${zoom}`).toBe(true);
        if (isSmall && zoom < 1) expect(isNamed({ width, height }, zoomStep(zoom))).toBe(false);
      }
  });
});

describe('the cards of a drawing', () => {
  const NAMES_OF_ONE = [
    'Web',
    'Notifications',
    'Recommendation service',
    'Payment orchestrator',
    'Größenrechnungsdienst',
  ];

  it('all have an icon and the same letters, or none has, at every zoom', () => {
    const forms = new Set<number>();
    const cards = NAMES_OF_ONE.map((name) => card(name, { note: 'Go' }));
    for (const zoom of [...ZOOMS, 1]) {
      const step = zoomStep(zoom);
      const form = formOf(cards, step, estimatedLetterWidth);
      const looks = cards.map((one) => {
        const { hasIcon, weight } = cardContent(one, step, estimatedLetterWidth, form) ?? {};
        return `${hasIcon} ${weight}`;
      });
      expect(new Set(looks).size, `${looks} at ${zoom}`).toBe(1);
      forms.add(form);
    }
    expect(forms.size).toBeGreaterThan(1);
  });

  it('are not judged by one that has no room for an icon at all', () => {
    const small = card('Payment orchestrator', { width: 96, height: 30 });
    const step = zoomStep(0.9);
    expect(formOf([card('Orders'), small], step, estimatedLetterWidth)).toBe(0);
    expect(cardContent(small, step, estimatedLetterWidth, 0)?.hasIcon).toBe(false);
  });
});

describe('the name of a card', () => {
  it('is legible at every zoom: whole or by its first 16 characters, in two lines at most', () => {
    for (const zoom of ZOOMS)
      for (const name of NAMES) {
        const content = cardContent(card(name, { note: 'Go 1.22' }), zoomStep(zoom), estimatedLetterWidth);
        expect(content, `${name} at ${zoom}`).not.toBeNull();
        if (!content) return;
        expect(content.size * (zoom / zoomStep(zoom))).toBeGreaterThanOrEqual(LEGIBLE);
        expect(content.lines.length).toBeLessThanOrEqual(2);
        const text = written(content);
        if (!content.isCut) expect(text).toBe(name);
        else {
          expect(text.endsWith('…')).toBe(true);
          expect([...text].length, `${text} at ${zoom}`).toBeGreaterThanOrEqual(
            [...name.slice(0, 16).trimEnd()].length + 1,
          );
          expect(name.startsWith(text.slice(0, -1))).toBe(true);
        }
      }
  });

  it('has its room: lines are no wider than the card, and no higher together', () => {
    const width: LetterWidth = estimatedLetterWidth;
    for (const zoom of ZOOMS)
      for (const name of NAMES) {
        const step = zoomStep(zoom);
        const content = cardContent(card(name), step, width);
        if (!content) continue;
        const room = content.hasIcon ? 112 * step : Math.max(180 * step, 60) + 12;
        for (const { text, isBroken } of content.lines) {
          const letters = [...text.trimEnd(), ...(isBroken ? '-' : '')];
          const sum = letters.reduce((all, letter) => all + width(letter, content.weight), 0) * content.size;
          expect(sum, `${text} at ${zoom}`).toBeLessThanOrEqual(room + 0.01);
        }
        expect(content.lines.length * content.size * 1.09).toBeLessThanOrEqual(Math.max(72 * step, 24) + 0.5);
      }
  });

  it('keeps icon and technology where there is room; technology gives way before the icon, both before the name', () => {
    const at = (zoom: number) =>
      cardContent(card('Orders', { note: 'Go' }), zoomStep(zoom), estimatedLetterWidth);
    expect(at(1)).toMatchObject({ hasIcon: true, hasNote: true, size: 13 });
    expect(at(0.34)).toMatchObject({ hasIcon: false, hasNote: false, isCut: false });
    let seen = { hasIcon: true, hasNote: true };
    for (let zoom = 1; zoom >= 0.34; zoom -= 0.01) {
      const now = at(zoom);
      if (!now) throw new Error(`no name at ${zoom}`);
      expect(now.hasNote && !now.hasIcon).toBe(false);
      expect(now.hasIcon && !seen.hasIcon).toBe(false);
      seen = now;
    }
    expect(
      cardContent(card('Payment orchestration', { height: 40, note: 'Go' }), 1, estimatedLetterWidth),
    ).toMatchObject({ hasNote: false, isCut: false });
  });

  it('breaks words at a hyphen or syllable and only where it must', () => {
    const lines = (name: string, zoom: number) =>
      cardContent(card(name), zoomStep(zoom), estimatedLetterWidth)?.lines;
    expect(lines('Orders', 0.34)).toEqual([{ text: 'Orders', isBroken: false }]);
    expect(lines('Event stream', 0.34)).toEqual([
      { text: 'Event ', isBroken: false },
      { text: 'stream', isBroken: false },
    ]);
    expect(lines('Recommendations', 0.34)).toEqual([
      { text: 'Recommen', isBroken: true },
      { text: 'dations', isBroken: false },
    ]);
    expect(lines('checkout-service', 0.34)?.map(({ text }) => text)).toEqual(['checkout-', 'service']);
  });

  it('breaks a word only where it has no room, and at the same place at every zoom', () => {
    const ends = new Map<string, Set<string>>();
    for (const word of ['Notifications', 'Recommendations'])
      for (const name of [word, `${word} DB`])
        for (const zoom of ZOOMS) {
          const content = cardContent(card(name), zoomStep(zoom), estimatedLetterWidth);
          const first = content?.lines
            .find(({ isBroken }) => isBroken)
            ?.text.split(' ')
            .at(-1);
          if (!content || first === undefined || content.isCut) continue;
          if (name === word) ends.set(word, (ends.get(word) ?? new Set()).add(first));
          // Beside the icon in bold letters.
          const width = word.length * (content.hasIcon ? 0.69 : 0.61) * LEGIBLE;
          const room = content.hasIcon ? 112 * zoomStep(zoom) : Math.max(180 * zoomStep(zoom), 60);
          expect(width, `${name} at ${zoom}`).toBeGreaterThan(room - 8);
        }
    expect([...(ends.get('Recommendations') ?? [])]).toEqual(['Recommen']);
    for (const [word, found] of ends) expect([...found], word).toHaveLength(1);
  });

  it('stands beside a button without lying under it', () => {
    const content = cardContent(card('Notices center', { hasButton: true }), 1, estimatedLetterWidth);
    const widest = Math.max(...(content?.lines ?? []).map(({ text }) => [...text.trimEnd()].length));
    expect(content?.hasIcon).toBe(true);
    expect(widest * 0.69 * (content?.size ?? 0)).toBeLessThanOrEqual(180 - 55 - 13 - 29);
  });

  it('is cut earlier only where letters are wider than any usual ones', () => {
    const wide = cardContent(card('W'.repeat(30)), zoomStep(0.34), () => 1.2);
    expect(wide?.isCut).toBe(true);
    expect(wide?.lines.length).toBeLessThanOrEqual(2);
  });
});
