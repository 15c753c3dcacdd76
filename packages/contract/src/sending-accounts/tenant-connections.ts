import { z } from 'zod'
import { deleted, domainName, listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { oauthProvider } from './sending-accounts.ts'

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
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type TenantConnection = z.infer<typeof tenantConnection>

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
      'Deletes our record. The consent at Microsoft remains: an administrator revokes it in Entra, under Enterprise applications.',
    success: [200],
    output: deleted,
    errors: ['NOT_FOUND'],
  }),
}
