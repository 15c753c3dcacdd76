import type { Person } from '@overture/sdk'
import { expect, test } from 'vitest'
import { elsewhere, withKnown } from './known-person.ts'

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
