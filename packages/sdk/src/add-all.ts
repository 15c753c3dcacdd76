import type { CallOptions } from './call.ts'
import { part, type Caller } from './caller.ts'
import type { AddLeadResult, AddLeadsInput, AddLeadsResults, LeadItem } from './generated/types.ts'

export interface AddAllOptions extends Omit<AddLeadsInput, 'leads'>, Omit<CallOptions, 'idempotencyKey'> {
  /**
   * Names this run: the same leads under the same name within a day are added once, however often the run is begun
   * again. Without it a run that is begun again looks at every lead anew.
   */
  runKey?: string
  /** Told what became of each, in order. */
  onResult?: (result: AddLeadResult, lead: LeadItem) => void
}

export type AddAllResult = Omit<AddLeadsResults, 'results' | 'estimatedCredits'>

const leadsMax = 1_000
/** The server takes 10 MiB per call; what stands around the leads needs a little. */
const bytesMax = 9 * 1024 * 1024

/** Adds any number of leads, a thousand a call, one call after the other; `index` counts through all of them. */
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
  for await (const batch of batchesOf(leads)) {
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

async function* batchesOf(leads: Iterable<LeadItem> | AsyncIterable<LeadItem>): AsyncGenerator<LeadItem[]> {
  let batch: LeadItem[] = []
  let bytes = 0
  for await (const lead of leads) {
    // A character is three bytes at most in UTF-8, counted in UTF-16 units.
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
