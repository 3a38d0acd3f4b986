/**
 * A real model behind the part of OpenAI's protocol that Draftsmith speaks: node server.mjs MODEL.gguf CONTEXT THREADS
 * [calls]. With `calls` its first answer to a request with tools is held to the form of a call.
 *
 * Nothing in it knows Draftsmith. What is longer than the context loses its oldest messages without a word, as the library
 * does it; tokens are not counted; a call has whatever JSON object the model writes.
 */
import { createServer } from 'node:http';
import path from 'node:path';
import { getLlama, LlamaChat, LlamaLogLevel } from 'node-llama-cpp';

const [file, contextSize, threads, forced] = process.argv.slice(2);
const NAME = path.basename(file, '.gguf');
const llama = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.error });
const model = await llama.loadModel({ modelPath: file });
const context = await model.createContext({ contextSize: Number(contextSize), sequences: 1, threads: Number(threads) });
const chat = new LlamaChat({ contextSequence: context.getSequence() });
let last = Promise.resolve();

/** The messages as the library keeps them: calls hold their results. */
function historyOf(messages) {
  const results = new Map(messages.filter(({ role }) => role === 'tool').map((one) => [one.tool_call_id, one.content]));
  return messages.flatMap((one) => {
    if (one.role === 'system' || one.role === 'user') return [{ type: one.role, text: one.content }];
    if (one.role !== 'assistant') return [];
    const calls = (one.tool_calls ?? []).map(({ id, function: { name, arguments: raw } }) => ({
      type: 'functionCall',
      name,
      params: JSON.parse(raw),
      result: results.get(id) ?? '',
    }));
    return [{ type: 'model', response: [...(one.content ? [one.content] : []), ...calls] }];
  });
}

/** A tool with its schema in words: the library's grammar would demand every field that there is. */
const functionOf = ({ function: { name, description, parameters } }) => [
  name,
  {
    description: `${description}\nIts parameters as JSON Schema: ${JSON.stringify(parameters)}`,
    params: { type: 'object', additionalProperties: true },
  },
];

/** A call by grammar: one of the names, and any JSON object. */
async function forcedCall(functions, history, body, signal) {
  const grammar = await llama.createGrammarForJsonSchema({
    type: 'object',
    properties: {
      name: { enum: Object.keys(functions) },
      arguments: { type: 'object', additionalProperties: true },
    },
  });
  const texts = Object.entries(functions).map(([name, { description }]) => `${name}: ${description}`);
  const told = [{ type: 'system', text: texts.join('\n\n') }, ...history];
  const options = { grammar, maxTokens: body.max_tokens, temperature: 0, signal, stopOnAbortSignal: true };
  const { response } = await chat.generateResponse(told, options);
  const name = /"name"\s*:\s*"(\w+)"/.exec(response)?.[1] ?? '';
  const raw = /"arguments"\s*:\s*(\{[\s\S]*)\}\s*$/.exec(response)?.[1] ?? response;
  return { name, arguments: raw };
}

async function answer(body, send, signal) {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: NAME };
  const tell = (delta, finish_reason = null) => send({ ...head, choices: [{ index: 0, delta, finish_reason }] });
  const functions = Object.fromEntries((body.tools ?? []).map(functionOf));
  const history = historyOf(body.messages);
  const is_after_calls = body.messages.at(-1).role === 'tool';
  if (!is_after_calls) history.push({ type: 'model', response: [] });
  if (forced && body.tools && !is_after_calls) {
    const call = await forcedCall(functions, history, body, signal);
    tell({ tool_calls: [{ index: 0, id: `call_${Date.now()}`, type: 'function', function: call }] });
    return tell({}, 'tool_calls');
  }
  const { functionCalls, metadata } = await chat.generateResponse(history, {
    ...(body.tools && { functions }),
    maxTokens: body.max_tokens,
    temperature: 0,
    signal,
    stopOnAbortSignal: true,
    onTextChunk: (content) => tell({ content }),
  });
  const calls = (functionCalls ?? []).map(({ functionName, params }, at) => ({
    index: 0,
    id: `call_${Date.now()}_${at}`,
    type: 'function',
    function: { name: functionName, arguments: JSON.stringify(params) },
  }));
  for (const call of calls) tell({ tool_calls: [call] });
  tell({}, calls.length ? 'tool_calls' : metadata.stopReason === 'maxTokens' ? 'length' : 'stop');
}

const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'list', data: [{ id: NAME, object: 'model', created: 1, owned_by: 'local' }] }));
    return;
  }
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = JSON.parse(Buffer.concat(parts).toString());
  const left = new AbortController();
  response.on('close', () => left.abort());
  response.setHeader('content-type', 'text/event-stream');
  const send = (data) => response.write(`data: ${JSON.stringify(data)}\n\n`);
  last = last
    .then(() => left.signal.aborted || answer(body, send, left.signal))
    .catch((problem) => send({ error: { message: String(problem), type: 'server_error', code: null } }))
    .then(() => response.end('data: [DONE]\n\n'));
});
server.listen(0, '127.0.0.1', () => console.log(`A real model: http://127.0.0.1:${server.address().port}`));
