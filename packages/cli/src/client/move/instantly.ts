import { z } from 'zod'
import {
  leftOutNotes,
  movedSteps,
  readCampaigns,
  wait,
  type MovedCampaign,
  type Product,
  type Row,
  type RowStatus,
} from './moved.ts'

const unit = z.enum(['minutes', 'hours', 'days']).catch('days')
const variant = z.object({
  subject: z.string().nullish(),
  body: z.string().nullish(),
  v_disabled: z.boolean().nullish(),
})
const step = z.object({
  type: z.string().optional(),
  /** The wait between this step and the next. */
  delay: z.number().nullish(),
  delay_unit: unit.optional(),
  variants: z.array(variant).min(1),
})
const window = z.object({
  timing: z.object({ from: z.string(), to: z.string() }),
  days: z.record(z.string(), z.boolean()),
  timezone: z.string().optional(),
})
const exported = z.object({
  id: z.string().optional(),
  name: z.string().min(1),
  sequences: z.array(z.object({ steps: z.array(step) })).default([]),
  campaign_schedule: z.object({ schedules: z.array(window).default([]) }).nullish(),
  daily_limit: z.number().nullish(),
  daily_max_leads: z.number().nullish(),
  stop_on_reply: z.boolean().nullish(),
  stop_on_auto_reply: z.boolean().nullish(),
  stop_for_company: z.boolean().nullish(),
  open_tracking: z.boolean().nullish(),
  link_tracking: z.boolean().nullish(),
  text_only: z.boolean().nullish(),
})
type CampaignExport = z.output<typeof exported>

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

/** Reads exports of Instantly: `/campaigns/{id}/export`, and the leads of a campaign as CSV. */
export const instantly: Product = {
  dialect: {
    own: {
      sendingAccountName: 'sender.fromName',
      sendingAccountFirstName: 'sender.fromName',
      sendingAccountEmail: 'sender.email',
      accountSignature: 'sender.signature',
      unsubscribeLink: 'unsubscribeUrl',
    },
  },
  campaigns: (document) => readCampaigns(document, exported, toCampaign),
  standing,
  ledger: [
    'id',
    'status',
    'leadStatus',
    'interestStatus',
    'ltInterestStatus',
    'emailOpenCount',
    'emailReplyCount',
    'emailClickCount',
    'timestampCreated',
    'timestampUpdated',
    'timestampLastContact',
    'timestampLastReply',
    'timestampLastOpen',
    'timestampLastClick',
    'verificationStatus',
    'espCode',
    'organization',
    'listId',
    'lastStepFrom',
    'lastStepId',
    'lastContactedFrom',
    'uploadMethod',
    'payload',
  ],
}

function toCampaign(given: CampaignExport): MovedCampaign {
  const all = given.sequences.flatMap(({ steps }) => steps)
  const emails = all.filter(({ type }) => type === undefined || type === 'email')
  const moved = movedSteps(
    emails.map((email, index) => {
      const before = emails[index - 1]
      return {
        wait: wait(before?.delay ?? 0, before?.delay_unit ?? 'days'),
        variants: email.variants.map(({ subject, body, v_disabled }) => ({
          subject: subject ?? '',
          body: body ?? '',
          ...(v_disabled === true && { enabled: false }),
        })),
      }
    }),
    instantly.dialect,
  )
  const schedules = given.campaign_schedule?.schedules ?? []
  const zones = new Set(schedules.flatMap(({ timezone }) => timezone ?? []))
  return {
    ...moved,
    sourceId: given.id ?? null,
    name: given.name,
    notes: [
      ...moved.notes,
      ...leftOutNotes(all, emails),
      ...(zones.size > 1 ? ['Its schedules have several time zones. The first one is used.'] : []),
    ],
    schedule: {
      ...(zones.size > 0 && { timezone: [...zones][0]! }),
      ...(schedules.length > 0 && {
        windows: schedules.flatMap(({ timing, days }) => {
          const open = weekdays.filter((_, index) => days[String(index)] === true)
          return open.length > 0 ? [{ days: [...open], from: timing.from, to: timing.to }] : []
        }),
      }),
    },
    settings: toSettings(given),
  }
}

function toSettings(given: CampaignExport): MovedCampaign['settings'] {
  return {
    ...(given.daily_limit ? { dailyLimit: given.daily_limit } : {}),
    ...(typeof given.daily_max_leads === 'number' && { dailyNewLeadLimit: given.daily_max_leads }),
    ...(typeof given.stop_on_reply === 'boolean' && { stopOnReply: given.stop_on_reply }),
    ...(typeof given.stop_on_auto_reply === 'boolean' && { stopOnAutoReply: given.stop_on_auto_reply }),
    ...(typeof given.stop_for_company === 'boolean' && { stopForCompany: given.stop_for_company }),
    ...(typeof given.open_tracking === 'boolean' && { openTracking: given.open_tracking }),
    ...(typeof given.link_tracking === 'boolean' && { linkTracking: given.link_tracking }),
    ...(typeof given.text_only === 'boolean' && { textOnly: given.text_only }),
  }
}

const optedOut = ['-1', '-2', 'bounced', 'unsubscribed', 'blocked']
const contacted = [
  '2',
  '3',
  '-3',
  'completed',
  'contacted',
  'paused',
  'replied',
  'skipped',
  'inprogress',
  'emailopened',
]
const fresh = ['1', '0', 'active', 'notyetcontacted', 'notcontacted', 'pending', '']

function standing(row: Row): RowStatus {
  const status = row['leadStatus'] ?? row['status'] ?? ''
  const word = status.toLowerCase().replaceAll(/[\s_]+/g, '')
  if (optedOut.includes(word)) return { kind: 'opted_out', why: `status ${status}` }
  const trace = ['timestampLastContact', 'lastStepFrom', 'lastContactedFrom'].find((name) => row[name] !== undefined)
  if (trace !== undefined) return { kind: 'contacted', why: `${trace} is set` }
  const counted = ['emailOpenCount', 'emailReplyCount', 'emailClickCount'].find((name) => Number(row[name] ?? 0) > 0)
  if (counted !== undefined) return { kind: 'contacted', why: `${counted} is ${row[counted]}` }
  if (contacted.includes(word)) return { kind: 'contacted', why: `status ${status}` }
  if (fresh.includes(word)) return { kind: 'new' }
  return { kind: 'unknown', why: `status ${status} is not known` }
}
