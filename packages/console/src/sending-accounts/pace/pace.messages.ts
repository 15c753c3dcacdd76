import { words } from '../../platform/text/words.ts'

export const stateText = words('deliverabilityStates', {
  healthy: 'Healthy',
  watch: 'Watched',
  cooling: 'Slowing down',
  held: 'Stopped',
})

export const signalText = words('deliverabilitySignals', {
  bounces: 'of the last messages bounced',
  complaints: 'of the messages of this domain in 30 days were reported as spam',
  spam_placement: 'of the test messages were found in spam',
  policy_refusals: 'of the last messages were refused by policy',
  authentication: 'hours with a wrong SPF or DMARC record',
})

export const text = words('sendingPace', {
  title: 'Pace',
  state: 'Deliverability',
  allowance: (sent: string, allowance: string) => `${sent} of ${allowance} messages sent today`,
  since: 'Since',
  reasons: 'Reasons',
  reason: (value: string, signal: string, threshold: string) => `${value} ${signal} (limit ${threshold})`,
  review: 'Healthy again, if nothing else happens',
  mode: 'Ramp-up',
  modes: {
    off: 'Off',
    fixed: 'Fixed: grows every day',
    adaptive: 'Adaptive: slows down by evidence',
  },
  startPerDay: 'Messages on the first day',
  incrementPerDay: 'More on each day',
  ceiling: 'At most per day',
  ceilingHint: 'Without it the daily limit counts.',
  requireAuthentication: 'Stop after three days with a wrong SPF or DMARC record',
  save: 'Save the pace',
  saved: 'Pace saved',
})
