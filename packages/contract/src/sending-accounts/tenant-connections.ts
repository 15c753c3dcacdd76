import { z } from 'zod'
import { checkedLater, deleted, domainName, email, id, listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { confirmation, confirmText } from '../team/confirmation.ts'
import { dailyExternalRecipients, recipientBudget } from './recipient-budget.ts'
import { createSendingAccountInput, oauthProvider, verifyOutput } from './sending-accounts.ts'

const area = { tag: 'Sending accounts' } as const

export const tenantAccess = z.enum(['consent', 'application']).meta({ id: 'TenantAccess' })

export const tenantConnection = namedObject('TenantConnection', {
  id: z.string(),
  provider: oauthProvider,
  access: tenantAccess.meta({
    description:
      '`consent`: an administrator allowed the people of the organization to connect their own mailboxes. `application`: ' +
      'sending accounts log in through the connection.',
  }),
  tenantId: z.string().nullable().meta({ description: 'The id of the organization at Microsoft.' }),
  domain: z.string().nullable().meta({ description: 'A domain of the organization; null if none is known.' }),
  clientId: z.string().nullable().meta({
    description: 'With `application`: the id of the application at Microsoft, or of the service account at Google.',
  }),
  adminEmail: z.string().nullable().meta({ description: 'The administrator at Google.' }),
  sendingAccounts: z.number().int().meta({ description: 'How many sending accounts log in through the connection.' }),
  ...recipientBudget,
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type TenantConnection = z.infer<typeof tenantConnection>

const secret = z.string().min(1).max(4_000)
const pem = z.string().min(1).max(20_000)

const certificateInput = namedObject('ClientCertificateInput', {
  privateKey: pem.meta({ description: 'The RSA key as PEM, without a passphrase.' }),
  certificate: pem.meta({ description: 'The certificate as PEM, as it was uploaded to the application in Entra.' }),
})

const microsoftInput = namedObject('ConnectMicrosoftInput', {
  provider: z.literal('microsoft'),
  tenantId: z.guid().meta({ description: 'The directory (tenant) id.' }),
  clientId: z.guid().meta({ description: 'The application (client) id.' }),
  clientSecret: secret.optional(),
  certificate: certificateInput.optional(),
}).refine(({ clientSecret, certificate }) => (clientSecret === undefined) !== (certificate === undefined), {
  path: ['clientSecret'],
  message: 'Send either clientSecret or certificate.',
})

const googleInput = namedObject('ConnectGoogleInput', {
  provider: z.literal('google'),
  serviceAccountKey: z
    .union([pem, z.record(z.string(), z.unknown())])
    .meta({ description: 'The JSON key of the service account, as an object or as the text of the file.' }),
  adminEmail: email.meta({
    description: 'A mailbox of the organization. The connection is checked by logging in to it.',
  }),
})

export const connectTenantInput = z
  .discriminatedUnion('provider', [microsoftInput, googleInput])
  .meta({ id: 'ConnectTenantInput' })
export type ConnectTenantInput = z.infer<typeof connectTenantInput>
export type ConnectMicrosoftInput = z.infer<typeof microsoftInput>
export type ConnectGoogleInput = z.infer<typeof googleInput>

const mailboxesMax = 1000
/** Enough for a thousand mailboxes with signatures of usual length. */
const mailboxesBytesMax = 5 * 1024 * 1024

export const tenantMailbox = namedObject('TenantMailboxInput', {
  email,
  ...createSendingAccountInput.pick({ fromName: true, dailyLimit: true, signature: true }).shape,
})
export type TenantMailbox = z.infer<typeof tenantMailbox>

const mailboxOutcome = z.enum(['connected', 'duplicate', 'invalid']).meta({ id: 'TenantMailboxOutcome' })
const mailboxResult = namedObject('TenantMailboxResult', {
  index: z.number().int(),
  email: z.string().nullable(),
  outcome: mailboxOutcome,
  sendingAccountId: z
    .string()
    .nullable()
    .meta({ description: 'The new sending account. For a duplicate: the account that has the address.' }),
  field: z.string().nullable().meta({ description: 'The field that makes an item invalid.' }),
  message: z.string().nullable().meta({ description: 'Why the mailbox was not connected.' }),
})
export type TenantMailboxResult = z.infer<typeof mailboxResult>

const mailboxResults = namedObject('TenantMailboxResults', {
  connected: z.number().int(),
  duplicates: z.number().int(),
  invalid: z.number().int(),
  results: z.array(mailboxResult),
})
export type TenantMailboxResults = z.infer<typeof mailboxResults>

export const tenantConnectionEndpoints = {
  startAdminConsent: endpoint({
    ...area,
    operationId: 'startAdminConsent',
    call: 'sendingAccounts.adminConsent',
    method: 'GET',
    path: '/v2/sending-accounts/oauth/admin-consent',
    environment: 'both',
    scope: 'read',
    summary: 'Get a link for an administrator of Microsoft 365',
    description:
      'An administrator who opens the link allows everyone in the organization of `domain` to connect their own mailbox. The ' +
      'redirect back stores the organization as a tenant connection. The link works once and for seven days.',
    query: z.strictObject({ provider: z.enum(['microsoft']), domain: domainName }),
    success: [200],
    output: namedObject('AdminConsent', { url: z.string(), expiresAt: timestamp }),
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  listTenantConnections: endpoint({
    ...area,
    operationId: 'listTenantConnections',
    call: 'tenantConnections.list',
    method: 'GET',
    path: '/v2/tenant-connections',
    environment: 'both',
    scope: 'read',
    summary: 'List tenant connections',
    description: 'Organizations at Microsoft and Google that are connected as a whole, newest first.',
    query: z.strictObject(pageQuery),
    success: [200],
    output: listOf(tenantConnection),
  }),
  connectTenant: endpoint({
    ...area,
    operationId: 'connectTenant',
    call: 'tenantConnections.create',
    method: 'POST',
    path: '/v2/tenant-connections',
    environment: 'both',
    scope: 'admin',
    summary: 'Connect a whole organization',
    description:
      'Sending accounts then log in without a click per mailbox. Microsoft 365: an application with the permissions ' +
      '`SMTP.SendAsApp` and `IMAP.AccessAsApp`. Google Workspace: a service account with domain-wide delegation for ' +
      '`https://mail.google.com/`. The provider must accept the login now, otherwise the response is 400 with the words of the ' +
      'provider. Secrets are ' +
      'write-only. The same application or service account renews its connection: 200 instead of 201.',
    body: connectTenantInput,
    success: [201, 200],
    output: tenantConnection,
    errors: ['SERVICE_UNAVAILABLE'],
    examples: {
      body: {
        provider: 'microsoft',
        tenantId: '11111111-aaaa-4bbb-8ccc-0123456789ab',
        clientId: '33333333-aaaa-4bbb-8ccc-0123456789ab',
        clientSecret: 'the value of the secret',
      },
    },
  }),
  verifyTenantConnection: endpoint({
    ...area,
    operationId: 'verifyTenantConnection',
    call: 'tenantConnections.verify',
    method: 'POST',
    path: '/v2/tenant-connections/:id/verify',
    environment: 'both',
    scope: 'admin',
    summary: 'Verify a tenant connection',
    description:
      'Logs in to one mailbox of the organization by SMTP and IMAP and names the setting that prevents it. If the login works, ' +
      'sending accounts of the connection whose login was refused are tried again.',
    body: namedObject('VerifyTenantConnectionInput', { email }),
    success: [200],
    output: verifyOutput,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  connectTenantMailboxes: endpoint({
    ...area,
    operationId: 'connectTenantMailboxes',
    call: 'tenantConnections.addMailboxes',
    method: 'POST',
    path: '/v2/tenant-connections/:id/mailboxes',
    environment: 'both',
    scope: 'admin',
    summary: 'Add mailboxes of an organization',
    description:
      'Creates a sending account per mailbox, up to 1,000 at once. Results are per item; one bad item never fails the call. In the ' +
      `live environment ${confirmText}`,
    body: namedObject('ConnectTenantMailboxesInput', {
      mailboxes: z.array(checkedLater(tenantMailbox)).min(1).max(mailboxesMax),
      confirm: confirmation.optional(),
    }),
    bodyBytesMax: mailboxesBytesMax,
    itemsField: 'mailboxes',
    csvItems: { email: 'text', fromName: 'text', dailyLimit: 'number', signature: 'text' },
    success: [200],
    output: mailboxResults,
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: { body: { mailboxes: [{ email: 'ada@example.com', fromName: 'Ada', dailyLimit: 40 }] } },
  }),
  getTenantConnection: endpoint({
    ...area,
    operationId: 'getTenantConnection',
    call: 'tenantConnections.get',
    method: 'GET',
    path: '/v2/tenant-connections/:id',
    environment: 'both',
    scope: 'read',
    summary: 'Get a tenant connection',
    description: 'Returns the organization and how it is connected, without secrets.',
    success: [200],
    output: tenantConnection,
    errors: ['NOT_FOUND'],
  }),
  updateTenantConnection: endpoint({
    ...area,
    operationId: 'updateTenantConnection',
    call: 'tenantConnections.update',
    method: 'PUT',
    path: '/v2/tenant-connections/:id',
    environment: 'both',
    scope: 'admin',
    summary: 'Set the recipients per day of an organization',
    description:
      'All sending accounts of the organization share `dailyExternalRecipients`, also those that log in without the connection. ' +
      'Campaign messages wait behind the gate `sender_daily_limit` when it is used up. Replies that people write count, and do not ' +
      'wait. All connections of an organization have the same value.',
    body: namedObject('UpdateTenantConnectionInput', { dailyExternalRecipients }),
    success: [200],
    output: tenantConnection,
    errors: ['NOT_FOUND'],
  }),
  deleteTenantConnection: endpoint({
    ...area,
    operationId: 'deleteTenantConnection',
    call: 'tenantConnections.delete',
    method: 'DELETE',
    path: '/v2/tenant-connections/:id',
    environment: 'both',
    scope: 'admin',
    summary: 'Delete a tenant connection',
    description:
      'Deletes our record and its secrets. The consent at the provider remains: an administrator revokes it in Entra, under ' +
      'Enterprise applications, or in the Google Admin console. 409 while sending accounts log in through the connection, unless ' +
      '`replaceWith` names another connection of the same organization, which then serves them.',
    query: z.strictObject({ replaceWith: id.optional() }),
    success: [200],
    output: deleted,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
}
