import type { AddLeadResult } from '@overture/contract/campaigns/lead-fields.ts'
import { type Refusal, titled } from '@overture/ground/text/refused-rows.ts'
import { columnTarget, type ImportColumn } from './import-columns.ts'

/** Returns why the values of a row are no valid lead, with the title of the column. */
export function leadRefusal(
  { reason, field, message }: AddLeadResult,
  { header, columns }: { header: readonly string[]; columns: readonly ImportColumn[] },
): Refusal {
  const column = columns.findIndex((one) => columnTarget(one) === field)
  return {
    code: reason === 'invalid_email' ? 'invalid_email' : 'invalid_field',
    ...titled(header, column),
    ...(message === undefined ? {} : { message }),
  }
}
