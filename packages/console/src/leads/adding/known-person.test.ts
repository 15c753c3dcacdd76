import type { Person } from '@overture/sdk'
import { expect, test } from 'vitest'
import { elsewhere, leadFromPerson, sortLeads, withKnown } from './known-person.ts'

type Membership = Person['campaigns'][number]
const membership = (fields: Partial<Membership>): Membership => ({
  campaignId: 'cmp_other',
  campaignName: 'Spring',
  leadId: 'led_1',
  status: 'active',
  interest: null,
  currentStep: 1,
  lastContactedAt: null,
  replyCount: 0,
  ...fields,
})
const anna = (fields: Partial<Membership>) => ({
  firstName: 'Anna',
  email: 'anna@example.com',
  campaigns: [membership(fields)],
})

test.each([
  [{ status: 'active' }, ['Anna is in “Spring” and gets messages there.']],
  [{ status: 'replied', replyCount: 1 }, ['Anna is in “Spring” and answered.']],
  [{ status: 'replied', interest: 'meeting_booked' }, ['Anna is in “Spring” and booked a meeting.']],
  [{ status: 'completed' }, []],
  [{ status: 'active', campaignId: 'cmp_here' }, []],
] as const)('%j asks %j', (fields, sentences) => {
  expect(elsewhere(anna(fields), 'cmp_here')).toEqual(sentences)
})

test('takes over known fields that the user left empty', () => {
  const known = { firstName: 'Anna', lastName: 'Müller', company: 'ACME', jobTitle: null }
  const person = { ...known, timezone: null, country: null, city: null, linkedinUrl: null }
  expect(withKnown({ email: 'anna@example.com', company: 'Own', firstName: '' }, person)).toEqual({
    email: 'anna@example.com',
    company: 'Own',
    firstName: 'Anna',
    lastName: 'Müller',
  })
})

const nothingKnown = {
  lastName: null,
  company: null,
  jobTitle: null,
  timezone: null,
  country: null,
  city: null,
  linkedinUrl: null,
  companyDomain: null,
  mobile: null,
  personId: null,
  lawfulBasis: null,
  dataSource: null,
  basisNote: null,
  trackingConsent: null,
}
const person = (email: string, campaigns: Membership[]): Person => ({
  ...nothingKnown,
  id: `per_${email}`,
  email,
  firstName: email.split('@')[0]!,
  customVariables: {},
  suppressed: false,
  tagIds: [],
  campaigns,
  lastContactedAt: null,
  createdAt: '2026-11-29T00:00:00.000Z',
  updatedAt: '2026-11-29T00:00:00.000Z',
})

test('separates people of other campaigns from the rest, and fills in what is known of all', () => {
  const people = [
    person('anna@example.com', [membership({}), membership({ campaignName: 'Fall', replyCount: 2 })]),
    person('ben@example.com', [membership({ status: 'completed' })]),
  ]
  const leads = [{ email: 'Anna@example.com' }, { email: 'ben@example.com' }, { email: 'new@example.com' }]
  const sorted = sortLeads(leads, people, 'cmp_here')
  expect(sorted.all.map(({ firstName }) => firstName)).toEqual(['anna', 'ben', undefined])
  expect(sorted.others.map(({ email }) => email)).toEqual(['ben@example.com', 'new@example.com'])
  expect(sorted.elsewhere).toEqual([
    ['anna is in “Spring” and gets messages there.', 'anna is in “Fall” and answered.'],
  ])
})

test('a lead from a person has its variables and records, but no empty fields', () => {
  const known = { ...person('anna@example.com', []), customVariables: { plan: 'pro' }, trackingConsent: false }
  expect(leadFromPerson(known)).toEqual({
    email: 'anna@example.com',
    firstName: 'anna',
    trackingConsent: false,
    customVariables: { plan: 'pro' },
  })
})
