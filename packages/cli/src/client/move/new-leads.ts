import type { Campaign, LeadItem } from '@overture/sdk'
import { readCsv } from './csv-rows.ts'
import { leadAddress, campaignName, toLead, type MovedCampaign, type Row } from './moved.ts'
import { campaignOfRow, type KnownRows, type Move } from './opt-outs.ts'
import type { ReportLine } from './report.ts'

const batchLeadsMax = 1_000

interface WaitingLead {
  file: string
  line: number
  lead: LeadItem
}

/** Adds the leads that were never contacted to their drafts. Every other row is reported with the reason. */
export async function addNewLeads(move: Move, known: KnownRows, drafts: ReadonlyMap<MovedCampaign, Campaign>) {
  const waiting = new Map<MovedCampaign, WaitingLead[]>()
  for (const { file, isList } of move.leads) {
    if (isList) continue
    for await (const { line, row, fault } of readCsv(file, { onBytes: move.onBytes })) {
      const judged = fault === null ? judge(move, { known, drafts, file, row }) : refusal(fault)
      if ('outcome' in judged) {
        const email = leadAddress(row)
        await move.report.add({ ...judged, file, line, ...(email !== null && { email }) })
        continue
      }
      const batch = waiting.get(judged.campaign) ?? []
      waiting.set(judged.campaign, batch)
      batch.push({ file, line, lead: toLead(row, move.product.ledger) })
      if (batch.length >= batchLeadsMax) await flush(move, drafts.get(judged.campaign)!, batch)
    }
  }
  for (const [campaign, batch] of waiting) await flush(move, drafts.get(campaign)!, batch)
}

type RowFate = { campaign: MovedCampaign } | Pick<ReportLine, 'outcome' | 'why' | 'campaign'>

/** One of the cells says whether the lead was contacted. With misplaced cells it is unknown which one. */
function refusal(fault: string): RowFate {
  return { outcome: 'refused', why: `${fault}, so the values can't be assigned to columns` }
}

function judge(
  { campaigns, product }: Move,
  context: { known: KnownRows; drafts: ReadonlyMap<MovedCampaign, Campaign>; file: string; row: Row },
): RowFate {
  const { known, drafts, file, row } = context
  const address = leadAddress(row)?.toLowerCase()
  if (address === undefined) return { outcome: 'refused', why: 'no address' }
  const standing = product.standing(row)
  if (standing.kind !== 'new') {
    const reasons = {
      opted_out: 'opted out or bounced',
      contacted: 'was contacted',
      unknown: 'may have been contacted',
    }
    return { outcome: 'left out', why: `${reasons[standing.kind]}: ${standing.why}` }
  }
  const campaign = campaignOfRow(campaigns, file, row)
  if (campaign === null) {
    const named = campaignName(row)
    return {
      outcome: 'left out',
      why: named === null ? 'of no campaign' : `the campaign ${named} is not among the files`,
    }
  }
  const item = { campaign: campaign.name }
  if (known.contacted.get(campaign)?.has(address) === true)
    return { outcome: 'left out', why: 'was contacted: according to another row', ...item }
  const draft = drafts.get(campaign)
  if (draft === undefined) return { outcome: 'left out', why: 'its campaign was rejected', ...item }
  if (draft.status !== 'draft')
    return { outcome: 'left out', why: `its campaign is ${draft.status} and no longer a draft`, ...item }
  return { campaign }
}

async function flush({ overture, report }: Move, draft: Campaign, batch: WaitingLead[]): Promise<void> {
  const rows = batch.splice(0)
  const lines: ReportLine[] = []
  await overture.campaigns.leads.addAll(
    draft.id,
    rows.map(({ lead }) => lead),
    {
      onDuplicate: 'skip',
      onResult({ index, outcome, reason, email }) {
        const { file, line, lead } = rows[index]!
        const item = { file, line, email: email ?? lead.email ?? '', campaign: draft.name }
        if (outcome === 'added' || outcome === 'updated') lines.push({ ...item, outcome: 'added' })
        else if (outcome === 'invalid') lines.push({ ...item, outcome: 'refused', why: reason ?? 'not valid' })
        else if (reason === 'duplicate') lines.push({ ...item, outcome: 'there already' })
        else lines.push({ ...item, outcome: 'left out', why: reason ?? 'skipped' })
      },
    },
  )
  for (const line of lines) await report.add(line)
}
