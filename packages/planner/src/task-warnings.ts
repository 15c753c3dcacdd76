import type { Step } from '@overture/contract/campaigns/campaigns.ts'
import type { PreflightWarning } from '@overture/contract/delivery/preflight.ts'

interface TaskFacts {
  /** The users that can do tasks. */
  activeUserIds: ReadonlySet<string>
  /** Per step, the leads before it that have no telephone number. */
  withoutPhone: ReadonlyMap<string, number>
}

/** Task steps with which leads may wait longer than their user expects. */
export function taskWarnings(steps: readonly Step[], { activeUserIds, withoutPhone }: TaskFacts): PreflightWarning[] {
  return steps.flatMap(({ id, position, type, channel, assigneeId, blocks, expiresIn }) => {
    if (type !== 'task') return []
    const warnings: PreflightWarning[] = []
    const add = (code: PreflightWarning['code'], message: string, count: number | null = null) =>
      warnings.push({ code, message, ref: id, count })
    if (assigneeId !== null && !activeUserIds.has(assigneeId))
      add(
        'task_without_assignee',
        `The user of the task in step ${position} is no active user. Assign it to another user.`,
      )
    const lacking = withoutPhone.get(id) ?? 0
    if (channel === 'call' && blocks === true && lacking > 0) {
      const who = lacking === 1 ? '1 lead has' : `${lacking} leads have`
      const wait = lacking === 1 ? 'It waits' : 'They wait'
      add(
        'task_without_phone',
        `${who} no telephone number for step ${position}. ${wait} until the call is closed.`,
        lacking,
      )
    }
    if (blocks === true && expiresIn === null)
      add(
        'task_never_expires',
        `Leads wait at step ${position} until its task is closed, because the task never expires.`,
      )
    return warnings
  })
}
