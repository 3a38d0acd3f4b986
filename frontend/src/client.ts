/**
 * `@draftsmith/client`: the state of a workspace and its changes, without React or a page around it.
 *
 * What is exported here is the public API for programs outside this repository.
 */
import { startKeptRoutes } from './model/drawing/keptRoutes';

export * from './model/core/changes';
export * from './model/core/predict';
export * from './model/core/steps';
export * from './model/core/workspace';
export * from './protocol/live';
export * from './sync/client/client';

startKeptRoutes();
