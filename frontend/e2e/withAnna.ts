/** What files of tests begin and end with in which one person does everything, at workspaces of her own. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { Person } from './actors';
import { Stage } from './stage';

/** Anna, on the stage that files share, for all tests of a file; what her page complains of fails the test. */
export function withAnna(keep: (anna: Person, stage: Stage) => void): void {
  let stage: Stage;
  let anna: Person;

  beforeAll(async () => {
    stage = await Stage.shared();
    anna = await Person.come(stage, 'Anna', null);
    keep(anna, stage);
  });

  afterAll(() => stage?.close());

  afterEach(() => {
    expect(anna.visit.complaints).toEqual([]);
  });
}
