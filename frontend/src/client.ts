/**
 * `@draftsmith/client`: the state of a workspace and how it changes, without React and without a page around it.
 *
 * What is exported here is what programs outside this repository may build on.
 */
export * from './model/changes';
export * from './model/predict';
export * from './model/steps';
export * from './model/workspace';
export * from './protocol/live';
export * from './sync/client';
