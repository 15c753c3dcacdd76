import type { Module } from './source.ts'

/** An outside system that the product can do without. Its code is in `rooms`. */
interface OutsideSystem {
  name: string
  word: RegExp
  rooms: readonly string[]
  /** The other files that name it, each with the reason. */
  elsewhere: Readonly<Record<string, string>>
}

const server = 'packages/server/src'
const testing = 'packages/testing/src'
const tables = 'It names tables.'
const operators = 'It is a text for operators.'
const settings = `${server}/platform/settings`
const logEvents = `${server}/platform/log-events.ts`
const opening = 'It opens the replica.'

export const outsideSystems: readonly OutsideSystem[] = [
  {
    name: 'Citus',
    word: /citus/i,
    rooms: [`${server}/platform/distributed/`, `${testing}/distributed/`],
    elsewhere: {
      [`${server}/platform/db/several-servers.ts`]: 'The driver needs these facts, and the room uses the driver.',
      [`${settings}/settings.ts`]: operators,
      [logEvents]: operators,
      'packages/cli/src/commands.ts': operators,
      'packages/cli/src/operator/distribute.ts': operators,
    },
  },
  {
    name: 'OpenSearch',
    word: /open[-_]?search/i,
    rooms: [`${server}/lead-finder/cluster/`, `${testing}/lead-finder/`],
    elsewhere: { [logEvents]: operators },
  },
  {
    name: 'Stripe',
    word: /stripe/i,
    rooms: [`${server}/billing/`, `${testing}/services/`],
    elsewhere: {
      [`${settings}/provider-settings.ts`]: operators,
      [logEvents]: operators,
      [`${server}/platform/distributed/placements.ts`]: tables,
      [`${server}/composition/retention.worker.ts`]: tables,
      [`${server}/lead-finder/records/demo-vocabulary.ts`]: 'It names a product that companies use.',
      'packages/contract/src/accounts/billing.ts': 'It describes where the buyer pays.',
    },
  },
  {
    name: 'a replica',
    word: /replica(?!t)/i,
    rooms: [`${server}/platform/replica/`],
    elsewhere: {
      [`${settings}/settings.ts`]: operators,
      [logEvents]: operators,
      [`${server}/platform/config.ts`]: 'It reads the settings.',
      [`${server}/platform/app.ts`]: 'It declares what is open, for the files below.',
      [`${server}/composition/open-app.shell.ts`]: opening,
      [`${server}/composition/routes.ts`]: 'It lists the operations that may use it.',
      [`${server}/platform/http/operate.shell.ts`]: 'It chooses the database of a request.',
      [`${server}/platform/http/site.routes.ts`]: 'It reports the state at /healthz.',
      [`${server}/platform/db/migrate.shell.ts`]: 'It refuses one as the primary.',
      [`${server}/platform/distributed/refusals.ts`]: 'It refuses one as the primary.',
      'packages/cli/src/operator/doctor.ts': opening,
      'packages/cli/src/operator/surroundings.ts': operators,
    },
  },
]

/** Names of settings, and citations of documents and tests, may be anywhere. */
const citations = /\b[A-Z]+(?:_[A-Z]+)+\b|\b(?:docs|test)\/[\w./-]+/g

/** The files that name a system outside its rooms and outside the list, and the files in the list that don't name it. */
export function namedOutside(modules: readonly Module[]): string[] {
  const sources = modules
    .filter(({ path }) => /^packages\/[^/]+\/src\//.test(path) && !/\.test\.tsx?$|\/generated\//.test(path))
    .map(({ path, text }) => ({ path, text: text.replace(citations, '') }))
  return outsideSystems.flatMap(({ name, word, rooms, elsewhere }) => {
    const naming = sources.filter(({ path, text }) => word.test(text) && !rooms.some((room) => path.startsWith(room)))
    const paths = naming.map(({ path }) => path)
    return [
      ...paths.filter((path) => elsewhere[path] === undefined).map((path) => `${path}: names ${name}`),
      ...Object.keys(elsewhere)
        .filter((path) => !paths.includes(path))
        .map((path) => `${path}: does not name ${name}`),
    ]
  })
}
