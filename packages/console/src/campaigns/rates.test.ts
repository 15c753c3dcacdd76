import { expect, test } from 'vitest'
import { campaignRates } from './rates.ts'

const counts = { contacted: 20, sent: 50, uniqueReplied: 4, interested: 1, unsubscribed: 2, bounced: 5 }

test('a reply rate is a share of the people contacted, however many mails each got', () => {
  expect(campaignRates(counts)).toEqual({ reply: 0.2, interested: 0.05, unsubscribe: 0.1, bounce: 0.1 })
})

test('a campaign that has sent nothing has rates of 0', () => {
  expect(campaignRates({ ...counts, contacted: 0, sent: 0 })).toEqual({
    reply: 0,
    interested: 0,
    unsubscribe: 0,
    bounce: 0,
  })
})
