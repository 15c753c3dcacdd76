import { dataReceivers, type DataReceiver } from '@overture/contract/accounts/data-flows.ts'
import { server } from './rooms.ts'
import { readImports, type Import, type Module } from './source.ts'

/** Names of Node's modules that open a connection. An import of the whole module is one, too. */
const openersOf: Readonly<Record<string, RegExp>> = {
  'node:net': /^(?:connect|createConnection)$/,
  'node:tls': /^connect$/,
  'node:http': /^(?:request|get|Agent)$/,
  'node:https': /^(?:request|get|Agent)$/,
  'node:http2': /^connect$/,
  'node:dns': /./,
  'node:dns/promises': /./,
  'node:dgram': /./,
}
const openingPackages = /^(?:imapflow|openid-client|stripe|undici|@ai-sdk\/.*|nodemailer|nodemailer\/lib\/smtp-.*)$/
const callsFetch = /(?:\bawait|\breturn|=>|[=(,?:])\s*fetch\(/

/** The modules that open connections, each with the receivers in `GET /v2/account/data-flows`, or with the reason for having none. */
const receiversOf: Readonly<Record<string, readonly DataReceiver[] | string>> = {
  'packages/server/src/ai/providers/provider-models.client.ts': ['ai_model'],
  'packages/server/src/billing/stripe.client.ts': ['payments'],
  'packages/server/src/lead-finder/cluster/open-search.client.ts': ['search_index'],
  'packages/server/src/lead-finder/providers/provider-http.client.ts': ['people_data'],
  'packages/server/src/mcp/mcp.routes.ts': 'It calls the API of this process.',
  'packages/server/src/meetings/busy-calendar/calendar-file.client.ts': ['calendar'],
  'packages/server/src/platform/mail/dns.client.ts': ['name_server'],
  'packages/server/src/platform/mail/guarded-fetch.client.ts': ['calendar', 'single_sign_on', 'assistant_document'],
  'packages/server/src/platform/mail/imap-session.client.ts': ['mail_server'],
  'packages/server/src/platform/mail/names.client.ts': ['name_server'],
  'packages/server/src/platform/mail/network-guard.client.ts': ['mail_server', 'system_mail', 'webhook'],
  'packages/server/src/platform/mail/smtp-connect.client.ts': ['mail_server', 'system_mail'],
  'packages/server/src/platform/mail/url-connection.client.ts': ['webhook', 'calendar', 'single_sign_on'],
  'packages/server/src/platform/traces/otlp-exporter.client.ts': ['traces'],
  'packages/server/src/sending-accounts/discovery/document.client.ts':
    'It asks the domain of the address that a user is about to connect, at the request of that user.',
  'packages/server/src/sending-accounts/discovery/tls-socket.client.ts':
    'It asks the servers of the address that a user is about to connect, at the request of that user.',
  'packages/server/src/sending-accounts/oauth/oauth.client.ts': ['mail_login'],
  'packages/server/src/sending-accounts/tenants/tenant-lookup.client.ts': ['mail_login'],
  'packages/server/src/team/single-sign-on/issuer.client.ts': ['single_sign_on'],
  'packages/server/src/verification/mailbox-provider.client.ts': ['address_verification'],
  'packages/server/src/webhooks/post.client.ts': ['webhook'],
  'packages/cli/src/client/events.ts': 'It sends events to the program of the user who called it.',
  'packages/cli/src/operator/mail-ports.ts': 'It connects and sends no data.',
  'packages/cli/src/operator/public-answers.ts': 'It asks the public address of this installation.',
}
const flows = `${server}/data-flows/data-flows.ts`

/** Modules that open connections and name no receiver, and entries of the table whose module opens none. */
export function clientsWithoutReceiver(modules: readonly Module[]): string[] {
  const clients = modules
    .filter(isOfProduct)
    .filter(opensConnections)
    .map(({ path }) => path)
  const known = Object.keys(receiversOf)
  return [
    ...clients.filter((path) => !known.includes(path)).map((path) => `${path}: no entry in test/house/receivers.ts`),
    ...known.filter((path) => !clients.includes(path)).map((path) => `${path}: opens no connection`),
  ]
}

/** Receivers that no module connects to, or that the list of data flows never contains. */
export function receiversWithoutClient(modules: readonly Module[]): string[] {
  const named = new Set(Object.values(receiversOf).flatMap((entry) => (typeof entry === 'string' ? [] : entry)))
  const list = modules.find(({ path }) => path === flows)?.text ?? ''
  return dataReceivers.filter((receiver) => !named.has(receiver) || !list.includes(`flow('${receiver}'`))
}

/** PostgreSQL is the store itself, so its driver is no client here. */
function isOfProduct({ path }: Module): boolean {
  return /^packages\/(?!testing\/|console\/)/.test(path)
}

/** Whether a module opens connections by itself. */
function opensConnections(module: Module): boolean {
  return callsFetch.test(module.text) || readImports(module).some(opens)
}

function opens({ specifier, typeOnly, names }: Import): boolean {
  if (typeOnly) return false
  if (openingPackages.test(specifier)) return true
  const opener = openersOf[specifier]
  if (opener === undefined) return false
  return names.length === 0 || names.some((name) => opener.test(name))
}
