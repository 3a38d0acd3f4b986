// @vitest-environment jsdom
/** Icons of technologies in the page: in the place of type icons, in Properties, embedded in pictures. */
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_ALL_ICON_BYTES, technologiesShown } from '../../src/model/export/nodeImages';
import { node } from '../builders';

const INDEX = {
  icons: [
    { id: 'kafka', names: ['Apache Kafka', 'Kafka'], file: 'assets/icons/kafka-1.svg' },
    { id: 'postgresql', names: ['PostgreSQL', 'Postgres'], file: 'assets/icons/postgresql-1.svg' },
  ],
};
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

/** What the server answers, by the address; nothing for others. */
let answers: Record<string, Response | undefined>;
let asked: string[];

beforeEach(() => {
  vi.resetModules();
  asked = [];
  answers = { '/icons/index.json': Response.json(INDEX) };
  for (const { file } of INDEX.icons) answers[`/${file}`] = new Response(SVG);
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    const answer = answers[address];
    if (!answer) throw new TypeError('away');
    return answer.clone();
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('on a card', () => {
  let root: Root;
  let page: HTMLElement;

  beforeEach(() => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    page = document.createElement('div');
    root = createRoot(page);
  });

  afterEach(() => act(async () => root.unmount()));

  const draw = async (technology: string) => {
    const { TechnologyTile } = await import('../../src/view/images/TechnologyTile');
    await act(async () => root.render(<TechnologyTile type="database" color="" technology={technology} />));
    return page.querySelector('img');
  };

  it('the icon of the technology takes the place of that of the type once it is read', async () => {
    const image = await draw('Postgres 17');
    expect(image?.getAttribute('src')).toBe('/assets/icons/postgresql-1.svg');
    expect(image?.hidden).toBe(true);
    expect(page.querySelector('.type-tile')).not.toBeNull();
    await act(async () => image?.dispatchEvent(new Event('load')));
    expect(page.querySelector('img')?.hidden).toBe(false);
    expect(page.querySelector('.type-tile')).toBeNull();
  });

  it('the icon of the type stays where the technology has none, or another name', async () => {
    expect(await draw('Postgresqueue')).toBeNull();
    expect(page.querySelector('.type-tile')).not.toBeNull();
    const image = await draw('Kafka');
    await act(async () => image?.dispatchEvent(new Event('load')));
    expect(await draw('Kafkaesque')).toBeNull();
    expect(page.querySelector('.type-tile')).not.toBeNull();
  });

  it('the table is asked for once, and again only while the server is away', async () => {
    vi.useFakeTimers();
    answers['/icons/index.json'] = undefined;
    expect(await draw('Kafka')).toBeNull();
    answers['/icons/index.json'] = Response.json(INDEX);
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(page.querySelector('img')).not.toBeNull();
    await draw('PostgreSQL');
    expect(asked).toEqual(['/icons/index.json', '/icons/index.json']);
    vi.useRealTimers();
  });

  it('Properties names the icon, or says that there is none, and what the field can complete', async () => {
    const { TechnologyIcon, KnownTechnologies } = await import('../../src/view/images/TechnologyTile');
    const said = async (technology: string, image = '') => {
      const node = { type: 'stream', color: '', technology, image } as const;
      await act(async () => root.render(<TechnologyIcon {...node} />));
      return [page.textContent, page.querySelectorAll('.technology-tile').length];
    };
    expect(await said('kafka 4')).toEqual(['The icon of Apache Kafka', 1]);
    expect(await said('kafka 4', 'images/x.png')).toEqual([
      'The icon of Apache Kafka; the image stands in its place',
      1,
    ]);
    expect(await said('Kafkaesque')).toEqual(['No icon by this name', 0]);
    expect(await said('')).toEqual(['', 0]);
    await act(async () => root.render(<KnownTechnologies id="known" />));
    const options = [...page.querySelectorAll('#known option')].map((one) => one.getAttribute('value'));
    expect(options).toEqual(['Apache Kafka', 'PostgreSQL']);
  });
});

describe('in a picture', () => {
  const embedded = async (...technologies: string[]) =>
    (await import('../../src/view/images/technologyIcons')).embeddedIcons(technologies);
  const data = `data:image/svg+xml;base64,${btoa(SVG)}`;

  it('are those of cards without an image, each once', async () => {
    const nodes = [
      node('one', { technology: 'Kafka' }),
      node('two', { technology: 'Kafka' }),
      node('own', { technology: 'Redis', image: 'images/x.png' }),
      node('frame', { technology: 'Go', type: 'group' }),
      node('plain'),
    ];
    expect(technologiesShown(nodes)).toEqual(['Kafka']);
    expect(await embedded('Kafka', 'Postgres', 'PostgreSQL 17', 'Abacus')).toEqual({
      images: { 'icons/kafka': data, 'icons/postgresql': data },
      icons: { Kafka: 'icons/kafka', Postgres: 'icons/postgresql', 'PostgreSQL 17': 'icons/postgresql' },
    });
    expect(asked.slice().sort()).toEqual([
      '/assets/icons/kafka-1.svg',
      '/assets/icons/postgresql-1.svg',
      '/icons/index.json',
    ]);
  });

  it('are left out where they have no room or are not there, and nothing is asked for without a technology', async () => {
    answers['/assets/icons/kafka-1.svg'] = new Response('x'.repeat(MAX_ALL_ICON_BYTES - SVG.length + 1));
    expect(Object.keys((await embedded('Kafka', 'Postgres')).images ?? {})).toEqual(['icons/kafka']);
    answers['/assets/icons/kafka-1.svg'] = new Response('', { status: 404 });
    expect(Object.keys((await embedded('Kafka', 'Postgres')).images ?? {})).toEqual(['icons/postgresql']);
    asked = [];
    vi.resetModules();
    expect(await embedded()).toEqual({ images: {}, icons: {} });
    expect(asked).toEqual([]);
  });

  it('do not hold it up while the server is away', async () => {
    answers = {};
    expect(await embedded('Kafka')).toEqual({ images: {}, icons: {} });
  });
});
