import type { App } from '@overture/server/platform/app.ts'
import { recordAct } from '@overture/server/platform/audit/acts.commands.ts'
import { operator } from '@overture/server/platform/audit/entry.ts'
import { actAs } from '@overture/server/platform/events/actors.ts'
import type { Executor } from '@overture/server/platform/db/database.ts'

interface OperatorAct {
  accountId: string
  /** The name of the command, such as `keys.create`. */
  action: string
  targetId: string | null
}

/** Records an action of the operator in the account's own log. */
export async function recordOperator({ clock }: App, db: Executor, act: OperatorAct): Promise<void> {
  const { accountId, action, targetId } = act
  // Events that follow from the action are the operator's too.
  actAs(db, operator)
  const target = { type: action.split('.')[0] ?? null, id: targetId }
  const done = { accountId, environment: null, actor: operator, action: `operator.${action}`, target }
  await recordAct(db, done, clock.now())
}
