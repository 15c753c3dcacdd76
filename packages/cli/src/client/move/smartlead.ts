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

const variant = z.object({
  subject: z.string().nullish(),
  email_body: z.string().nullish(),
  is_deleted: z.boolean().nullish(),
  variant_distribution_percentage: z.number().nullish(),
})
const delay = z.object({ delayInDays: z.number().optional(), delay_in_days: z.number().optional() }).nullish()
const sequence = z.object({
  seq_number: z.number(),
  seq_type: z.string().optional(),
  /** The wait between the step before and this one. */
  seq_delay_details: delay,
  subject: z.string().nullish(),
  email_body: z.string().nullish(),
  sequence_variants: z.array(variant).nullish(),
  seq_variants: z.array(variant).nullish(),
})
const exported = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  name: z.string().min(1),
  sequences: z.array(sequence).default([]),
  max_leads_per_day: z.number().nullish(),
  track_settings: z.array(z.string()).nullish(),
  stop_lead_settings: z.string().nullish(),
  send_as_plain_text: z.boolean().nullish(),
  scheduler_cron_value: z
    .object({
      tz: z.string().optional(),
      days: z.array(z.number().int().min(0).max(6)),
      startHour: z.string(),
      endHour: z.string(),
    })
    .nullish(),
})
type CampaignExport = z.output<typeof exported>

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

/** Reads exports of Smartlead: a campaign with its `sequences` as JSON, `leads-export` and the block list as CSV. */
export const smartlead: Product = {
  dialect: {
    own: {
      senderName: 'sender.fromName',
      senderEmail: 'sender.email',
      senderSignature: 'sender.signature',
      signature: 'sender.signature',
      unsubscribeLink: 'unsubscribeUrl',
    },
    spinsInBraces: true,
  },
  campaigns: (document) => readCampaigns(document, exported, toCampaign),
  standing,
  ledger: [
    'id',
    'campaignLeadMapId',
    'status',
    'leadStatus',
    'category',
    'leadCategory',
    'isInterested',
    'createdAt',
    'isUnsubscribed',
    'isBounced',
    'bounced',
    'unsubscribed',
    'unsubscribedClientIdMap',
    'lastEmailSequenceSent',
    'openCount',
    'clickCount',
    'replyCount',
    'customFields',
  ],
}

function toCampaign(given: CampaignExport): MovedCampaign {
  const all = given.sequences.toSorted((one, other) => one.seq_number - other.seq_number)
  const emails = all.filter(({ seq_type }) => seq_type === undefined || seq_type === 'EMAIL')
  const moved = movedSteps(emails.map(toStep), smartlead.dialect)
  const cron = given.scheduler_cron_value
  const days = weekdays.filter((_, index) => cron?.days.includes(index) === true)
  const track = given.track_settings
  return {
    ...moved,
    sourceId: given.id === undefined ? null : String(given.id),
    name: given.name,
    notes: [...moved.notes, ...leftOutNotes(all, emails)],
    schedule: {
      ...(cron?.tz !== undefined && { timezone: cron.tz }),
      ...(cron && days.length > 0 && { windows: [{ days: [...days], from: cron.startHour, to: cron.endHour }] }),
    },
    settings: {
      ...(typeof given.max_leads_per_day === 'number' && { dailyNewLeadLimit: given.max_leads_per_day }),
      ...(track && { openTracking: !track.some((one) => /DONT.*OPEN/.test(one)) }),
      ...(track && { linkTracking: !track.some((one) => /DONT.*(?:LINK|CLICK)/.test(one)) }),
      ...(given.stop_lead_settings && { stopOnReply: given.stop_lead_settings === 'REPLY_TO_AN_EMAIL' }),
      ...(typeof given.send_as_plain_text === 'boolean' && { textOnly: given.send_as_plain_text }),
    },
  }
}

function toStep(given: z.output<typeof sequence>) {
  const details = given.seq_delay_details
  const variants = (given.sequence_variants ?? given.seq_variants ?? []).filter(({ is_deleted }) => is_deleted !== true)
  const texts = variants.length > 0 ? variants : [{ subject: given.subject, email_body: given.email_body }]
  return {
    wait: wait(details?.delayInDays ?? details?.delay_in_days ?? 0),
    variants: texts.map((one) => ({
      subject: one.subject ?? '',
      body: one.email_body ?? '',
      ...('variant_distribution_percentage' in one &&
        typeof one.variant_distribution_percentage === 'number' && {
          weight: Math.round(one.variant_distribution_percentage),
        }),
    })),
  }
}

const outsideCategories = ['donotcontact', 'unsubscribed', 'bounced', 'senderoriginatedbounce']
const contacted = ['inprogress', 'completed', 'paused', 'stopped', 'replied']

function standing(row: Row): RowStatus {
  const truth = ['isUnsubscribed', 'unsubscribed', 'isBounced', 'bounced'].find((name) =>
    ['true', '1', 'yes'].includes((row[name] ?? '').toLowerCase()),
  )
  if (truth !== undefined) return { kind: 'opted_out', why: `${truth} is ${row[truth]}` }
  const category = row['leadCategory'] ?? row['category'] ?? ''
  if (outsideCategories.includes(toWord(category))) return { kind: 'opted_out', why: `category ${category}` }
  const status = row['leadStatus'] ?? row['status'] ?? ''
  if (['blocked', 'bounced', 'unsubscribed'].includes(toWord(status)))
    return { kind: 'opted_out', why: `status ${status}` }
  const counted = ['lastEmailSequenceSent', 'openCount', 'clickCount', 'replyCount'].find(
    (name) => Number(row[name] ?? 0) > 0,
  )
  if (counted !== undefined) return { kind: 'contacted', why: `${counted} is ${row[counted]}` }
  if (contacted.includes(toWord(status))) return { kind: 'contacted', why: `status ${status}` }
  if (['started', 'notstarted', ''].includes(toWord(status))) return { kind: 'new' }
  return { kind: 'unknown', why: `status ${status} is not known` }
}

function toWord(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_]+/g, '')
}
