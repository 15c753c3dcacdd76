/** The limits for reading one DMARC report. A real report of a large domain has some thousand rows in a few megabytes. */
export const reportLimits = {
  packedBytes: 10 * 1024 * 1024,
  unpackedBytes: 100 * 1024 * 1024,
  depth: 12,
  rows: 50_000,
  /** Forty for each row. */
  elements: 2_000_000,
  /** The characters of one text, tag, comment or instruction. */
  textCharacters: 64 * 1024,
  attributes: 20,
  /** The number of messages that one row may count. */
  messages: 1_000_000_000,
  nameCharacters: 200,
  idCharacters: 300,
  periodDays: 366,
  /** A reporter's clock may be wrong. */
  aheadHours: 24,
}

export const reportFaults = [
  'not_a_report',
  'broken_archive',
  'no_report_in_archive',
  'several_files',
  'too_large',
  'doctype',
  'entity',
  'not_well_formed',
  'too_deep',
  'too_many_rows',
  'text_too_long',
  'missing',
  'invalid',
  'ends_before_begin',
  'in_the_future',
  'longer_than_a_year',
] as const
/** Why a file is not read as a report. */
export type ReportFault = (typeof reportFaults)[number]

/** Thrown inside the reader. `readDmarcReport` returns it as a value. */
export class RefusedReport extends Error {
  readonly fault: ReportFault
  /** The element that is missing or invalid, such as `report_metadata.report_id`. */
  readonly field: string | null

  constructor(fault: ReportFault, field: string | null = null) {
    super(fault)
    this.fault = fault
    this.field = field
  }
}
