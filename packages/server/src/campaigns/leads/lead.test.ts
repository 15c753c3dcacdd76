import { expect, test } from 'vitest'
import { type LeadRow, type LeadSurroundings, presentLead } from './lead.ts'

const now = new Date('2026-11-20T10:00:00.000Z')
const past = new Date('2026-11-19T20:00:00.000Z')
const ahead = new Date('2026-11-23T09:00:00.000Z')

const row: LeadRow = {
  id: 'led_1',
  campaignId: 'cmp_1',
  email: 'ada@example.com',
  emailGiven: 'ada@example.com',
  emailDomain: 'example.com',
  firstName: null,
  lastName: null,
  jobTitle: null,
  company: null,
  companyDomain: null,
  linkedinUrl: null,
  mobile: null,
  country: null,
  city: null,
  timezone: null,
  personId: null,
  lawfulBasis: null,
  dataSource: null,
  basisNote: null,
  trackingConsent: null,
  extra: null,
  customVariables: {},
  status: 'active',
  blockedReason: null,
  interest: null,
  interestSource: null,
  machineInterest: null,
  currentStep: 1,
  nextStep: null,
  deciding: false,
  currentStepId: 'stp_1',
  dueAt: past,
  attemptAt: past,
  resumeAt: null,
  nextSendAt: null,
  lastContactedAt: past,
  sendingAccountId: 'snd_1',
  threadId: null,
  openCount: 0,
  clickCount: 0,
  replyCount: 0,
  stoppedBy: null,
  originLeadId: null,
  verification: null,
  recipientProvider: null,
  environment: 'live',
  createdAt: past,
  updatedAt: past,
}
const schedule: LeadSurroundings['schedule'] = {
  timezone: 'UTC',
  useLeadTimezone: true,
  windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
  startDate: null,
  endDate: null,
  blackoutDates: [],
}
const around: LeadSurroundings = { status: 'active', holdReason: null, holdUntil: null, schedule, now }
const saturday = new Date('2026-11-21T12:00:00.000Z')

test.each<[string, Partial<LeadRow>, Partial<LeadSurroundings>, Date | null]>([
  ['in its wait is the end of the wait', { dueAt: ahead }, {}, ahead],
  ['whose wait is over outside the window is the start of the window', { dueAt: saturday }, {}, ahead],
  [
    'with its own time zone uses that zone',
    { dueAt: saturday, timezone: 'Asia/Tokyo' },
    {},
    new Date('2026-11-23T00:00:00.000Z'),
  ],
  [
    'whose wait is over after the end: none',
    { dueAt: saturday },
    { schedule: { ...schedule, endDate: '2026-11-21' } },
    null,
  ],
  ['that is due: since when', {}, {}, past],
  ['held by a gate of the campaign: until when', {}, { holdReason: 'daily_limit', holdUntil: ahead }, ahead],
  ['of a schedule that has ended: none', {}, { holdReason: 'outside_window' }, null],
  ['of a campaign that is paused: none', { dueAt: ahead }, { status: 'paused' }, null],
  ['that something has to change for: none', { blockedReason: 'missing_variable' }, {}, null],
  ['that has ended: none', { status: 'replied', dueAt: ahead }, {}, null],
])('nextSendAt of a lead %s', (_of, lead, campaign, at) => {
  expect(presentLead({ ...row, ...lead }, { ...around, ...campaign }).nextSendAt).toBe(at?.toISOString() ?? null)
})
