import { z } from 'zod'
import { deleted, listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { personName, signInMethod, user, userExample } from './users.ts'

/** The display preferences of one person. */
export const preferences = namedObject('Preferences', {
  theme: z.enum(['system', 'light', 'dark']),
  density: z.enum(['comfortable', 'compact']),
  /** Whether single letters are shortcuts outside of text fields. */
  singleKeys: z.boolean(),
  /** A BCP 47 tag; null means the browser's language. */
  locale: z.string().nullable(),
})
export type Preferences = z.infer<typeof preferences>

export const defaultPreferences: Readonly<Preferences> = {
  theme: 'system',
  density: 'comfortable',
  singleKeys: true,
  locale: null,
}

export const me = namedObject('Me', {
  ...user.shape,
  account: namedObject('MyAccount', { id: z.string(), name: z.string() }),
  preferences,
  /** The session of the request; null for a key. */
  sessionId: z.string().nullable(),
})
export type Me = z.infer<typeof me>

export const meExample: Me = {
  ...userExample,
  account: { id: 'acc_1m3q8z0c0n7t5w2k9x', name: 'Example Ltd' },
  preferences: { ...defaultPreferences },
  sessionId: 'ses_1m3q8z0c0n7t5w2k9x',
}

const localeTag = z.string().regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/, 'A language tag such as en or de-AT.')

export const updateMeInput = namedObject('UpdateMeInput', {
  name: personName.optional(),
  preferences: namedObject('PreferencesInput', {
    theme: preferences.shape.theme.optional(),
    density: preferences.shape.density.optional(),
    singleKeys: z.boolean().optional(),
    locale: localeTag.nullable().optional(),
  }).optional(),
  // Read-only fields may be sent back unchanged, so that GET, edit, PUT works.
  id: z.string().optional(),
  email: z.string().optional(),
  role: user.shape.role.optional(),
  status: user.shape.status.optional(),
  methods: z.array(signInMethod).optional(),
  totp: z.boolean().optional(),
  lastSeenAt: timestamp.nullable().optional(),
  createdAt: timestamp.optional(),
  account: me.shape.account.optional(),
  sessionId: z.string().nullable().optional(),
})

export const session = namedObject('Session', {
  id: z.string(),
  /** Whether it is the session of the request. */
  current: z.boolean(),
  method: signInMethod,
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: timestamp,
  lastSeenAt: timestamp,
  /** The latest end of the session. Twelve hours without a request end it earlier. */
  expiresAt: timestamp,
})
export type Session = z.infer<typeof session>

const tag = 'Team'
const sessionExample: Session = {
  id: 'ses_1m3q8z0c0n7t5w2k9x',
  current: true,
  method: 'password',
  ip: '192.0.2.7',
  userAgent: 'Mozilla/5.0',
  createdAt: '2026-11-02T09:30:00.000Z',
  lastSeenAt: '2026-11-02T09:45:00.000Z',
  expiresAt: '2026-12-02T09:30:00.000Z',
}

export const meEndpoints = {
  getMe: endpoint({
    operationId: 'getMe',
    call: 'me.get',
    method: 'GET',
    path: '/v2/me',
    environment: 'live',
    scope: 'read',
    summary: 'Get the current user',
    description: 'Returns the signed-in user or the user of the key. A key without a user gets 404.',
    tag,
    success: [200],
    output: me,
    errors: ['NOT_FOUND'],
    examples: { output: meExample },
  }),
  updateMe: endpoint({
    operationId: 'updateMe',
    call: 'me.update',
    method: 'PUT',
    path: '/v2/me',
    environment: 'live',
    scope: 'write',
    role: 'viewer',
    summary: 'Change name and preferences',
    description:
      'Changes the fields that are sent, also within the preferences. Read-only fields may be sent back unchanged.',
    tag,
    body: updateMeInput,
    success: [200],
    output: me,
    errors: ['NOT_FOUND'],
    examples: {
      body: { preferences: { theme: 'dark' } },
      output: { ...meExample, preferences: { ...defaultPreferences, theme: 'dark' } },
    },
  }),
  listMySessions: endpoint({
    operationId: 'listMySessions',
    call: 'me.sessions.list',
    method: 'GET',
    path: '/v2/me/sessions',
    environment: 'live',
    scope: 'read',
    summary: 'List where one is signed in',
    description: 'Active sessions, newest first.',
    tag,
    query: z.strictObject(pageQuery),
    success: [200],
    output: listOf(session),
    errors: ['NOT_FOUND'],
    examples: {
      output: {
        results: [sessionExample],
        pagination: { currentPage: 1, totalPages: 1, totalCount: 1 },
        nextCursor: null,
      },
    },
  }),
  endMySession: endpoint({
    operationId: 'endMySession',
    call: 'me.sessions.end',
    method: 'DELETE',
    path: '/v2/me/sessions/:id',
    environment: 'live',
    scope: 'write',
    role: 'viewer',
    summary: 'End a session',
    description: 'The session stops working at once on every node. `current` is the id of the calling session.',
    tag,
    success: [200],
    output: deleted,
    errors: ['NOT_FOUND'],
    examples: { output: { id: 'ses_1m3q8z0c0n7t5w2k9x', deleted: true } },
  }),
}
