/** A small sketch of a template; an unknown template gets a generic one. */

type Sketch = { boxes: [x: number, y: number, w: number][]; lines: string[] };

const SKETCHES: Record<string, Sketch> = {
  blank: { boxes: [], lines: [] },
  // Lines that become boxes.
  description: {
    boxes: [
      [86, 12, 26],
      [86, 40, 26],
    ],
    lines: [
      'M14 18H58',
      'M14 27H50',
      'M14 36H58',
      'M14 45H38',
      'M66 32H74',
      'M74 18H86',
      'M74 46H86',
      'M74 18V46',
    ],
  },
  'web-service': {
    boxes: [
      [12, 25, 26],
      [52, 25, 26],
      [92, 10, 26],
      [92, 40, 26],
    ],
    lines: ['M38 31H52', 'M78 31H85V16H92', 'M78 31H85V46H92'],
  },
  'event-driven': {
    boxes: [
      [10, 10, 26],
      [10, 40, 26],
      [52, 25, 26],
      [94, 10, 26],
      [94, 40, 26],
    ],
    lines: ['M36 16H44V31H52', 'M36 46H44V31H52', 'M78 31H86V16H94', 'M78 31H86V46H94'],
  },
  'data-pipeline': {
    boxes: [
      [6, 25, 22],
      [40, 25, 22],
      [74, 25, 22],
      [108, 25, 16],
    ],
    lines: ['M28 31H40', 'M62 31H74', 'M96 31H108'],
  },
  other: {
    boxes: [
      [52, 6, 26],
      [52, 26, 26],
      [12, 46, 26],
      [52, 46, 26],
      [92, 46, 26],
    ],
    lines: ['M65 18V26', 'M65 38V46', 'M65 42H25V46', 'M65 42H105V46'],
  },
};

export function TemplatePicture({ id }: { id: string }) {
  const sketch = (SKETCHES[id.replaceAll('_', '-')] ?? SKETCHES.other) as Sketch;
  return (
    <svg className="template-picture" viewBox="0 0 130 64" aria-hidden="true" focusable="false">
      {sketch.boxes.length === 0 && <path className="plus" d="M65 24v16M57 32h16" />}
      {sketch.lines.map((line) => (
        <path key={line} className="line" d={line} />
      ))}
      {sketch.boxes.map(([x, y, width]) => (
        <rect key={`${x} ${y}`} x={x} y={y} width={width} height={12} rx={3} />
      ))}
    </svg>
  );
}
