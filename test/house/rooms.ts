/** The plan of the server's architecture: which folders exist, which may import which, and what a file's suffix means. */

export const server = 'packages/server/src'

/** The roles of files by suffix; a file without one is pure. `index` is the public interface of a slice. */
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

/** Folders that are no slice: wiring, and code without domain terms. */
export const composition = 'composition'
export const platform = 'platform'

/**
 * Packages of pure functions, each with the packages of this repository that it may import: no I/O, no clock, no chance, no database.
 * Others can install one without the server.
 */
export const purePackages: Record<string, readonly string[]> = {
  ground: ['contract'],
  planner: ['contract', 'ground'],
  'mail-reading': ['contract', 'ground'],
  'people-index': ['contract', 'ground'],
}

/** The only files that read the time or random numbers; everywhere else these are arguments. */
export const sources = [`${server}/platform/clock.ts`, `${server}/platform/ids.ts`]

/** The only file that reads the environment. */
export const entry = `${server}/composition/main.ts`

/** The slices that each slice may import, through their index or their pure files. The lists contain exactly the imports in use. */
export const knows: Record<string, readonly string[]> = {
  accounts: [],
  holidays: [],
  console: [],
  mcp: [],
  credits: [],
  tags: [],
  people: ['suppressions', 'tags'],
  suppressions: [],
  'contact-policy': [],
  templates: [],
  webhooks: [],
  audit: [],
  assistants: ['accounts', 'api-keys'],
  team: ['accounts', 'api-keys'],
  'sending-accounts': ['tags'],
  ai: ['credits'],
  'api-keys': ['accounts'],
  billing: ['accounts', 'credits'],
  'lead-finder': ['credits'],
  campaigns: [
    'accounts',
    'contact-policy',
    'holidays',
    'people',
    'sending-accounts',
    'suppressions',
    'tags',
    'templates',
  ],
  lists: ['campaigns'],
  exports: [
    'campaigns',
    'delivery',
    'inbox',
    'lists',
    'meetings',
    'people',
    'sending-accounts',
    'suppressions',
    'tags',
    'tasks',
    'templates',
  ],
  reports: ['accounts', 'analytics', 'team'],
  analytics: ['campaigns', 'tags'],
  signals: ['campaigns'],
  verification: ['credits'],
  deliverability: ['analytics', 'sending-accounts'],
  'data-flows': ['ai', 'billing', 'lead-finder', 'verification'],
  tasks: ['campaigns', 'tags'],
  delivery: [
    'accounts',
    'ai',
    'analytics',
    'campaigns',
    'contact-policy',
    'deliverability',
    'holidays',
    'sending-accounts',
    'suppressions',
    'templates',
    'verification',
  ],
  meetings: ['campaigns', 'tags'],
  placement: ['accounts', 'campaigns', 'delivery', 'templates'],
  tracking: ['campaigns', 'delivery', 'suppressions'],
  inbox: [
    'campaigns',
    'contact-policy',
    'delivery',
    'sending-accounts',
    'suppressions',
    'tags',
    'templates',
    'tracking',
  ],
  sandbox: ['analytics', 'campaigns', 'contact-policy', 'delivery', 'inbox', 'meetings', 'tracking'],
}

/** Sub-folders of slices in order. Each may import only earlier ones and the queries in the slice's own folder. */
export const subRooms: Record<string, readonly string[]> = {
  ai: ['texts', 'providers', 'presets', 'generations', 'drafts', 'reply-drafts', 'triage'],
  campaigns: ['sequence', 'paths', 'leads', 'steering', 'imports'],
  delivery: ['plan', 'write', 'record', 'send', 'memory', 'messages', 'ask'],
  inbox: ['reading', 'receive', 'mailboxes', 'conversations'],
  meetings: ['availability', 'notices', 'booking', 'external', 'busy-calendar'],
  'lead-finder': ['records', 'store', 'search-index', 'providers', 'cluster'],
  team: ['single-sign-on', 'system-mail'],
  'sending-accounts': ['domains', 'logins', 'discovery', 'oauth', 'budgets', 'tenants'],
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
    'imports',
  ],
}

/** A slice with more files than this needs sub-folders. */
export const filesPerRoomMax = 25
export const linesPerFileMax = 300
export const charactersPerLineMax = 140
