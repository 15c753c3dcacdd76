import { Counter } from 'prom-client'
import { metrics } from '../platform/metrics.shell.ts'
import type { Logger } from '../platform/log.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { FairThreads, type Outcome } from '../platform/threads/fair-threads.client.ts'
import { itemTexts, type RenderAnswer, type RenderItem } from './render-item.ts'
import type { RenderInput, RenderResult } from './render.ts'
import type { Scope } from './dialect.ts'
import { templateLengthMax, type TemplateProblemOf, type TemplateText } from './template-text.ts'
import { WeightedCache } from './weighted-cache.ts'

/** `postponed` means not tried now, because the tenant's templates took too long recently. */
export type RenderOutcome = RenderResult | { kind: 'postponed' }

/** All work on tenants' templates. It runs in threads that can be ended, and accounts take turns. */
export interface TemplateRenderer {
  /** Renders each input separately and returns the results in the same order. */
  messages(tenant: Tenant, inputs: readonly RenderInput[]): Promise<RenderOutcome[]>
  parts(
    tenant: Tenant,
    input: { template: { subject: string; body: string }; scope: Scope; seed: string },
  ): Promise<RenderOutcome>
  /** The names without a value, by lead. A lead that could not be checked in time has none here; sending reports them. */
  missing(tenant: Tenant, requests: readonly { texts: readonly string[]; scope: Scope }[]): Promise<string[][]>
  /** The variables that texts use; none if a text can't be parsed. */
  names(tenant: Tenant, texts: readonly string[]): Promise<string[]>
  /** Finds problems in texts that are to be stored. Texts that are too long are skipped, since their schema rejects them. */
  check(tenant: Tenant, texts: readonly TemplateText[]): Promise<TemplateProblemOf>
  /** The plain text of HTML that a person wrote; null if it can't be converted. */
  textOf(tenant: Tenant, html: string): Promise<string | null>
  stop(): Promise<void>
}

const heapMaxMb = 256
const renderMs = 50
/** The check parses a text and renders samples several times. */
const checkMs = 250
/** For up to a million characters. */
const htmlMs = 1_000
const messagesTotalMs = 10_000
const missingTotalMs = 1_000
const checkTotalMs = 2_000
const knownProblemsBytesMax = 8 * 1024 * 1024
const knownProblemBytes = 300

const tooLong = `A template can have ${templateLengthMax} characters at most.`
const tooSlow = `The template takes more than ${renderMs} ms to render. Shorten it.`
const uncheckable = 'The template takes too long to check. Shorten it.'
const unchecked = 'The template was not checked, because recent templates of this request or account took too long.'
export const postponedMessage =
  'The template was not rendered, because templates of this account took too long. Try again in a minute.'

const threadsEnded = new Counter({
  name: 'overture_template_threads_ended_total',
  help: 'Threads that were ended because a template took too much time or memory.',
  registers: [metrics],
})

type RenderThreads = FairThreads<RenderItem, RenderAnswer>
type KnownProblems = WeightedCache<{ problem: string | null }>

export function createTemplateRenderer(log: Logger): TemplateRenderer {
  const problems: KnownProblems = new WeightedCache(knownProblemsBytesMax)
  const threads = new FairThreads<RenderItem, RenderAnswer>({
    boot: new URL('./render.boot.mjs', import.meta.url),
    heapMaxMb,
    getKey: (item) => [item.kind, ...itemTexts(item)].join('\n'),
    onEnded(accountId) {
      threadsEnded.inc()
      log.warn({ event: 'templates.thread_ended', accountId })
    },
  })
  return {
    async messages({ accountId }, inputs) {
      const items = inputs.map((input): RenderItem => ({ kind: 'message', input }))
      const outcomes = await threads.run(accountId, items, { itemMs: renderMs, totalMs: messagesTotalMs })
      return outcomes.map(toRenderOutcome)
    },
    async parts({ accountId }, input) {
      const items: RenderItem[] = [{ kind: 'parts', ...input }]
      const [outcome] = await threads.run(accountId, items, { itemMs: renderMs, totalMs: messagesTotalMs })
      return toRenderOutcome(outcome)
    },
    async missing({ accountId }, requests) {
      const items = requests.map(({ texts, scope }): RenderItem => ({ kind: 'missing', texts, scope }))
      const outcomes = await threads.run(accountId, items, { itemMs: renderMs, totalMs: missingTotalMs })
      return outcomes.map((outcome) =>
        outcome.kind === 'answered' && outcome.answer.kind === 'names' ? outcome.answer.names : [],
      )
    },
    async names({ accountId }, texts) {
      const [outcome] = await threads.run(accountId, [{ kind: 'names', texts }], {
        itemMs: renderMs,
        totalMs: missingTotalMs,
      })
      return outcome?.kind === 'answered' && outcome.answer.kind === 'names' ? outcome.answer.names : []
    },
    check: ({ accountId }, texts) => checkTexts(accountId, texts, { threads, problems }),
    async textOf({ accountId }, html) {
      const [outcome] = await threads.run(accountId, [{ kind: 'html', html }], { itemMs: htmlMs, totalMs: htmlMs })
      return outcome?.kind === 'answered' && outcome.answer.kind === 'text' ? outcome.answer.text : null
    },
    stop: () => threads.stop(),
  }
}

async function checkTexts(
  accountId: string,
  texts: readonly TemplateText[],
  { threads, problems }: { threads: RenderThreads; problems: KnownProblems },
): Promise<TemplateProblemOf> {
  const open = new Map<string, TemplateText>()
  const found = new Map<string, string | null>()
  for (const text of texts) {
    const key = keyOfText(text)
    const known = problems.get(key)
    if (known !== undefined) found.set(key, known.problem)
    else if (text.text.length <= templateLengthMax) open.set(key, text)
  }
  const items = [...open.values()].map((text): RenderItem => ({ kind: 'check', ...text }))
  const outcomes = await threads.run(accountId, items, { itemMs: checkMs, totalMs: checkTotalMs })
  for (const [at, key] of [...open.keys()].entries()) {
    const problem = toProblem(outcomes[at])
    found.set(key, problem)
    if (problem !== unchecked) problems.set(key, { problem }, key.length * 2 + knownProblemBytes)
  }
  return (part, text) => (text.length > templateLengthMax ? tooLong : (found.get(keyOfText({ part, text })) ?? null))
}

function keyOfText({ part, text }: TemplateText): string {
  return `${part}\n${text}`
}

function toProblem(outcome: Outcome<RenderAnswer> | undefined): string | null {
  if (outcome?.kind === 'answered') return outcome.answer.kind === 'problem' ? outcome.answer.problem : null
  return outcome?.kind === 'overran' ? uncheckable : unchecked
}

function toRenderOutcome(outcome: Outcome<RenderAnswer> | undefined): RenderOutcome {
  if (outcome?.kind === 'overran') return { kind: 'template_error', message: tooSlow }
  if (outcome?.kind !== 'answered') return { kind: 'postponed' }
  return outcome.answer.kind === 'content' ? outcome.answer.content : { kind: 'postponed' }
}
