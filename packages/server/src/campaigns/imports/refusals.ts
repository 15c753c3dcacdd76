import type { AddLeadResult } from '@overture/contract/campaigns/lead-fields.ts'
import { type Refusal, titled } from '@overture/ground/text/refused-rows.ts'
import type { ReadLead } from '../leads/lead.ts'
import type { LeadRefusal } from '../leads/lead-refusals.ts'
import { columnTarget, type ImportColumn } from './import-columns.ts'

interface File {
  header: readonly string[]
  columns: readonly ImportColumn[]
}

/** Returns why the values of a row are no valid lead, one refusal per field, with the title of the column. */
export function leadRefusals(read: Extract<ReadLead, { kind: 'invalid' }>, file: File): [Refusal, ...Refusal[]] {
  const { result, others } = read
  return [leadRefusal(result, file), ...others.map((other) => leadRefusal({ reason: 'invalid_field', ...other }, file))]
}

function leadRefusal(
  { reason, field, message }: Pick<AddLeadResult, 'reason'> & LeadRefusal,
  { header, columns }: File,
): Refusal {
  const column = columns.findIndex((one) => columnTarget(one) === field)
  return {
    code: reason === 'invalid_email' ? 'invalid_email' : 'invalid_field',
    ...titled(header, column),
    ...(message === undefined ? {} : { message }),
  }
}
