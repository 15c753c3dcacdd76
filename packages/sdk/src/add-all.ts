import type { CallOptions } from './call.ts'
import { part, type Caller } from './caller.ts'
import type { AddLeadResult, AddLeadsInput, AddLeadsResults, LeadItem } from './generated/types.ts'

export interface AddAllOptions extends Omit<AddLeadsInput, 'leads'>, Omit<CallOptions, 'idempotencyKey'> {
  /**
   * A name for this run. The same leads under the same name are added only once within a day, even if the run is started again. Without a
   * name, a run that is started again checks every lead again.
   */
  runKey?: string
  /** Called with the result of each lead, in order. */
  onResult?: (result: AddLeadResult, lead: LeadItem) => void
}

export type AddAllResult = Omit<AddLeadsResults, 'results' | 'estimatedCredits'>

const leadsMax = 1_000
/** The server accepts 10 MiB per call. The rest is for the JSON around the leads. */
const bytesMax = 9 * 1024 * 1024

/** Adds any number of leads in sequential calls of a thousand leads; `index` counts across all calls. */
export async function addAll(
  caller: Caller,
  campaignId: string,
  leads: Iterable<LeadItem> | AsyncIterable<LeadItem>,
  options: AddAllOptions = {},
): Promise<AddAllResult> {
  const { runKey = `ovt-${crypto.randomUUID()}`, onResult, signal, timeoutMs, retries, headers, ...asked } = options
  const path = `/v2/campaigns/${part(campaignId)}/leads`
  const total: AddAllResult = { added: 0, updated: 0, skipped: 0, invalid: 0 }
  let number = 0
  let index = 0
  for await (const batch of splitBatches(leads)) {
    const idempotencyKey = `${runKey}:${number++}`
    const answer = await caller.call<AddLeadsResults>('POST', path, {
      body: { ...asked, leads: batch },
      options: { signal, timeoutMs, retries, headers, idempotencyKey },
    })
    for (const name of ['added', 'updated', 'skipped', 'invalid'] as const) total[name] += answer[name]
    if (answer.creditsCharged !== undefined) total.creditsCharged = (total.creditsCharged ?? 0) + answer.creditsCharged
    for (const result of answer.results) onResult?.({ ...result, index: index + result.index }, batch[result.index]!)
    index += batch.length
  }
  return total
}

async function* splitBatches(leads: Iterable<LeadItem> | AsyncIterable<LeadItem>): AsyncGenerator<LeadItem[]> {
  let batch: LeadItem[] = []
  let bytes = 0
  for await (const lead of leads) {
    // In UTF-8 a UTF-16 code unit takes at most three bytes.
    const size = JSON.stringify(lead).length * 3
    if (batch.length === leadsMax || (batch.length > 0 && bytes + size > bytesMax)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(lead)
    bytes += size
  }
  if (batch.length > 0) yield batch
}
