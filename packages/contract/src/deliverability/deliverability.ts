import { z } from 'zod'
import { namedObject, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'

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
}
