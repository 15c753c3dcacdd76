import { describe, expect, test } from 'vitest'
import { ContactBook, type ContactLimits, type PersonRecord } from './contact-policy.ts'
import { explainGates } from './gates.ts'
import { makeCampaign, makeLead, officeHours, makeSender, makeTask } from '@overture/testing/delivery/plan-fixtures.ts'
import { gateOrder, type GateName, type PlanCampaign, type PlanLead, type PlanSender } from './plan.types.ts'

const friday = new Date('2026-11-20T10:00:00.000Z')
const saturday = new Date('2026-11-21T10:00:00.000Z')
const soon = new Date('2026-11-20T10:05:00.000Z')
const caps = { dailyLimit: null, dailyNewLeadLimit: null, maxPerRecipientDomainPerDay: null }
const usage = { claimed: 7, claimedFirst: 4, byDomain: { 'acme.test': 2 } }

interface Case {
  lead?: Partial<PlanLead>
  campaign?: Partial<PlanCampaign>
  sender?: Partial<PlanSender>
  now?: Date
  contacts?: ContactBook
}

const noLimits: ContactLimits = {
  perPerson: null,
  perCompany: null,
  oneCampaignAtATime: false,
  conversationDays: null,
  quietAfterReplyDays: null,
  timezone: 'Europe/Berlin',
}
const person = 'dana@acme.test'
const firstTask = makeTask({ id: 'stp_1', position: 1, waitBefore: { value: 0, unit: 'days' } })
const openTask = {
  status: 'open',
  channel: 'call',
  blocks: true,
  openedAt: friday,
  dueAt: soon,
  expiresAt: null,
  closedAt: null,
} as const

function bookOf(
  limits: Partial<ContactLimits>,
  known: Partial<PersonRecord> = {},
  companies: [string, number[]][] = [],
) {
  const record = { contacts: [], exchange: null, repliedAtMs: null, ...known }
  return new ContactBook(
    { ...noLimits, ...limits },
    { persons: new Map([[person, record]]), companies: new Map(companies) },
  )
}

function contactAt(at: string, leadId = 'led_other') {
  return { atMs: Date.parse(at), campaignId: 'cmp_other', leadId, isOpen: true }
}

function explain({ lead, campaign, sender, contacts, now = friday }: Case) {
  return explainGates({
    now,
    lead: makeLead({ dueAt: friday, person, company: 'acme.test', ...lead }),
    campaign: makeCampaign({ usage, ...campaign }),
    senders: [makeSender(sender)],
    contacts: contacts ?? null,
  })
}

// For each gate, a state in which only this gate is closed, and when it opens again.
const closings: Record<GateName, [Case, string | null]> = {
  suppressed: [{ lead: { suppressed: true } }, null],
  delivery_uncertain: [{ lead: { uncertain: true } }, null],
  returned: [{ lead: { returned: true } }, null],
  in_conversation: [
    { contacts: bookOf({ quietAfterReplyDays: 14 }, { repliedAtMs: Date.parse('2026-11-16T09:00:00.000Z') }) },
    '2026-11-30T08:00:00.000Z',
  ],
  missing_variable: [{ lead: { missingVariables: ['company'] } }, null],
  provider_mismatch: [
    {
      campaign: { providerMatching: 'strict' },
      lead: { recipientProvider: 'google' },
      sender: { mailProvider: 'microsoft' },
    },
    null,
  ],
  address_check: [{ lead: { address: { passed: false, detail: 'The address is risky.' } } }, null],
  awaiting_approval: [{ lead: { awaitingApproval: true } }, null],
  waiting_for_task: [{ lead: { tasks: new Map([['stp_1', openTask]]) }, campaign: { steps: [firstTask] } }, null],
  campaign_not_active: [{ campaign: { status: 'paused' } }, null],
  sender_unavailable: [{ sender: { heldUntil: soon } }, soon.toISOString()],
  inbox_not_read: [{ sender: { inboxReadAt: new Date(friday.getTime() - 15 * 60_000 - 1) } }, null],
  wait_not_over: [{ lead: { dueAt: soon } }, soon.toISOString()],
  outside_window: [{ now: saturday }, '2026-11-23T08:00:00.000Z'],
  other_campaign: [
    { contacts: bookOf({ oneCampaignAtATime: true }, { contacts: [contactAt('2026-11-18T09:00:00.000Z')] }) },
    null,
  ],
  person_limit: [
    {
      contacts: bookOf(
        { perPerson: { messages: 2, days: 7 } },
        { contacts: [contactAt('2026-11-17T09:00:00.000Z'), contactAt('2026-11-19T09:00:00.000Z')] },
      ),
    },
    '2026-11-24T08:00:00.000Z',
  ],
  company_limit: [
    {
      contacts: bookOf({ perCompany: { people: 1, days: 30 } }, {}, [
        ['acme.test', [Date.parse('2026-11-04T09:00:00.000Z')]],
      ]),
    },
    '2026-12-04T08:00:00.000Z',
  ],
  daily_limit: [{ campaign: { caps: { ...caps, dailyLimit: 7 } } }, '2026-11-23T08:00:00.000Z'],
  new_lead_limit: [{ campaign: { caps: { ...caps, dailyNewLeadLimit: 4 } } }, '2026-11-23T08:00:00.000Z'],
  sender_daily_limit: [{ sender: { claimedToday: 100 } }, '2026-11-23T08:00:00.000Z'],
  recipient_domain_limit: [
    { campaign: { caps: { ...caps, maxPerRecipientDomainPerDay: 2 } } },
    '2026-11-23T08:00:00.000Z',
  ],
  sender_gap: [{ sender: { nextSendAt: soon } }, soon.toISOString()],
}

describe('explainGates', () => {
  test.each(gateOrder)('%s alone holds the lead, with the time when it opens', (gate) => {
    const [closing, next] = closings[gate]
    const explanation = explain(closing)
    expect(explanation.blockedReason).toBe(gate)
    expect(explanation.gates.filter((one) => !one.passed).map((one) => one.gate)).toEqual([gate])
    expect(explanation.next?.at?.toISOString() ?? null).toBe(next)
  })

  test('lists all gates in the order of the contract, all passed for a lead that is ready', () => {
    const explanation = explain({})
    expect(explanation.gates.map((gate) => gate.gate)).toEqual([...gateOrder])
    expect(explanation.gates.every((gate) => gate.passed && gate.detail.length > 0)).toBe(true)
    expect(explanation.next).toEqual({
      stepId: 'stp_1',
      type: 'email',
      decision: null,
      position: 1,
      at: friday,
      sendingAccountId: 'snd_1',
    })
  })

  test('names the holiday that closes the window, and its calendar', () => {
    const nameOn = (calendar: string) => (calendar === 'DE' ? 'Repentance Day' : null)
    const campaign = { schedule: { ...officeHours, holidays: { calendar: 'lead', nameOn } } }
    const detailFor = (country: string | null) =>
      explain({ campaign, lead: { country } }).gates.find(({ gate }) => gate === 'outside_window')?.detail
    expect(detailFor('Germany')).toBe(
      'Closed: Repentance Day in DE. It is Fri 2026-11-20 11:00 in Europe/Berlin, and the schedule has no window in the future.',
    )
    expect(detailFor('France')).toBe('Open. It is Fri 2026-11-20 11:00 in Europe/Berlin.')
    expect(detailFor(null)).toBe('Open. It is Fri 2026-11-20 11:00 in Europe/Berlin.')
  })

  test('lists every closed gate, and the first one is the blocked reason', () => {
    const explanation = explain({
      now: saturday,
      sender: { status: 'paused' },
      campaign: { caps: { ...caps, dailyLimit: 1 } },
    })
    expect(explanation.blockedReason).toBe('sender_unavailable')
    expect(explanation.gates.filter((gate) => !gate.passed).map((gate) => gate.gate)).toEqual([
      'sender_unavailable',
      'outside_window',
      'daily_limit',
    ])
    expect(explanation.next?.at).toBeNull()
  })

  test("a gate's detail contains the numbers", () => {
    const explanation = explain({ campaign: { caps: { ...caps, dailyLimit: 50 } } })
    expect(explanation.gates.find((gate) => gate.gate === 'daily_limit')?.detail).toBe(
      '7 of 50 messages of the campaign on 2026-11-20.',
    )
  })

  test('next is null after the last step', () => {
    expect(explain({ lead: { nextStepPosition: 3 } }).next).toBeNull()
  })
})
