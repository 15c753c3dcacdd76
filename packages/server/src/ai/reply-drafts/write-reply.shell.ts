import { z } from 'zod'
import { foreignText } from '@overture/ground/text/foreign-text.ts'
import type { App } from '../../platform/app.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { ModelEntry } from '../providers/models.ts'
import {
  askForObject,
  type AskOptions,
  NotTheFormError,
  type Usage,
  withComplaint,
} from '../providers/providers.client.ts'
import { assertUsable, providerTrouble, whileAsking, type WriteOptions } from '../generations/write.shell.ts'
import {
  replyByRules,
  replyInstructions,
  replyLengthMax,
  replyProblems,
  type ReplyTask,
} from '../texts/reply-writing.ts'

const tries = 2

const replySchema = z.object({ body: z.string() })

/** A reply that passed its checks, or the problems of the last try. */
export type WrittenReply = Usage & ({ body: string } | { problems: string[] })

interface ReplyToWrite {
  entry: ModelEntry
  task: ReplyTask
}

/** Writes and checks a reply. If the checks fail, asks once more. Throws SERVICE_UNAVAILABLE or ProviderBusyError. */
export async function writeReply(
  app: App,
  tenant: Tenant,
  { entry, task, ...options }: ReplyToWrite & Pick<WriteOptions, 'signal' | 'patienceMs'>,
): Promise<WrittenReply> {
  assertUsable(app, tenant, entry)
  if (entry.provider !== 'builtin')
    return whileAsking(app, options, (asking) => writeByModel(app, { entry, task }, asking))
  const body = replyByRules(task)
  const problems = replyProblems(body, task)
  return { ...(problems.length === 0 ? { body } : { problems }), promptTokens: 0, completionTokens: 0 }
}

async function writeByModel(app: App, { entry, task }: ReplyToWrite, asking: AskOptions): Promise<WrittenReply> {
  const { system, user } = replyInstructions(task)
  const spent = { promptTokens: 0, completionTokens: 0 }
  let problems: string[] = []
  for (let attempt = 1; attempt <= tries; attempt++) {
    const prompt = withComplaint(user, attempt === 1 ? null : problems.join(', '))
    try {
      const { value, ...usage } = await askForObject(app, entry, { ...asking, system, prompt, schema: replySchema })
      spent.promptTokens += usage.promptTokens
      spent.completionTokens += usage.completionTokens
      // One character more than allowed, so that a longer text is refused and not cut.
      const body = foreignText(value.body, replyLengthMax + 1).trim()
      problems = replyProblems(body, task)
      if (problems.length === 0) return { body, ...spent }
    } catch (error) {
      if (!(error instanceof NotTheFormError)) throw providerTrouble(app, entry, error)
      problems = ['it was not the requested JSON']
    }
  }
  return { problems, ...spent }
}
