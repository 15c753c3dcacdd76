import type { LaunchCampaignInput } from '@overture/sdk'

/** The behaviors of simulated prospects, by the tag of their address. Prospects without a tag do nothing. */
const behaviours = [
  'interested',
  'reply',
  'open',
  'ooo',
  'click',
  '',
  'bounce',
  'book',
  'open',
  '',
  'unsubscribe',
  'reply',
  '',
  'open',
  'interested',
  '',
  'click',
  '',
  'open',
  '',
]

const names: readonly (readonly [string, string, string])[] = [
  ['Grace', 'Hopper', 'ACME Ships'],
  ['Alan', 'Turing', 'Bletchley Works'],
  ['Joan', 'Clarke', 'Hut Eight'],
  ['Ada', 'Byron', 'Analytical Mills'],
  ['Edsger', 'Dijkstra', 'Shortest Paths'],
  ['Barbara', 'Liskov', 'Substitute Ltd'],
  ['Donald', 'Knuth', 'Literate Press'],
  ['Radia', 'Perlman', 'Spanning Trees'],
  ['Tony', 'Hoare', 'Quick Sorters'],
  ['Karen', 'Jones', 'Index Terms'],
  ['Niklaus', 'Wirth', 'Lean Systems'],
  ['Frances', 'Allen', 'Flow Graphs'],
  ['John', 'Backus', 'Normal Form'],
  ['Margaret', 'Hamilton', 'Priority Displays'],
  ['Dennis', 'Ritchie', 'New Sea'],
  ['Sophie', 'Wilson', 'Acorn Fields'],
  ['Leslie', 'Lamport', 'Bakery Clocks'],
  ['Evelyn', 'Boyd', 'Orbit Tables'],
  ['Peter', 'Naur', 'Theory Houses'],
  ['Annie', 'Easley', 'Centaur Stages'],
]

/** A campaign of two steps to twenty simulated prospects. */
export function tryCampaign(
  name: string,
  sendingAccountId: string,
  timezone: string,
): LaunchCampaignInput & { name: string } {
  return {
    name,
    sendingAccountIds: [sendingAccountId],
    // Every hour of every day is open, so that messages are sent whenever the user tries it.
    schedule: {
      timezone,
      windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }],
    },
    // One of twenty messages bounces, for which bounce protection would stop a mailbox with so few messages.
    settings: { openTracking: true, linkTracking: true, bounceProtection: { enabled: false } },
    steps: [
      {
        variants: [
          { label: 'A', subject: 'A question, {{ firstName }}', body: openingText },
          { label: 'B', subject: '{{ company }} and the first reply', body: shortText },
        ],
      },
      { waitBefore: { value: 3, unit: 'days' }, variants: [{ body: followUpText }] },
    ],
    leads: names.map(([firstName, lastName, company], index) => {
      const name = `${firstName}.${lastName}`.toLowerCase()
      const behaviour = behaviours[index] === '' ? '' : `+${behaviours[index]}`
      return { email: `${name}${behaviour}@prospects.test`, firstName, lastName, company }
    }),
  }
}

const openingText =
  'Hello {{ firstName }},\n\n' +
  'how does {{ company }} find out who would like to hear from you? We made something small for that: ' +
  '<a href="https://example.com/tour">a tour takes two minutes</a>.\n\n' +
  'Would {{ "Tuesday|Wednesday" | spin }} suit you for a call?\n\n{{ sender.fromName }}'
const shortText =
  'Hi {{ firstName }},\n\none question: who at {{ company }} answers new enquiries?\n\n{{ sender.fromName }}'
const followUpText =
  'Hello {{ firstName }},\n\ndid my note reach you? A short no is welcome, too.\n\n{{ sender.fromName }}'
