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

const step = z.object({
  type: z.string().default('email'),
  /** The wait between the step before and this one. */
  delay: z.number().nullish(),
  subject: z.string().nullish(),
  message: z.string().nullish(),
  text: z.string().nullish(),
  variants: z.array(z.object({ subject: z.string().nullish(), message: z.string().nullish() })).nullish(),
})
const steps = z.object({ steps: z.array(step) })
const window = z.object({
  timezone: z.string().nullish(),
  start: z.string(),
  end: z.string(),
  weekdays: z.array(z.number().int().min(0).max(7)),
})
const exported = z.object({
  _id: z.string().optional(),
  name: z.string().min(1),
  /** As `/campaigns/{id}/sequences` returns them: by id, with the campaign's own sequence first. */
  sequences: z.union([z.array(steps), z.record(z.string(), steps)]).optional(),
  steps: z.array(step).optional(),
  schedules: z.array(window).nullish(),
})
type CampaignExport = z.output<typeof exported>

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** Reads exports of Lemlist: a campaign with its sequences as JSON, its leads and the list of unsubscribes as CSV. */
export const lemlist: Product = {
  dialect: {
    own: {
      senderName: 'sender.fromName',
      senderFirstName: 'sender.fromName',
      senderEmail: 'sender.email',
      signature: 'sender.signature',
      unsubscribe: 'unsubscribeUrl',
      unsubscribeLink: 'unsubscribeUrl',
      unsubscribeUrl: 'unsubscribeUrl',
    },
    spinsInBlocks: true,
  },
  campaigns: (document) => readCampaigns(document, exported, toCampaign),
  standing,
  ledger: [
    'id',
    'state',
    'status',
    'leadStatus',
    'lastState',
    'picture',
    'contactId',
    'leadId',
    'teamId',
    'createdAt',
    'createdBy',
    'isPaused',
    'hasEmailAddress',
    'emailStatus',
  ],
}

function toCampaign(given: CampaignExport): MovedCampaign {
  const sequences = Object.values(given.sequences ?? {})
  const all = given.steps ?? sequences[0]?.steps ?? []
  const emails = withWaits(all)
  const moved = movedSteps(emails, lemlist.dialect)
  const zone = given.schedules?.find(({ timezone }) => timezone)?.timezone
  return {
    ...moved,
    sourceId: given._id ?? null,
    name: given.name,
    notes: [
      ...moved.notes,
      ...leftOutNotes(all, emails),
      ...(sequences.length > 1 ? ['Its branches are left out. Only the first sequence is moved.'] : []),
    ],
    schedule: {
      ...(zone && { timezone: zone }),
      ...(given.schedules && {
        windows: given.schedules.flatMap(({ start, end, weekdays: numbers }) => {
          const days = [...new Set(numbers.map((number) => weekdays[number]!))]
          return days.length > 0 ? [{ days, from: start, to: end }] : []
        }),
      }),
    },
    settings: {},
  }
}

/** Keeps only the emails. The wait of a step that is left out is added to the wait of the next email. */
function withWaits(all: readonly z.output<typeof step>[]) {
  let days = 0
  return all.flatMap((item) => {
    days += item.delay ?? 0
    if (item.type !== 'email') return []
    const waited = days
    days = 0
    const texts = item.variants?.length
      ? item.variants
      : [{ subject: item.subject, message: item.message ?? item.text }]
    return [
      {
        wait: wait(waited),
        variants: texts.map(({ subject, message }) => ({ subject: subject ?? '', body: message ?? '' })),
      },
    ]
  })
}

const optedOut = /unsubscribed|bounced|donotcontact|blocked/
const contacted = new RegExp(
  [
    'sent|opened|clicked|replied|interested|accepted|invited|paused|skipped|done|finished|contacted',
    'attracted|hooked|warmed|failed|inprogress|meeting',
  ].join('|'),
)
const fresh = ['', 'scanned', 'review', 'reviewed', 'toreview', 'ready', 'readytosend', 'imported', 'launched']

function standing(row: Row): RowStatus {
  const states = [row['lastState'], row['state'], row['leadStatus'], row['status']].filter((one) => one !== undefined)
  const words = states.map((state) => state.toLowerCase().replaceAll(/[\s_]+/g, ''))
  const state = `state ${states.join(', ')}`
  if (words.some((word) => optedOut.test(word))) return { kind: 'opted_out', why: state }
  if (words.some((word) => contacted.test(word))) return { kind: 'contacted', why: state }
  if (words.every((word) => fresh.includes(word))) return { kind: 'new' }
  return { kind: 'unknown', why: `${state} is not known` }
}
