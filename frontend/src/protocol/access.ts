/** The calls of the API for access: signing in, share links, members, sessions. */
import { at, params } from './api';
import { ask } from './http';
import { ROOT_PATH } from './root';
import type { components } from './schema';
import type { Me } from './types';

type Shapes = components['schemas'];
export type Role = Shapes['AccessOut']['role'];
export type WorkspaceAccess = Shapes['AccessOut'];
export type ShareLink = Shapes['ShareItem'];
export type NewShareLink = Shapes['ShareMade'];
export type Session = Shapes['SessionOut'];

/** The address to which a browser is sent to sign in with the issuer; it comes back to a path of ours. */
export const signInAddress = (next: string): string =>
  `${ROOT_PATH}/api/v1/sign-in/begin?next=${encodeURIComponent(next)}`;

export async function signInByLink(token: string, name: string): Promise<Me> {
  return (await ask<Me>('/sign-in/link', { method: 'POST', body: { token, name } })).body;
}

/** Signs out in this browser; where to go to do so at the issuer, too. */
export async function signOut(): Promise<string | null> {
  const { body } = await ask<{ url: string } | undefined>('/session', { method: 'DELETE' });
  return body?.url ?? null;
}

export async function signOutEverywhere(): Promise<void> {
  await ask('/sessions', { method: 'DELETE' });
}

export async function listSessions(signal?: AbortSignal): Promise<Session[]> {
  return (await ask<Shapes['SessionList']>('/sessions', { signal })).body.items;
}

export async function openShare(token: string): Promise<Shapes['OpenedOut']> {
  return (await ask<Shapes['OpenedOut']>('/shares/open', { method: 'POST', body: { token } })).body;
}

export async function readAccess(id: string, signal?: AbortSignal): Promise<WorkspaceAccess> {
  return (await ask<WorkspaceAccess>(`${at(id)}/access`, { signal })).body;
}

export async function setEveryone(
  id: string,
  everyone: Shapes['AccessBody']['everyone'],
): Promise<WorkspaceAccess> {
  return (await ask<WorkspaceAccess>(`${at(id)}/access`, { method: 'PATCH', body: { everyone } })).body;
}

export async function setShowsRuns(id: string, isShown: boolean): Promise<WorkspaceAccess> {
  const body = { shows_runs: isShown };
  return (await ask<WorkspaceAccess>(`${at(id)}/access`, { method: 'PATCH', body })).body;
}

/** A role of null takes it away. */
export async function setMember(id: string, person: string, role: Role | null): Promise<WorkspaceAccess> {
  const path = `${at(id)}/members/${encodeURIComponent(person)}`;
  return (
    await (role === null
      ? ask<WorkspaceAccess>(path, { method: 'DELETE' })
      : ask<WorkspaceAccess>(path, { method: 'PUT', body: { role } }))
  ).body;
}

/** A role of null takes it away. */
export async function setGroup(id: string, group: string, role: Role | null): Promise<WorkspaceAccess> {
  const path = `${at(id)}/groups/${encodeURIComponent(group)}`;
  const how = role === null ? { method: 'DELETE' as const } : { method: 'PUT' as const, body: { role } };
  return (await ask<WorkspaceAccess>(path, how)).body;
}

export async function transfer(id: string, to: string): Promise<WorkspaceAccess> {
  return (await ask<WorkspaceAccess>(`${at(id)}/transfer`, { method: 'POST', body: { to } })).body;
}

export async function listShares(id: string, signal?: AbortSignal): Promise<ShareLink[]> {
  return (await ask<Shapes['ShareList']>(`${at(id)}/shares`, { signal })).body.items;
}

export async function createShare(
  id: string,
  role: Shapes['ShareBody']['role'],
  hours: number | null,
): Promise<NewShareLink> {
  const body = { role, ...(hours !== null && { expires_in_hours: hours }) };
  return (await ask<NewShareLink>(`${at(id)}/shares`, { method: 'POST', body })).body;
}

/** A link to a picture of some nodes, or of the whole diagram. */
export async function createPictureLink(
  id: string,
  nodes: readonly string[],
  hours: number | null,
): Promise<NewShareLink> {
  const body = { role: 'viewer', picture: { nodes }, ...(hours !== null && { expires_in_hours: hours }) };
  return (await ask<NewShareLink>(`${at(id)}/shares`, { method: 'POST', body })).body;
}

export async function revokeShare(id: string, share: string): Promise<void> {
  await ask(`${at(id)}/shares/${encodeURIComponent(share)}`, { method: 'DELETE' });
}

export type ApiKey = Shapes['KeyItem'];
export type AuditItem = Shapes['AuditItem'];

export async function endSession(session: string): Promise<void> {
  await ask(`/sessions/${encodeURIComponent(session)}`, { method: 'DELETE' });
}

/** Keys of one's own. */
export async function listKeys(signal?: AbortSignal): Promise<ApiKey[]> {
  return (await ask<Shapes['KeyList']>('/keys', { signal })).body.items;
}

export type NewKey = Shapes['KeyMade'];

/** A key that acts as who makes it; its secret is told only now. Without a role it may what they may, without days for ever. */
export async function createKey(
  name: string,
  role: Shapes['ApiKeyBody']['role'] = null,
  days: number | null = null,
): Promise<NewKey> {
  const body = { name, ...(role && { role }), ...(days !== null && { expires_in_days: days }) };
  return (await ask<NewKey>('/keys', { method: 'POST', body })).body;
}

export async function revokeKey(key: string): Promise<void> {
  await ask(`/keys/${encodeURIComponent(key)}`, { method: 'DELETE' });
}

/** Who did what to who may what, newest first: a page, and where the next begins. */
export async function readAudit(
  id: string,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<Shapes['AuditList']> {
  return (await ask<Shapes['AuditList']>(`${at(id)}/audit${params({ cursor, limit: 20 })}`, { signal })).body;
}
