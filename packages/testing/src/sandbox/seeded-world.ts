import { createRandom, type Random } from './random.ts'

/** A test environment to create through the API, generated from a seed: many kinds of sequences, limits, time zones and leads. */
export interface SeededWorld {
  startsAt: string
  senders: object[]
  campaigns: { body: (senderIds: readonly string[]) => object; leads: object[] }[]
  suppressed: string[]
}

const acts = [
  '+open',
  '+reply',
  '+interested',
  '+bounce',
  '+softbounce',
  '+open+click',
  '+unsubscribe',
  '+ooo',
  '+book',
  '+open+ooo',
  '',
  '',
  '',
]
const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'UTC']
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri']

/** Generates a world that starts in the days before a change of daylight saving time in Europe. */
export function seededWorld(seed: number): SeededWorld {
  const random = createRandom(seed)
  const senders = Array.from({ length: random.between(2, 4) }, (_, index) => sender(random, `s${seed}${index}`))
  const campaigns = Array.from({ length: random.between(2, 3) }, (_, index) => ({
    body: campaign(random, index),
    leads: Array.from({ length: random.between(14, 26) }, (_, number) => lead(random, { seed, index, number })),
  }))
  return { startsAt: '2027-03-24T07:00:00.000Z', senders, campaigns, suppressed: [`lead0.3@example.com`] }
}

function sender(random: Random, name: string): object {
  const [minGapSeconds, maxGapSeconds] = random.pick([
    [0, 0],
    [60, 240],
    [300, 900],
  ])
  return {
    email: `${name}@run.test`,
    fromName: name,
    provider: 'sandbox',
    timezone: random.pick(zones),
    dailyLimit: random.between(6, 40),
    minGapSeconds,
    maxGapSeconds,
    ...(random.oneIn(3) && { rampUp: { enabled: true, startPerDay: 3, incrementPerDay: 2 } }),
  }
}

function campaign(random: Random, index: number): (senderIds: readonly string[]) => object {
  const schedule = {
    timezone: random.pick(zones),
    useLeadTimezone: random.oneIn(3),
    windows: [
      {
        days: random.oneIn(3) ? [...weekdays, 'sat', 'sun'] : weekdays,
        from: '09:00',
        to: random.pick(['17:00', '12:30']),
      },
    ],
    blackoutDates: random.oneIn(3) ? ['2027-03-30'] : [],
  }
  const settings = {
    openTracking: random.oneIn(2),
    linkTracking: true,
    stopOnAutoReply: random.oneIn(4),
    stopForCompany: random.oneIn(3),
    dailyLimit: random.oneIn(3) ? 7 : null,
    dailyNewLeadLimit: random.oneIn(3) ? 4 : null,
    maxPerRecipientDomainPerDay: random.oneIn(3) ? 5 : null,
    bounceProtection: { enabled: random.oneIn(2), maxBounceRate: 0.1, minSent: 10 },
  }
  const steps = Array.from({ length: random.between(2, 4) }, (_, at) => step(random, at))
  const from = random.between(0, 1)
  return (senderIds) => ({
    name: `Campaign ${index}`,
    sendingAccountIds: senderIds.slice(from),
    schedule,
    settings,
    steps,
  })
}

function step(random: Random, at: number): object {
  const wait = random.pick([
    { value: 20, unit: 'minutes' },
    { value: 3, unit: 'hours' },
    { value: 2, unit: 'days' },
    { value: 3, unit: 'business_days' },
  ])
  const isNewThread = at === 0 || random.oneIn(4)
  const variant = (label: string) => ({
    label,
    subject: isNewThread ? `Hello {{ firstName }} ${label}` : '',
    body:
      `<p>{{ "Hi|Hello|Dear" | spin }} {{ firstName }}, <a href="https://example.com/${label}">look</a> ${at}` +
      `${random.oneIn(6) ? ' {{ company }}' : ''}</p>`,
  })
  return {
    sameThread: !isNewThread,
    waitBefore: at === 0 ? { value: 0, unit: 'days' } : wait,
    variantSelection: random.oneIn(5) ? 'auto' : 'weighted',
    variants: random.oneIn(2) ? [variant('A'), variant('B')] : [variant('A')],
  }
}

function lead(random: Random, { seed, index, number }: { seed: number; index: number; number: number }): object {
  const act = random.pick(acts)
  // Some leads are in several campaigns, and some never react.
  const place = random.oneIn(6) ? '' : `.${index}.${seed}`
  const email = random.oneIn(4) ? `lead${index}.${number}@example.com` : `lead${number}${place}${act}@prospects.test`
  return {
    email,
    firstName: `N${number}`,
    ...(!random.oneIn(5) && { company: random.pick(['Acme', 'Globex']) }),
    ...(random.oneIn(2) && { timezone: random.pick(zones) }),
  }
}
