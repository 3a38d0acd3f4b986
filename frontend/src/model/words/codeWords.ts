/**
 * The codes of the server in words, with the next steps. Pure.
 *
 * The same table is in docs/operations.md ("In words"); `tests/model/words/codeWords.test.ts` compares the two. Not
 * here: the details of a case, which the server sends in `detail` and `message`.
 */

/** The action of a button under a refusal. */
export type NextStep =
  | 'retry'
  | 'edit'
  | 'connect'
  | 'stop'
  | 'show'
  | 'template'
  | 'settings'
  | 'reload'
  | 'home'
  | 'copy';

/** The label of the button. */
export const NEXT_STEPS: Readonly<Record<NextStep, string>> = {
  retry: 'Try again',
  edit: 'Edit the request',
  connect: 'Connect a model',
  stop: 'Stop the other request',
  show: 'Show',
  template: 'Begin with a template',
  settings: 'Open settings',
  reload: 'Reload the page',
  home: 'All workspaces',
  copy: 'Copy the details',
};

export interface CodeWords {
  sentence: string;
  /** The likeliest first. */
  steps: readonly NextStep[];
}

export const CODE_WORDS: Readonly<Record<string, CodeWords>> = {
  // The operation does not fit.
  batch_rejected: {
    sentence: 'Part of it does not fit what is there, so nothing was changed.',
    steps: ['show', 'edit'],
  },
  invalid_request: {
    sentence: 'The request was not in a form that can be read, so nothing was changed.',
    steps: ['edit', 'copy'],
  },
  op_unknown: { sentence: 'It asks for something that cannot be done here.', steps: ['edit', 'copy'] },
  field_unknown: { sentence: 'It names a detail that does not exist.', steps: ['edit', 'copy'] },
  field_missing: { sentence: 'A detail that is needed was left out.', steps: ['edit', 'copy'] },
  field_invalid: { sentence: 'A detail is not in the right form.', steps: ['edit', 'copy'] },
  id_invalid: {
    sentence: 'The identifier it gives to something has signs that an identifier cannot have.',
    steps: ['edit'],
  },
  type_unknown: { sentence: 'There is no such type of node.', steps: ['edit'] },
  node_not_found: { sentence: 'It speaks of a node that is not in the diagram.', steps: ['edit'] },
  node_exists: { sentence: 'There is a node of that name already.', steps: ['show', 'edit'] },
  edge_not_found: { sentence: 'It speaks of a connection that is not in the diagram.', steps: ['edit'] },
  edge_exists: { sentence: 'There is a connection of that name already.', steps: ['show', 'edit'] },
  edge_ambiguous: { sentence: 'Several connections could be meant.', steps: ['edit'] },
  edge_duplicate: { sentence: 'They are connected like that already.', steps: ['show', 'edit'] },
  edge_address: { sentence: 'It does not say which connection is meant.', steps: ['edit'] },
  self_loop: { sentence: 'A node cannot be connected to itself.', steps: ['edit'] },
  not_a_group: { sentence: 'A group is needed there, and this is none.', steps: ['edit'] },
  containment_cycle: { sentence: 'A group would stand inside itself.', steps: ['edit'] },
  different_parents: { sentence: 'They do not stand in the same group.', steps: ['show', 'edit'] },
  group_not_empty: { sentence: 'The group has something in it and stays a group.', steps: ['show', 'edit'] },
  locked: {
    sentence: 'A node it would change is locked, so nothing was changed. A person has to unlock it first.',
    steps: ['show', 'edit'],
  },
  lock_forbidden: { sentence: 'Only a person may lock or unlock.', steps: ['edit'] },
  section_not_found: { sentence: 'The document has no such section.', steps: ['edit'] },
  section_ambiguous: { sentence: 'Several sections have that heading.', steps: ['edit'] },
  section_target: { sentence: 'It does not name exactly one place for the section.', steps: ['edit'] },
  find_empty: { sentence: 'It does not say which text is meant.', steps: ['edit'] },
  find_not_found: { sentence: 'The text to change does not stand in that section.', steps: ['show', 'edit'] },
  find_ambiguous: { sentence: 'The text to change stands there more than once.', steps: ['edit'] },
  too_costly: { sentence: 'The section is too long to be searched for that text.', steps: ['edit'] },
  overlap: { sentence: 'Two of the changes touch the same text.', steps: ['edit'] },
  text_invalid: {
    sentence: 'What was typed does not fit the document as it is now.',
    steps: ['copy', 'reload'],
  },
  line_unread: {
    sentence: 'A line of the diagram that was imported could not be read; nothing was created.',
    steps: ['edit', 'copy'],
  },
  not_revertable: {
    sentence: 'This step cannot be taken back by itself, so nothing was changed.',
    steps: ['show'],
  },
  // Too much at once.
  limit_nodes: {
    sentence: 'The diagram would hold more nodes than it may, so nothing was changed.',
    steps: ['edit'],
  },
  limit_edges: {
    sentence: 'The diagram would hold more connections than it may, so nothing was changed.',
    steps: ['edit'],
  },
  limit_document: {
    sentence: 'The document would become longer than it may be, so nothing was changed.',
    steps: ['edit'],
  },
  limit_operations: {
    sentence: 'These are too many changes for one step, or none at all, so nothing was changed.',
    steps: ['edit'],
  },
  limit_bytes: { sentence: 'The change is too large for one step, so nothing was changed.', steps: ['edit'] },
  body_too_large: { sentence: 'What was sent is too large, so nothing was changed.', steps: ['edit'] },
  // Conflicts with others.
  stale_base: {
    sentence: 'Others changed the same things meanwhile, so this was not applied.',
    steps: ['show', 'retry'],
  },
  base_gone: {
    sentence: 'The state this was typed on is no longer kept, so it was not applied.',
    steps: ['copy', 'reload'],
  },
  undo_moved: {
    sentence: 'Something else has happened since, so nothing was undone.',
    steps: ['show', 'retry'],
  },
  run_conflict: {
    sentence: 'Others kept changing the same things, so nothing was changed.',
    steps: ['retry', 'show'],
  },
  proposal_conflict: {
    sentence: 'Others changed what the proposal builds on, so nothing was changed.',
    steps: ['show', 'retry'],
  },
  proposal_closed: {
    sentence: 'This proposal was accepted or discarded before, so nothing more was changed.',
    steps: ['show'],
  },
  text_overlap: {
    sentence: 'Others changed the same words while this page was not connected; theirs stand.',
    steps: ['copy'],
  },
  uncertain: {
    sentence: 'Whether this was carried out is not known any more. Look before you apply it again.',
    steps: ['show', 'copy'],
  },
  key_reused: {
    sentence: 'The same request was sent before with other words, so nothing was changed.',
    steps: ['retry'],
  },
  // Not found, no longer kept.
  workspace_not_found: {
    sentence: 'There is no such workspace, or it is not shared with you.',
    steps: ['home'],
  },
  workspace_deleted: {
    sentence: 'This workspace is in the trash. It can be put back from there.',
    steps: ['home'],
  },
  revision_unknown: { sentence: 'The workspace has no such revision.', steps: ['show'] },
  checkpoint_not_found: { sentence: 'There is no such named version any more.', steps: ['show'] },
  trimmed: { sentence: 'This is longer ago than is kept.', steps: ['show'] },
  run_not_found: {
    sentence: 'This request is no longer kept; requests are kept for 7 days.',
    steps: ['edit'],
  },
  run_gone: {
    sentence: 'This request can no longer be watched; what came of it stands in the conversation.',
    steps: ['reload'],
  },
  proposal_not_found: {
    sentence: 'This proposal is no longer kept; proposals are kept for 14 days.',
    steps: ['edit'],
  },
  template_unknown: { sentence: 'There is no such template, so nothing was created.', steps: ['template'] },
  not_found: { sentence: 'There is nothing at this address.', steps: ['home'] },
  // The assistant.
  assistant_off: {
    sentence: 'The assistant is switched off here, so nothing was changed.',
    steps: ['settings'],
  },
  needs_key: { sentence: 'No model is connected, so nothing was changed.', steps: ['connect', 'edit'] },
  needs_model: {
    sentence: 'A first draft needs a model, and none is connected, so nothing was changed.',
    steps: ['connect', 'template'],
  },
  provider_unknown: {
    sentence: 'This server knows no such provider of models, so nothing was changed.',
    steps: ['settings'],
  },
  key_refused: { sentence: 'The provider does not accept this key, so it was not kept.', steps: ['connect'] },
  key_from_environment: {
    sentence: 'The key was set where the server was started, and can only be changed there.',
    steps: ['copy'],
  },
  day_tokens: {
    sentence:
      'All that the assistant may use today has been used, so nothing was changed. It goes on tomorrow.',
    steps: ['copy'],
  },
  run_busy: {
    sentence: 'Another request is at work; nothing was started. Wait for it, or stop it.',
    steps: ['stop', 'retry'],
  },
  run_finished: {
    sentence: 'It was finished before it could be stopped. What it did can be undone.',
    steps: ['show'],
  },
  workspace_not_empty: {
    sentence:
      'A first draft begins with an empty workspace, and this one has something in it, so nothing was changed.',
    steps: ['edit'],
  },
  cancelled: { sentence: 'It was stopped, so nothing was changed.', steps: ['retry', 'edit'] },
  rate_limited: {
    sentence: 'The model takes no more requests for the moment, so nothing was changed.',
    steps: ['retry'],
  },
  overloaded: { sentence: 'The model has too much to do, so nothing was changed.', steps: ['retry'] },
  provider_down: { sentence: 'The model failed on its side, so nothing was changed.', steps: ['retry'] },
  timeout: { sentence: 'The model did not answer in time, so nothing was changed.', steps: ['retry'] },
  network: {
    sentence: 'The model cannot be reached, or the connection to it broke, so nothing was changed.',
    steps: ['retry', 'settings'],
  },
  auth: { sentence: "The model's provider refused the key, so nothing was changed.", steps: ['connect'] },
  billing: {
    sentence: "The account with the model's provider has no credit left, so nothing was changed.",
    steps: ['connect', 'copy'],
  },
  model_not_found: {
    sentence: 'The provider has no such model, or the key may not use it, so nothing was changed.',
    steps: ['settings', 'copy'],
  },
  too_large: {
    sentence:
      'Diagram, document and request together are more than the model can read, so nothing was changed.',
    steps: ['edit'],
  },
  bad_request: {
    sentence: 'The model could not be asked because of a defect here, so nothing was changed.',
    steps: ['copy', 'retry'],
  },
  refusal: { sentence: 'The model declined to do this, so nothing was changed.', steps: ['edit'] },
  max_tokens: {
    sentence: 'The answer became longer than it may be and was cut off, so nothing was changed.',
    steps: ['edit'],
  },
  context: {
    sentence: 'The work became longer than the model can keep in view, so nothing was changed.',
    steps: ['edit'],
  },
  max_turns: {
    sentence: 'It was not finished within the rounds that it has, so nothing was changed.',
    steps: ['edit', 'retry'],
  },
  too_many_failures: {
    sentence: 'It tried several times, and nothing fitted, so nothing was changed.',
    steps: ['edit', 'retry'],
  },
  deadline: { sentence: 'It took longer than it may, so nothing was changed.', steps: ['edit', 'retry'] },
  run_tokens: { sentence: 'It used as much as one request may, so nothing was changed.', steps: ['edit'] },
  worker_lost: {
    sentence: 'The server stopped while it was at work, so nothing was changed.',
    steps: ['retry'],
  },
  // Permissions.
  unauthorized: { sentence: 'You are not signed in here any more.', steps: ['reload'] },
  forbidden: { sentence: 'This is not allowed here, so nothing was changed.', steps: ['copy'] },
  cross_site: {
    sentence: 'The request came from a page of another site, so it was refused and nothing was changed.',
    steps: ['copy'],
  },
  bad_host: {
    sentence:
      'The server does not answer to the name in the address bar. Whoever runs it can allow that name.',
    steps: ['copy'],
  },
  // The server and the connection.
  unreachable: {
    sentence: 'The server does not answer. What you changed is kept on this page.',
    steps: ['retry', 'reload'],
  },
  not_json: { sentence: 'Something other than Draftsmith answered at this address.', steps: ['reload'] },
  http_error: {
    sentence: 'The server, or something in front of it, could not answer.',
    steps: ['retry', 'copy'],
  },
  storage_down: {
    sentence:
      'The server cannot save at the moment, so nothing was changed on it. What you changed is kept on this page.',
    steps: ['retry'],
  },
  storage_full: {
    sentence:
      'The server has no room left, so nothing was changed on it. What you changed is kept on this page.',
    steps: ['retry', 'copy'],
  },
  storage_unsafe: {
    sentence:
      "The server's store could lose data, so it does not start until whoever runs it has changed that.",
    steps: ['copy'],
  },
  file_unwritable: {
    sentence: 'The server could not write the file, so nothing was kept.',
    steps: ['retry', 'copy'],
  },
  outcome_unknown: {
    sentence:
      'The server did not confirm it in time; it may have been applied. Trying again cannot apply it twice.',
    steps: ['retry'],
  },
  busy: { sentence: 'Too many are writing at once, so nothing was changed.', steps: ['retry'] },
  frozen: {
    sentence: 'This workspace is read only, since part of its history cannot be read. Nothing was changed.',
    steps: ['copy'],
  },
  restarting: { sentence: 'The server is restarting. This page comes back by itself.', steps: ['reload'] },
  internal: {
    sentence: 'A defect here got in the way. Look whether it was done before you try again.',
    steps: ['retry', 'copy'],
  },
  malformed_json: { sentence: 'What was sent could not be read, so nothing was changed.', steps: ['copy'] },
  media_type: {
    sentence: 'What was sent was not labelled as JSON, so nothing was changed.',
    steps: ['copy'],
  },
  method_not_allowed: {
    sentence: 'That cannot be done at this address, so nothing was changed.',
    steps: ['copy'],
  },
  message_too_large: {
    sentence: 'A change was too large to be sent at once, so it was not applied.',
    steps: ['copy', 'reload'],
  },
  invalid_message: {
    sentence: 'The page said something that the server does not understand.',
    steps: ['reload', 'copy'],
  },
  hello_missing: { sentence: 'The page did not begin the connection as it should.', steps: ['reload'] },
  version_unknown: { sentence: 'The server was updated, and this page is older than it.', steps: ['reload'] },
  // Warnings: it was applied.
  orphan: { sentence: 'Something stands in the diagram that nothing is connected to.', steps: ['show'] },
  unlabelled_edge: { sentence: 'A connection does not say what flows through it.', steps: ['show'] },
  dangling_link: {
    sentence: 'A link in the document leads to a node that is not in the diagram.',
    steps: ['show'],
  },
  disconnected: {
    sentence: 'The diagram has fallen into pieces that are not connected.',
    steps: ['show'],
  },
  sync_cycle: { sentence: 'Nodes call each other in a circle and wait for one another.', steps: ['show'] },
};

const UNKNOWN: CodeWords = { sentence: 'This was refused.', steps: ['retry', 'copy'] };

/** The words for a code; an HTTP status of a proxy (`http_502`) counts as `http_error`. */
export function codeWords(code: string): CodeWords {
  const known = code.startsWith('http_') ? 'http_error' : code;
  return Object.hasOwn(CODE_WORDS, known) ? (CODE_WORDS[known] ?? UNKNOWN) : UNKNOWN;
}
