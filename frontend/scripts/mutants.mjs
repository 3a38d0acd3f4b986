/**
 * Small changes of TypeScript: every place where one word makes it another program.
 *
 *     node scripts/mutants.mjs src/sync/session/outbox.ts …
 *
 * prints a JSON array of `{file, start, end, text}`, in UTF-8 bytes. Which of them are tried says `tests/mutants`.
 */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const K = ts.SyntaxKind;
const OPERATORS = new Map([
  [K.EqualsEqualsEqualsToken, '!=='],
  [K.ExclamationEqualsEqualsToken, '==='],
  [K.LessThanToken, '<='],
  [K.LessThanEqualsToken, '<'],
  [K.GreaterThanToken, '>='],
  [K.GreaterThanEqualsToken, '>'],
  [K.AmpersandAmpersandToken, '||'],
  [K.BarBarToken, '&&'],
]);

function changesOf(file) {
  const source = readFileSync(file, 'utf8');
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found = [];
  const bytes = (at) => Buffer.byteLength(source.slice(0, at));
  const add = (from, to, text) => found.push({ file, start: bytes(from), end: bytes(to), text });
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isThrowStatement(node)) return;
    if (ts.isBinaryExpression(node)) {
      const text = OPERATORS.get(node.operatorToken.kind);
      if (text) add(node.operatorToken.getStart(), node.operatorToken.end, text);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken) {
      add(node.getStart(), node.operand.getStart(), '');
    } else if (node.kind === K.TrueKeyword) add(node.getStart(), node.end, 'false');
    else if (node.kind === K.FalseKeyword) add(node.getStart(), node.end, 'true');
    else if (ts.isNumericLiteral(node)) add(node.getStart(), node.end, `(${node.getText()} + 1)`);
    else if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression))
      add(node.getStart(), node.end, ';');
    node.forEachChild(visit);
  };
  visit(tree);
  return found;
}

process.stdout.write(JSON.stringify(process.argv.slice(2).flatMap(changesOf)));
