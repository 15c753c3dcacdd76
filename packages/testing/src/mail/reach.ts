import { createNames } from '@overture/server/platform/mail/names.client.ts'
import type { Reach } from '@overture/server/platform/mail/network-guard.client.ts'

const names = createNames({ servers: [] })

/** What reaches the doubles on this machine. */
export const loopback: Reach = { names, accountId: 'acc_test', allowPrivate: true }

/** What an operator allows who has not said otherwise. */
export const publicOnly: Reach = { ...loopback, allowPrivate: false }
