/**
 * An issuer of its own for tests: oidc-provider, certified and written by others, on a free port of this machine.
 *
 * `node issuer.mjs` reads one JSON object a line and answers each with one:
 *   {"do": "start", "accounts": {login: claims}}   begins to serve → {"issuer": url}
 *   {"do": "register", "clients": […]}   whom it knows, in the place of those before
 *   {"do": "remove", "login"}   the account is gone
 *   {"do": "rotate"}   a new key signs; the old one is still served 
 * Ends when its input does.
 */
import { Console } from 'node:console';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

globalThis.console = new Console(process.stderr); // standard output is for answers
const packages = createRequire(new URL('../../frontend/package.json', import.meta.url));
const { Provider } = await import(pathToFileURL(packages.resolve('oidc-provider')).href);

const RESOURCE = 'https://draftsmith.test/api';
const keys = [newKey()];
const cookieKeys = [randomUUID()];
const server = createServer((request, response) => handle(request, response));
let handle;
let setup;

function newKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'ES256' };
}

function build() {
  const provider = new Provider(setup.issuer, {
    clients: setup.clients,
    jwks: { keys },
    cookies: { keys: cookieKeys },
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
    scopes: ['openid', 'offline_access', 'profile', 'email', 'groups'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256', token_endpoint_auth_method: 'client_secret_basic' },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    features: {
      backchannelLogout: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        useGrantedResource: () => false,
        getResourceServerInfo: () => ({
          audience: RESOURCE,
          scope: 'edit',
          accessTokenFormat: 'jwt',
          accessTokenTTL: 600,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    // Without its own refusal to call this machine, which is where the tests are.
    fetch: (url, { dispatcher, ...options }) => fetch(url, options),
    async findAccount(_, id) {
      const claims = setup.accounts[id];
      return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) };
    },
  });
  handle = provider.callback();
}

const actions = {
  async start(order) {
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    setup = { clients: [], ...order, issuer: `http://127.0.0.1:${server.address().port}` };
    build();
    return { issuer: setup.issuer };
  },
  register({ clients }) {
    setup.clients = clients;
    build();
    return {};
  },
  remove({ login }) {
    delete setup.accounts[login];
    return {};
  },
  rotate() {
    keys.unshift(newKey());
    build();
    return {};
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await actions[order.do](order))}\n`);
}
process.exit(0);
