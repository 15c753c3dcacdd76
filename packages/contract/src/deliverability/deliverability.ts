import { z } from 'zod'
import { calendarDate, listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { deliverabilityReasons, deliverabilityScore, deliverabilityState } from '../sending-accounts/deliverability.ts'
import { endpoint } from '../endpoint.ts'
import { healthCheck, healthSummary } from '../sending-accounts/domain-health.ts'
import { dailyExternalRecipients, recipientBudget } from '../sending-accounts/recipient-budget.ts'
import { senderStatus } from '../sending-accounts/sending-accounts.ts'
import { recipientProvider } from './recipient-provider.ts'

/** A larger report is refused with 413. */
export const dmarcReportBytesMax = 10 * 1024 * 1024

const count = z.number().int()

export const dmarcPolicies = ['none', 'quarantine', 'reject'] as const
export const dmarcPolicy = z.enum(dmarcPolicies).meta({ id: 'DmarcPolicy' })
export type DmarcPolicy = z.infer<typeof dmarcPolicy>

export const dmarcReport = namedObject('DmarcReport', {
  id: z.string(),
  domain: z.string().meta({ description: 'The domain whose DMARC record applied.' }),
  orgName: z.string().meta({ description: 'The receiver that wrote the report.' }),
  reportId: z.string().meta({ description: 'The id that the receiver gave to the report.' }),
  policy: dmarcPolicy,
  beginsAt: timestamp,
  endsAt: timestamp,
  messages: count.meta({ description: 'Messages from domains of the account. Rows about other domains are not kept.' }),
  spfAligned: count,
  dkimAligned: count,
  receivedAt: timestamp,
})
export type DmarcReport = z.infer<typeof dmarcReport>

/** The longest period of one request. */
export const periodDaysMax = 366

const reported = {
  messages: count.meta({ description: 'Messages in the reports of receivers.' }),
  spfAligned: count,
  dkimAligned: count,
  passed: count.meta({ description: 'Messages that were aligned by SPF or DKIM, so DMARC passed.' }),
}

const placementCounts = { inbox: count, tab: count, spam: count, missing: count }

const deliverabilityDomain = namedObject('DeliverabilityDomain', {
  domain: z.string(),
  senders: count.meta({ description: 'Sending accounts with an address at the domain. 0 for a tracking domain.' }),
  health: healthSummary.nullable().meta({ description: 'The last check of its DNS records. Null if there was none.' }),
  reported: namedObject('ReportedSums', reported).meta({ description: 'Sums of the reports of the last 30 days.' }),
  ...recipientBudget,
  lastReportOn: calendarDate.nullable().meta({ description: 'The last day in these reports.' }),
  state: deliverabilityState.nullable(),
})
export type DeliverabilityDomain = z.infer<typeof deliverabilityDomain>

const deliverabilityDomainDetail = namedObject('DeliverabilityDomainDetail', {
  domain: z.string(),
  from: calendarDate,
  to: calendarDate,
  ...recipientBudget,
  dns: namedObject('DomainDns', {
    spf: healthCheck,
    dkim: healthCheck,
    dmarc: healthCheck,
    mx: healthCheck,
    checkedAt: timestamp,
  })
    .nullable()
    .meta({ description: 'The DNS records as they are now. Null for a tracking domain.' }),
  dmarc: namedObject('DmarcSummary', {
    policy: dmarcPolicy.nullable().meta({ description: 'The policy in the last report.' }),
    ...reported,
    sources: z
      .array(
        namedObject('DmarcSource', {
          ip: z.string(),
          count,
          disposition: dmarcPolicy.meta({ description: 'The action that receivers took on the messages.' }),
          spfAligned: count,
          dkimAligned: count,
          known: z.boolean().meta({
            description: 'Whether the SPF record allows the address. False if it does not, or if that is not certain.',
          }),
        }),
      )
      .meta({ description: 'The 50 addresses that sent most in the name of the domain.' }),
    days: z.array(namedObject('DmarcDay', { date: calendarDate, ...reported })),
  }),
  complaints: namedObject('ComplaintCounts', {
    leads: count.meta({ description: 'Leads that got a message from the domain.' }),
    complaints: count.meta({ description: 'Leads with a proven complaint. Google and Yahoo report no complaints.' }),
  }),
  placement: namedObject('PlacementCounts', placementCounts)
    .nullable()
    .meta({ description: 'Results of placement tests in the period. Null if there was none.' }),
  placementDays: z.array(namedObject('PlacementDay', { date: calendarDate, ...placementCounts })),
  score: deliverabilityScore
    .nullable()
    .meta({ description: 'The lowest score of the sending accounts of the domain.' }),
  bouncesByProvider: z
    .array(namedObject('ProviderBounces', { provider: recipientProvider, sent: count, bounced: count }))
    .meta({ description: 'The newest messages, at most 20,000, by who accepts the mail of the recipient.' }),
  senders: z
    .array(
      namedObject('DomainSender', {
        sendingAccountId: z.string(),
        email: z.string(),
        status: senderStatus,
        sent: count,
        bounced: count,
        state: deliverabilityState.nullable(),
        reasons: deliverabilityReasons.meta({
          description: 'The signals that led to the state. Empty if it is healthy.',
        }),
      }),
    )
    .meta({ description: 'At most 200 sending accounts, by address.' }),
  state: deliverabilityState.nullable(),
})
export type DeliverabilityDomainDetail = z.infer<typeof deliverabilityDomainDetail>

const tag = 'Deliverability'

export const deliverabilityEndpoints = {
  uploadDmarcReport: endpoint({
    operationId: 'uploadDmarcReport',
    call: 'deliverability.uploadReport',
    method: 'POST',
    path: '/v2/deliverability/dmarc-reports',
    environment: 'both',
    scope: 'write',
    tag,
    summary: 'Upload a DMARC report',
    description:
      'Reads an aggregate report of RFC 9990 or RFC 7489: XML, gzip, or a ZIP with one file, up to 10 MiB and 100 MiB unpacked. ' +
      'Reports that arrive in a connected mailbox are read as well. The report must be about a domain of a sending account or a ' +
      'tracking domain. A report is stored once per receiver, report id and domain: uploading it again returns 200 with the same ' +
      'id. A file with a DTD, entities, impossible times or too many rows is 400, and the refusal names the element.',
    bodyType: 'application/octet-stream',
    bodyBytesMax: dmarcReportBytesMax,
    success: [201, 200],
    output: dmarcReport,
    examples: {
      output: {
        id: 'dmr_1m3q8z0c0n7t5w2k9x',
        domain: 'example.com',
        orgName: 'google.com',
        reportId: '1763596800.4711',
        policy: 'none',
        beginsAt: '2026-11-02T00:00:00.000Z',
        endsAt: '2026-11-02T23:59:59.000Z',
        messages: 412,
        spfAligned: 409,
        dkimAligned: 412,
        receivedAt: '2026-11-03T06:14:58.000Z',
      },
    },
  }),
  listDeliverabilityDomains: endpoint({
    operationId: 'listDeliverabilityDomains',
    call: 'deliverability.domains.list',
    method: 'GET',
    path: '/v2/deliverability/domains',
    environment: 'both',
    scope: 'read',
    tag,
    summary: 'List the domains that send',
    description: 'The domains of the sending accounts and the tracking domains, by name.',
    query: z.strictObject(pageQuery),
    success: [200],
    output: listOf(deliverabilityDomain),
  }),
  getDeliverabilityDomain: endpoint({
    operationId: 'getDeliverabilityDomain',
    call: 'deliverability.domains.get',
    method: 'GET',
    path: '/v2/deliverability/domains/:domain',
    environment: 'both',
    scope: 'read',
    tag,
    summary: 'Get a domain that sends',
    description:
      'The DNS records of a domain, what receivers reported about it, and the results of its sending accounts. `from` and `to` are days ' +
      'in UTC, both included; the default is the last 30 days. The records are looked up by this request. The test environment looks ' +
      'up none.',
    query: z
      .strictObject({ from: calendarDate.optional(), to: calendarDate.optional() })
      .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
        message: 'from must not be after to.',
        path: ['from'],
      }),
    success: [200],
    output: deliverabilityDomainDetail,
    errors: ['NOT_FOUND'],
  }),
  updateDeliverabilityDomain: endpoint({
    operationId: 'updateDeliverabilityDomain',
    call: 'deliverability.domains.update',
    method: 'PUT',
    path: '/v2/deliverability/domains/:domain',
    environment: 'both',
    scope: 'write',
    role: 'admin',
    tag,
    summary: 'Set the recipients per day of a domain',
    description:
      'All sending accounts with an address at the domain share `dailyExternalRecipients`. Campaign messages wait behind the gate ' +
      '`sender_daily_limit` when it is used up. Replies that people write count, and do not wait.',
    body: namedObject('UpdateDeliverabilityDomainInput', { dailyExternalRecipients }),
    success: [200],
    output: deliverabilityDomain,
    errors: ['NOT_FOUND'],
  }),
}
