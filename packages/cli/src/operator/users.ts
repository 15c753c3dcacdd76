import type { Command } from 'commander'
import { AppError, notFound } from '@overture/contract/errors.ts'
import type { Role } from '@overture/contract/team/roles.ts'
import { userLeft } from '@overture/server/composition/user-left.commands.ts'
import { findPublicUrl } from '@overture/server/composition/public-url.commands.ts'
import {
  changeUser,
  createInvitation,
  createPasswordLink,
  findUserAcrossAccounts,
  listUsersAcrossAccounts,
  toUser,
} from '@overture/server/team/index.ts'
import { emailOption, roleOption } from '../options.ts'
import { show, type OutputOptions } from '../output.ts'
import { recordOperator } from './recorded.ts'
import { withApp } from './session.ts'

interface CreateOptions extends OutputOptions {
  account: string
  email: string
  role: Role
}

export function registerUsers(program: Command): void {
  const users = program.command('users').description('Users of accounts')
  users
    .command('create')
    .description('Invites a user and prints the invitation link')
    .requiredOption('--account <id>', 'account of the user')
    .requiredOption('--email <address>', 'email address of the user', emailOption)
    .requiredOption('--role <role>', 'viewer, member, admin or owner', roleOption)
    .option('--json', 'print the invitation as the API would')
    .action(create)
  users
    .command('list')
    .option('--account <id>', 'only users of this account')
    .option('--json', 'print the users as the API would')
    .action(list)
  users
    .command('disable <id>')
    .description('Disables a user and ends the sessions and keys within a second')
    .option('--json', 'print the user as the API would')
    .action(disable)
  users
    .command('reset-password <id>')
    .description('Prints a link to set a new password')
    .option('--json', 'print the link as JSON')
    .action(resetPassword)
}

async function create(options: CreateOptions): Promise<void> {
  await withApp(async ({ app }) => {
    const { account: accountId, email, role } = options
    const publicUrl = await findPublicUrl(app)
    const now = app.clock.now()
    const { invitation, url } = await app.db.transaction(async (tx) => {
      const by = { actorRole: 'owner', invitedBy: null, invitedByKey: null } as const
      const created = await createInvitation(tx, { ...by, accountId, email, role, publicUrl, now })
      await recordOperator(app, tx, { accountId, action: 'users.create', targetId: created.invitation.id })
      return created
    })
    show({ ...invitation, url }, url, options)
  })
}

async function list(options: OutputOptions & { account?: string }): Promise<void> {
  await withApp(async ({ app }) => {
    const rows = await listUsersAcrossAccounts(app.db, options.account ?? null)
    const lines = rows.map(({ id, accountId, email, role, status }) => [id, accountId, role, status, email].join('  '))
    show(rows.map(toUser), lines.join('\n') || 'There are no users.', options)
  })
}

async function disable(userId: string, options: OutputOptions): Promise<void> {
  await withApp(async ({ app }) => {
    const { accountId } = await known(findUserAcrossAccounts(app.db, userId))
    const change = {
      accountId,
      userId,
      userLeft,
      actorRole: 'owner',
      status: 'disabled',
      now: app.clock.now(),
    } as const
    const { user, keptWebhooks } = await app.db.transaction(async (tx) => {
      await recordOperator(app, tx, { accountId, action: 'users.disable', targetId: userId })
      return changeUser(tx, change)
    })
    const kept = keptWebhooks.map(({ id, url }) => `${id}  keeps sending to ${url}`)
    show({ ...toUser(user), keptWebhooks }, [`${user.id}  ${user.status}`, ...kept].join('\n'), options)
  })
}

async function resetPassword(userId: string, options: OutputOptions): Promise<void> {
  await withApp(async ({ app }) => {
    const user = await known(findUserAcrossAccounts(app.db, userId))
    if (user.status !== 'active')
      throw new AppError('CONFLICT', 'This user is disabled.', { currentStatus: user.status, allowedActions: [] })
    const publicUrl = await findPublicUrl(app)
    const { accountId } = user
    const url = await app.db.transaction(async (tx) => {
      await recordOperator(app, tx, { accountId, action: 'users.reset-password', targetId: userId })
      return createPasswordLink(tx, user, { publicUrl, now: app.clock.now() })
    })
    show({ url }, url, options)
  })
}

async function known<Row>(found: Promise<Row | null>): Promise<Row> {
  const row = await found
  if (row === null) throw notFound()
  return row
}
