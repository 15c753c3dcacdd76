import { createNames } from '@overture/server/platform/mail/names.client.ts'
import type { Reach } from '@overture/server/platform/mail/network-guard.client.ts'

const names = createNames({ servers: [] })

/** Network access that includes private addresses, so that it reaches the doubles on this machine. */
export const loopback: Reach = { names, accountId: 'acc_test', allowPrivate: true }

/** Network access with the default settings: public addresses only. */
export const publicOnly: Reach = { ...loopback, allowPrivate: false }
