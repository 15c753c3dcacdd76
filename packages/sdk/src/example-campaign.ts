import type { CampaignSettingsInput, StepInput } from './generated/types.ts'
import { prospect, type Behaviour } from './testing.ts'

// The three lists have different lengths without a common factor, so the people repeat only after 2,860.
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

export interface ExampleLead {
  email: string
  firstName: string
  lastName: string
  company: string
}

/** Simulated people with the fields that the example campaign needs, one for each list of behaviors. An empty list means no reaction. */
export function exampleLeads(behaviours: readonly (readonly Behaviour[])[]): ExampleLead[] {
  return behaviours.map((acts, index) => {
    const firstName = firstNames[index % firstNames.length] ?? ''
    const lastName = lastNames[index % lastNames.length] ?? ''
    const company = companies[index % companies.length] ?? ''
    return { email: prospect(`${firstName}.${lastName}.${index}`.toLowerCase(), ...acts), firstName, lastName, company }
  })
}

const opening = `Hello {{ firstName }},

how does {{ company }} find out who would like to hear from you? We made something small for that: \
<a href="https://example.com/tour">a tour takes two minutes</a>.

Would {{ "Tuesday|Wednesday" | spin }} suit you for a call?

{{ sender.fromName }}`

const shortOpening = `Hi {{ firstName }},

one question: who at {{ company }} answers new enquiries?

{{ sender.fromName }}`

const followUp = `Hello {{ firstName }},

did my note reach you? A short no is welcome, too.

{{ sender.fromName }}`

const secondFollowUp = `Hello {{ firstName }},

would someone else at {{ company }} be the better person to ask? A name is enough.

{{ sender.fromName }}`

const lastMessage = `Hello {{ firstName }},

I will leave it at this. My door stays open.

{{ sender.fromName }}`

/**
 * A campaign of four steps over about two weeks, without its name, schedule, senders and leads. The demo, the console and the programs
 * in examples/ share it. The published client does not contain it.
 */
export const exampleCampaign: { settings: CampaignSettingsInput; steps: StepInput[] } = {
  // Among few messages, a single bounce exceeds the rate at which bounce protection stops a campaign.
  settings: { openTracking: true, linkTracking: true, bounceProtection: { enabled: false } },
  steps: [
    {
      variants: [
        { label: 'A', subject: 'A question, {{ firstName }}', body: opening },
        { label: 'B', subject: '{{ company }} and the first reply', body: shortOpening },
      ],
    },
    { waitBefore: { value: 3, unit: 'business_days' }, variants: [{ body: followUp }] },
    { waitBefore: { value: 4, unit: 'business_days' }, variants: [{ body: secondFollowUp }] },
    { waitBefore: { value: 5, unit: 'business_days' }, variants: [{ body: lastMessage }] },
  ],
}
