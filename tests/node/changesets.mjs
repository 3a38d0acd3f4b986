// What @codemirror/state and @codemirror/collab make of generated changes, for comparison with ours.
//
// Reads one JSON list of cases from stdin and writes the list of answers to stdout, so that one process does for many
// cases. Everything that comes out is brought into our normal form: neighbouring changed parts are one.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const fromEditor = createRequire(new URL("../../frontend/package.json", import.meta.url));
const { ChangeSet, Text } = fromEditor("@codemirror/state");
const { rebaseUpdates } = fromEditor("@codemirror/collab");

/** Neighbouring changed parts as one; the lines of the second go on where those of the first end. */
function normal(set) {
  const parts = [];
  for (const part of set.toJSON()) {
    const last = parts.at(-1);
    if (typeof part === "number" || typeof last !== "object") parts.push(part);
    else parts[parts.length - 1] = joined(last, part);
  }
  return parts;
}

function joined([length, ...lines], [more, ...others]) {
  if (!lines.length || !others.length) return [length + more, ...lines, ...others];
  return [length + more, ...lines.slice(0, -1), lines.at(-1) + others[0], ...others.slice(1)];
}

const text = (doc) => Text.of(doc.split("\n"));
const read = (json) => ChangeSet.fromJSON(json);
const again = (set) => read(normal(set));

/**
 * Pushes of one page, rebased over what others have had committed since: push by push and commit by commit.
 *
 * `rebaseUpdates` does all at once, but maps the later pushes over changes that are not in normal form.
 */
function chain(pushes, over) {
  let mine = pushes.map(read);
  for (const changes of over) {
    let other = read(changes);
    mine = mine.map((push) => {
      const [moved] = rebaseUpdates([{ changes: push, clientID: "me" }], [{ changes: other, clientID: "other" }]);
      other = again(other.map(push, true));
      return again(moved.changes);
    });
  }
  return mine.map(normal);
}

function answer({ doc, mine, theirs, after, pushes, over }) {
  const [a, b, c] = [mine, theirs, after].map(read);
  const begin = text(doc);
  return {
    json: normal(a),
    applied: a.apply(begin).toString(),
    inverse: normal(a.invert(begin)),
    mapped: normal(a.map(b)),
    mapped_before: normal(a.map(b, true)),
    composed: normal(a.compose(c)),
    chain: chain(pushes, over),
  };
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(answer)));
