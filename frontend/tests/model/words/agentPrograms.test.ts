// @vitest-environment node
/** What each program is given to reach this server. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  AGENT_ROLES,
  agentRoleText,
  keyNameFor,
  NO_KEY,
  PROGRAMS,
  type ProgramId,
  repositoryLines,
  snippetOf,
} from '../../../src/model/words/agentPrograms';

const BASE = 'https://docs.example.org/design';
const KEY = 'dsk_a-b_C1';
const ids = PROGRAMS.map(({ value }) => value);
const given = (program: ProgramId, key: string | null = KEY) => snippetOf(program, BASE, key).text;

describe('what a program is given', () => {
  it('is one line for Claude Code', () => {
    expect(given('claude-code')).toBe(
      `claude mcp add --transport http --scope user draftsmith ${BASE}/mcp --header "Authorization: Bearer ${KEY}"`,
    );
  });

  it('is quoted where a shell would read the address otherwise', () => {
    expect(snippetOf('claude-code', 'http://h/a b;$(x)', null).text).toMatch(
      / 'http:\/\/h\/a b;\$\(x\)\/mcp'$/,
    );
    expect(snippetOf('claude-code', "http://h/it's", null).text).toMatch(/ 'http:\/\/h\/it'\\''s\/mcp'$/);
  });

  const headers = { Authorization: `Bearer ${KEY}` };
  const url = `${BASE}/mcp`;
  const local = { command: 'draftsmith', args: ['mcp', '--url', BASE], env: { DRAFTSMITH_KEY: KEY } };
  it.each<[ProgramId, object]>([
    ['claude-desktop', { mcpServers: { draftsmith: local } }],
    ['cursor', { mcpServers: { draftsmith: { url, headers } } }],
    ['vscode', { servers: { draftsmith: { type: 'http', url, headers } } }],
    ['opencode', { mcp: { draftsmith: { type: 'remote', url, oauth: false, headers } } }],
    ['zed', { context_servers: { draftsmith: { url, headers } } }],
    ['http', { mcpServers: { draftsmith: { type: 'http', url, headers } } }],
    ['stdio', { mcpServers: { draftsmith: local } }],
  ])('is JSON that %s reads', (program, expected) => {
    expect(JSON.parse(given(program))).toEqual(expected);
  });

  it('is TOML for Codex', () => {
    expect(given('codex')).toBe(
      `[mcp_servers.draftsmith]\nurl = "${BASE}/mcp"\nhttp_headers = { Authorization = "Bearer ${KEY}" }`,
    );
  });

  it.each(ids)('holds the address and nothing of a key where none is needed (%s)', (program) => {
    const text = given(program, null);
    expect(text).toContain(BASE);
    expect(text).not.toMatch(/Authorization|Bearer|DRAFTSMITH_KEY|null/);
    expect(given(program).split(KEY)).toHaveLength(2);
  });

  it('says where the command has to be that the program starts', () => {
    const needing = ids.filter((program) => snippetOf(program, BASE, null).needs.includes('draftsmith[mcp]'));
    expect(needing).toEqual(['claude-desktop', 'stdio']);
  });
});

describe('a key', () => {
  it('is called after program and device, within what a name may be', () => {
    const agents = {
      Mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36',
      Windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
      Linux: 'Mozilla/5.0 (X11; Linux x86_64)',
      'a phone': 'Mozilla/5.0 (Linux; Android 16)',
    };
    for (const [system, userAgent] of Object.entries(agents))
      expect(keyNameFor('codex', userAgent)).toBe(`Codex on ${system}`);
    expect(keyNameFor('http', '')).toBe('Agent');
  });

  it('has a role in words, also one that has none', () => {
    expect(AGENT_ROLES.map(({ value }) => agentRoleText(value))).toEqual([
      'Can edit',
      'Can propose',
      'Can read',
    ]);
    expect(agentRoleText(null)).toBe('May what you may');
  });
});

it('a repository is told where the design is, and to read it first', () => {
  expect(repositoryLines('https://x/w/1')).toMatch(/is at https:\/\/x\/w\/1 [\s\S]*before you change code/);
  expect(repositoryLines(null)).toContain('ADDRESS_OF_THE_WORKSPACE');
});

it('the page of the documentation shows the same', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/agents.md'), 'utf8');
  const shown = [...page.matchAll(/```text\n([\s\S]*?)\n```/g)].map(([, text]) => text);
  for (const program of ids)
    expect(shown, program).toContain(snippetOf(program, 'https://design.example.org', NO_KEY).text);
  expect(shown).toContain(repositoryLines(null));
});
