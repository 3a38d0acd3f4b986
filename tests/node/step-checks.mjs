// Whether the page's model agrees with a case of `step_cases.py`: complaints in words, none if it does.
// `model` is the module under test: the built client under Node, its sources under Vitest.
import { isDeepStrictEqual } from 'node:util';

export function complaintsAbout(model, testCase) {
  const complaints = 'states' in testCase ? aboutMisfits(model, testCase) : aboutBatch(model, testCase);
  return complaints.map((complaint) => `case ${testCase.name}: ${complaint}`);
}

function aboutMisfits({ WorkspaceState, misfit }, { states, steps, reasons }) {
  return states.flatMap((content, row) => {
    const workspace = WorkspaceState.from(content);
    return steps.flatMap((step, column) =>
      differing(`${step.k} on state ${row}`, misfit(step, workspace), reasons[row][column]),
    );
  });
}

function aboutBatch(model, testCase) {
  return [
    ...('steps' in testCase ? aboutSteps(model, testCase) : []),
    ...('operations' in testCase ? aboutPrediction(model, testCase) : []),
  ];
}

/** The steps lead there, their inverses are the server's, and these lead back. */
function aboutSteps(
  { WorkspaceState, apply, inverse, takeBack, StepMisfit },
  { before, steps, inverses, after },
) {
  const workspace = WorkspaceState.from(before);
  try {
    apply(steps, workspace);
  } catch (error) {
    if (error instanceof StepMisfit) return [`${error.step.k} does not fit: ${error.reason}`];
    throw error;
  }
  const there = aboutState(WorkspaceState, 'after', workspace, after);
  const found = steps.map(inverse);
  takeBack(steps, workspace);
  return [
    ...there,
    ...differing('inverses', found, inverses),
    ...differing('inverses of inverses', found.map(inverse), steps),
    ...aboutState(WorkspaceState, 'back again', workspace, before),
  ];
}

/** What the page has to know it knows, to the step; what the server refuses it never promises; else nothing changes. */
function aboutPrediction(model, { before, operations, predicted, problems, steps, after }) {
  const { WorkspaceState, predict, takeBack, Refused, NotPredicted } = model;
  const workspace = WorkspaceState.from(before);
  let made;
  try {
    made = predict(operations, workspace);
  } catch (error) {
    const untouched = aboutState(WorkspaceState, 'after no prediction', workspace, before);
    if (error instanceof NotPredicted) return predicted ? [`is not predicted: ${error.message}`] : untouched;
    if (!(error instanceof Refused)) throw error;
    if (steps) return [`is refused, but fits: ${error.code}, ${error.detail}`];
    return [
      ...untouched,
      ...differing('refused with', problems.some(([, code]) => code === error.code) || error.code, true),
    ];
  }
  if (!steps) return [`is promised, but refused: ${JSON.stringify(problems)}`];
  if (predicted === false) return ['is predicted, though the server alone resolves it'];
  const complaints = predicted
    ? [
        ...(isDeepStrictEqual(withoutPassingValues(withoutPassingThings(made)), steps) ? [] : differing('predicted steps', made, steps)),
        ...aboutState(WorkspaceState, 'after the prediction', workspace, after),
      ]
    : [];
  takeBack(made, workspace);
  return [...complaints, ...aboutState(WorkspaceState, 'prediction taken back', workspace, before)];
}

/** Steps without edges that they add and delete again, and without names that are taken back, which the server does not write down. */
function withoutPassingThings(steps) {
  const names = steps.filter(({ k }) => k === 'name');
  const isRenamed = names[0]?.v[0] !== names.at(-1)?.v[1];
  const born = new Set(steps.filter(({ k }) => k === 'edge+').map(({ id }) => id));
  const gone = steps.filter(({ k, id, b }) => k === 'edge-' && born.has(id) && b === 2 ** 53 - 1);
  const ids = new Set(gone.map(({ id }) => id));
  return steps.filter(({ k, id, b }) => (k !== 'name' || isRenamed) && !(k.startsWith('edge') && ids.has(id) && b === 2 ** 53 - 1));
}

/** Steps without fields that end with the value they began with, which the server does not write down. */
function withoutPassingValues(steps) {
  const ends = new Map();
  const cells = ({ k, id, v }) =>
    k.endsWith('=') ? Object.entries(v ?? {}).map(([name, pair]) => [`${k} ${id} ${name}`, name, pair]) : [];
  for (const step of steps)
    for (const [cell, , [from, to]] of cells(step)) {
      ends.set(cell, [ends.has(cell) ? ends.get(cell)[0] : from, to]);
    }
  return steps.flatMap((step) => {
    const passing = cells(step).filter(([cell]) => isDeepStrictEqual(...ends.get(cell)));
    if (!passing.length) return [step];
    const gone = new Set(passing.map(([, name]) => name));
    const v = Object.fromEntries(Object.entries(step.v).filter(([name]) => !gone.has(name)));
    return Object.keys(v).length ? [{ ...step, v }] : [];
  });
}

/** The same content, and the same indexes as one built from that content. */
function aboutState(WorkspaceState, where, workspace, content) {
  const fresh = WorkspaceState.from(content);
  return [
    ...differing(where, workspace.toContent(), content),
    ...differing(`${where}, groups`, childrenIn(workspace), childrenIn(fresh)),
    ...differing(`${where}, edges at nodes`, edgesIn(workspace), edgesIn(fresh)),
  ];
}

function childrenIn(workspace) {
  return [null, ...[...workspace.nodes.keys()].sort()].map((id) => [id, [...workspace.children(id)].sort()]);
}

function edgesIn(workspace) {
  return [...workspace.nodes.keys()]
    .sort()
    .map((id) => [id, workspace.edgesAt(id).sort(), workspace.hasEdges(id)]);
}

function differing(what, found, wanted) {
  return isDeepStrictEqual(found, wanted)
    ? []
    : [`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`];
}
