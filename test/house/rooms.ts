/** The plan of the house: which rooms there are, who may know whom, and what a file's suffix means. */

export const server = 'packages/server/src'

/** What a file does, by its suffix; a file without one is pure. `index` is a slice's door. */
export const roles = [
  'routes',
  'commands',
  'queries',
  'sql',
  'jobs',
  'worker',
  'client',
  'server',
  'shell',
  'thread',
  'test',
] as const

/** Rooms that are no slice: wiring, what knows no domain word, and pure things that everyone shares. */
export const composition = 'composition'
export const platform = 'platform'
export const ground = 'ground'

/** Where time and chance come in; everywhere else they are arguments. */
export const sources = [`${server}/platform/clock.ts`, `${server}/platform/ids.ts`]

/** Where the environment is read, once. */
export const entry = `${server}/composition/main.ts`

/** A slice may know those in its row, through their index or their pure files. No more and no fewer than are used. */
export const knows: Record<string, readonly string[]> = {
  accounts: [],
  console: [],
  mcp: [],
  credits: [],
  people: ['suppressions'],
  suppressions: [],
  templates: [],
  webhooks: [],
  audit: [],
  team: ['accounts', 'api-keys'],
  'sending-accounts': [],
  ai: ['credits'],
  'api-keys': ['accounts'],
  billing: ['accounts', 'credits'],
  'lead-finder': ['credits'],
  campaigns: ['accounts', 'people', 'sending-accounts', 'suppressions', 'templates'],
  analytics: ['campaigns'],
  signals: ['campaigns'],
  delivery: ['accounts', 'ai', 'analytics', 'campaigns', 'sending-accounts', 'suppressions', 'templates'],
  meetings: ['campaigns'],
  tracking: ['campaigns', 'delivery', 'suppressions'],
  inbox: ['campaigns', 'delivery', 'meetings', 'sending-accounts', 'suppressions', 'templates', 'tracking'],
  sandbox: ['analytics', 'campaigns', 'delivery', 'inbox', 'meetings', 'tracking'],
}

/** Sub-rooms in order: each imports only those before it, and the rows that lie in the slice's own folder. */
export const subRooms: Record<string, readonly string[]> = {
  ai: ['texts', 'providers', 'presets', 'generations', 'drafts', 'triage'],
  campaigns: ['sequence', 'paths', 'leads', 'steering', 'imports'],
  delivery: ['planner', 'texts', 'claim', 'compose', 'record', 'memory', 'send', 'messages', 'explain'],
  inbox: ['mime', 'reports', 'replies', 'classify', 'reading', 'receive', 'mailboxes', 'conversations'],
  meetings: ['calendars', 'availability', 'notices', 'booking', 'external'],
  'lead-finder': ['records', 'store', 'search-index', 'providers', 'cluster'],
  team: ['single-sign-on', 'system-mail'],
  'sending-accounts': ['discovery', 'oauth', 'tenants'],
  platform: [
    'files',
    'settings',
    'traces',
    'crypto',
    'db',
    'distributed',
    'replica',
    'backup',
    'lifecycle',
    'threads',
    'events',
    'jobs',
    'mail',
    'audit',
    'docs',
    'http',
  ],
}

/** A slice with more files than this has sub-rooms. */
export const filesPerRoomMax = 25
export const linesPerFileMax = 300
export const charactersPerLineMax = 140
