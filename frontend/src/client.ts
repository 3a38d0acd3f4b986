/**
 * `@draftsmith/client`: the state of a workspace and how it changes, without React and without a page around it.
 *
 * What is exported here is what programs outside this repository may build on.
 */
export * from './model/core/changes';
export * from './model/core/predict';
export * from './model/core/steps';
export * from './model/core/workspace';
export * from './protocol/live';
export * from './sync/client/client';
