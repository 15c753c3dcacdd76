import type { CreateCampaignInput } from '@overture/sdk'
/** The demo's campaign and its leads, in the shapes of the public API. */

const firstNames = [
  'Ada',
  'Ben',
  'Chiara',
  'Dana',
  'Emil',
  'Fatima',
  'Goran',
  'Hana',
  'Ivo',
  'Jana',
  'Kofi',
  'Lena',
  'Mia',
  'Noor',
  'Omar',
  'Pia',
  'Quentin',
  'Rosa',
  'Sven',
  'Tara',
]
const lastNames = [
  'Albers',
  'Brandt',
  'Costa',
  'Dubois',
  'Eriksen',
  'Fischer',
  'Garcia',
  'Haas',
  'Ivanov',
  'Jensen',
  'Keller',
  'Lindner',
  'Moretti',
]
const companies = [
  'Northwind',
  'Acme',
  'Globex',
  'Initech',
  'Umbrella',
  'Hooli',
  'Stark',
  'Wayne',
  'Soylent',
  'Vandelay',
  'Wonka',
]

/** The behavior of lead number `index`. Most leads do nothing, as in real life. */
function chooseTag(index: number): string {
  if (index % 40 === 7) return '+bounce'
  if (index % 50 === 31) return '+softbounce'
  if (index % 25 === 3) return '+open+interested'
  if (index % 20 === 11) return '+open+reply'
  if (index % 30 === 17) return '+ooo'
  if (index % 45 === 22) return '+unsubscribe'
  if (index % 60 === 14) return '+open+click+book'
  return index % 3 === 0 ? '+open' : ''
}

export interface DemoLead {
  email: string
  firstName: string
  lastName: string
  company: string
}

/** `count` people at prospects.test, whose addresses contain their behavior. */
export function demoLeads(count: number): DemoLead[] {
  return Array.from({ length: count }, (_, index) => {
    const firstName = firstNames[index % firstNames.length] ?? 'Ada'
    const lastName = lastNames[index % lastNames.length] ?? 'Albers'
    const company = companies[index % companies.length] ?? 'Acme'
    const email = `${firstName}.${lastName}.${index}${chooseTag(index)}@prospects.test`.toLowerCase()
    return { email, firstName, lastName, company }
  })
}

/** Four steps over two weeks, from several senders, with human gaps. */
export function demoCampaign(sendingAccountIds: string[], timezone: string): CreateCampaignInput {
  const step = (value: number, subject: string, body: string) => ({
    waitBefore: { value, unit: value === 0 ? ('days' as const) : ('business_days' as const) },
    variants: [{ subject, body }],
  })
  return {
    name: 'Demo: three weeks in seconds',
    sendingAccountIds,
    schedule: {
      timezone,
      windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
    },
    // In a run of this size a single bounce exceeds the rate at which bounce protection stops a campaign.
    settings: { openTracking: true, linkTracking: true, dailyNewLeadLimit: 40, bounceProtection: { enabled: false } },
    steps: [
      step(
        0,
        'A question about {{ company }}',
        '<p>{{ "Hi|Hello" | spin }} {{ firstName | default: "there" }},</p>' +
          '<p>how does {{ company }} follow up with people who asked for a quote? ' +
          '<a href="https://example.com/how">Here is how others do it</a>.</p><p>{{ sender.fromName }}</p>',
      ),
      step(
        3,
        '',
        '<p>{{ firstName | default: "Hello" }}, did you get a chance to look at this?</p><p>{{ sender.fromName }}</p>',
      ),
      step(
        4,
        '',
        '<p>One number: teams that follow up three times hear back twice as often. Worth a short call?</p><p>{{ sender.fromName }}</p>',
      ),
      step(
        5,
        '',
        '<p>I will leave it at this, {{ firstName | default: "there" }}. My door stays open.</p><p>{{ sender.fromName }}</p>',
      ),
    ],
  }
}

export function demoSenders(run: string, timezone: string) {
  return ['Mara Vogel', 'Jonas Reuter', 'Lea Sommer'].map((fromName) => ({
    email: `${fromName.split(' ')[0]?.toLowerCase() ?? 'x'}@${run}.outreach.test`,
    fromName,
    provider: 'sandbox' as const,
    timezone,
    dailyLimit: 60,
    minGapSeconds: 120,
    maxGapSeconds: 480,
  }))
}
