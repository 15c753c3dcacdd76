import type { DataFlow, DataReceiver } from '@overture/contract/accounts/data-flows.ts'
import type { Config } from '../platform/config.ts'

/** Where an account's data goes by its own settings. */
export interface AccountReceivers {
  /** Messages by the host of the sending accounts' servers. */
  mailServers: readonly HostCount[]
  webhooks: readonly HostCount[]
  generations: number
  reveals: number
  verifications: number
  readsCalendar: boolean
  /** Providers whose login servers the sending accounts use. */
  logins: readonly ('google' | 'microsoft')[]
}

export interface HostCount {
  host: string
  calls: number
}

/** The addresses of services that the operator configured, with the providers' own where none is set. */
interface ServiceUrls {
  models: readonly string[]
  payments: string | null
  peopleData: string | null
  verification: string | null
}

/** The data that each receiver gets. Source: docs/law-by-country.md. */
const fieldsByReceiver: Readonly<Record<DataReceiver, readonly string[]>> = {
  mail_server: ['email address', 'name', 'texts of messages', 'mail of the mailbox'],
  mail_login: ['email address of the sending account', 'login of the sending account'],
  ai_model: ['fields of the lead that the prompt names', 'texts of the campaign', 'replies of the lead'],
  people_data: ['search filters', 'id of the person at the provider'],
  address_verification: ['email address'],
  webhook: ['events with email address, ids and texts of replies'],
  calendar: ['address of the calendar'],
  system_mail: ['email address and name of users', 'names and counts in reports'],
  payments: ['name of the account', 'email address of the paying user'],
  search_index: ['people of the local data set'],
  traces: ['names and durations of operations', 'ids'],
  single_sign_on: ['login of users'],
  assistant_document: ['address of the description'],
  name_server: ['domains of email addresses'],
}

/** Lists every receiver of the live environment's data. Pure. */
export function listDataFlows(config: Config, account: AccountReceivers, urls: ServiceUrls): DataFlow[] {
  const { systemMail, traces, signIn, finder, network, oauth } = config
  const logins = account.logins.map((provider) => urlHost(oauth[provider].tokenUrl))
  const names = network.dnsServers.length === 0 ? ['system'] : network.dnsServers
  return [
    ...account.mailServers.map(({ host, calls }) => flow('mail_server', host, { calls, byAccount: true })),
    ...logins.map((host) => flow('mail_login', host, { byAccount: true })),
    ...account.webhooks.map(({ host, calls }) => flow('webhook', host, { calls, byAccount: true })),
    ...(account.readsCalendar ? [flow('calendar', 'the host of the calendar address', { byAccount: true })] : []),
    ...urls.models.map((url) => flow('ai_model', urlHost(url), { calls: account.generations })),
    ...some(urls.peopleData, (url) => flow('people_data', urlHost(url), { calls: account.reveals })),
    ...some(urls.verification, (url) => flow('address_verification', urlHost(url), { calls: account.verifications })),
    ...some(systemMail, ({ host }) => flow('system_mail', host)),
    ...some(urls.payments, (url) => flow('payments', urlHost(url))),
    ...some(finder.cluster, ({ url }) => flow('search_index', urlHost(url))),
    ...some(traces, ({ url }) => flow('traces', urlHost(url))),
    ...some(signIn.oidc, ({ issuer }) => flow('single_sign_on', urlHost(issuer))),
    ...(config.mcp !== null && config.console
      ? [flow('assistant_document', 'the host that an assistant names', { byAccount: true })]
      : []),
    ...names.map((host) => flow('name_server', host)),
  ]
}

function flow(
  receiver: DataReceiver,
  host: string,
  { calls = null, byAccount = false }: { calls?: number | null; byAccount?: boolean } = {},
): DataFlow {
  const configuredBy = byAccount ? 'account' : 'operator'
  return { receiver, host, configuredBy, fields: [...fieldsByReceiver[receiver]], callsIn30Days: calls }
}

function some<Value>(value: Value | null, make: (value: Value) => DataFlow): DataFlow[] {
  return value === null ? [] : [make(value)]
}

function urlHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
