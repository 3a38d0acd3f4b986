// The same plugin in JavaScript, without any package: `node greeter.mjs`. What travels is in docs/plugins.md.
import { createServer } from 'node:http';

const TOOLS = [
  {
    name: 'greet',
    type: 'agentic',
    description: 'Greet somebody by name, and say how many were greeted before. Use it when asked to say hello.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string' }, loud: { type: 'boolean' } },
      required: ['name'],
    },
    readOnly: true,
  },
];

function invoke({ tool, args, state }) {
  if (tool !== 'greet') return failure('unknown_tool', 'There is one tool: greet.');
  if (typeof args?.name !== 'string') return failure('invalid_args', "'name' must be a text.");
  const before = state?.greeted ?? 0;
  const text = `Hello, ${args.name}! ${before} were greeted before.`;
  return { success: true, result: args.loud ? text.toUpperCase() : text, state: { greeted: before + 1 } };
}

const failure = (code, message) => ({ success: false, error: { code, message, details: {} } });

const server = createServer(async (request, response) => {
  const answer = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  if (request.url !== '/execute' || request.method !== 'POST') return answer(404, failure('not_found', 'POST /execute'));
  let text = '';
  for await (const piece of request.setEncoding('utf8')) {
    text += piece;
    if (text.length > 2_000_000) return answer(413, failure('too_large', 'Too much.'));
  }
  try {
    const { hook, sessionId, payload } = JSON.parse(text);
    if (hook === 'describe') return answer(200, { name: 'greeter', version: '1.0.0', tools: TOOLS });
    if (hook === 'invoke') return answer(200, { sessionId, ...invoke(payload) });
    answer(400, failure('unknown_hook', "'hook' must be 'describe' or 'invoke'."));
  } catch (error) {
    answer(400, failure('invalid_request', String(error)));
  }
});

server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => console.log(server.address().port));
