import { z } from 'zod'
import { namedObject, timestamp } from '../common.ts'
import { roles } from './roles.ts'

export const role = z.enum(roles).meta({ id: 'Role' })
export const userStatus = z.enum(['active', 'disabled'])
export type UserStatus = z.infer<typeof userStatus>
export const signInMethod = z.enum(['password', 'oidc']).meta({ id: 'SignInMethod' })
export type SignInMethod = z.infer<typeof signInMethod>

export const personName = z.string().trim().min(1).max(100)

export const user = namedObject('User', {
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role,
  status: userStatus,
  /** How they can sign in. */
  methods: z.array(signInMethod),
  /** A code of an authenticator is asked for beside the password. */
  totp: z.boolean(),
  lastSeenAt: timestamp.nullable(),
  createdAt: timestamp,
})
export type User = z.infer<typeof user>

export const userExample: User = {
  id: 'usr_01m3q8z0c0n7t5w2k9x4b6d8fh',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  role: 'owner',
  status: 'active',
  methods: ['password'],
  totp: false,
  lastSeenAt: '2026-11-02T09:30:00.000Z',
  createdAt: '2026-11-02T09:30:00.000Z',
}
