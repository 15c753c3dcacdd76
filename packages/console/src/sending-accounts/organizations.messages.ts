import type { TenantAccess, TenantMailboxOutcome } from '@overture/sdk'
import { words } from '../platform/text/words.ts'

const accesses: Readonly<Record<TenantAccess, string>> = {
  consent: 'People connect their own mailboxes',
  application: 'Mailboxes log in through the connection',
}
const outcomes: Readonly<Record<TenantMailboxOutcome, string>> = {
  connected: 'Connected',
  duplicate: 'Already exists',
  invalid: 'Not valid',
}

export const accessText = words('tenantAccesses', accesses)
export const outcomeText = words('tenantMailboxOutcomes', outcomes)

export const text = words('organizations', {
  title: 'Connect a whole organization',
  lead: 'An administrator connects the organization once. Its mailboxes then need no separate login.',
  list: 'Connected organizations',
  none: 'No connected organizations',
  noneText: 'Organizations that an administrator connects appear here.',
  organization: 'Organization',
  provider: 'Provider',
  access: 'Access',
  mailboxes: 'Mailboxes',
  connectTitle: 'Connect an organization',
  connect: 'Connect',
  connected: (name: string) => `${name} was connected`,
  guide: 'The documentation shows each step for the administrator and how to check it.',
  tenantId: 'Directory (tenant) ID',
  clientId: 'Application (client) ID',
  credential: 'Credential',
  credentials: { secret: 'Client secret', certificate: 'Certificate' },
  clientSecret: 'Value of the client secret',
  privateKey: 'Private key (PEM)',
  certificate: 'Certificate (PEM)',
  secretHint: 'Stored encrypted and never shown again.',
  serviceAccountKey: 'Key file of the service account (JSON)',
  adminEmail: 'Mailbox of an administrator',
  adminEmailHint: 'We log in to this mailbox to check the connection.',
  verifyTitle: 'Check a mailbox',
  verify: 'Check the login',
  address: 'Email address',
  addTitle: 'Add mailboxes',
  add: 'Add mailboxes',
  addresses: 'Email addresses',
  addressesHint: 'One per line, up to 1,000. A name before the address is optional: Mara Lind <mara@example.com>.',
  results: 'Results',
  counts: (connected: string, duplicates: string, invalid: string) =>
    `${connected} connected, ${duplicates} already existed, ${invalid} not valid`,
  remove: 'Delete',
  removeTitle: 'Delete this connection?',
  removeText: (name: string) =>
    `The login of ${name} is deleted. Move its sending accounts to another connection first.`,
  removed: 'Connection deleted',
  choose: 'Add mailboxes',
})
