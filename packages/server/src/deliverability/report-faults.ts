import type { ReportFault } from '@overture/mail-reading/dmarc/report-limits.ts'

/** Why a report is not taken: the file is refused, it is not about the account, or the thread that read it was ended. */
export type ReportRefusal = ReportFault | 'foreign_domain' | 'too_many_reports' | 'too_slow' | 'not_read'

/** The text of each refusal for the user. */
export const refusalMessages: Readonly<Record<ReportRefusal, string>> = {
  not_a_report:
    'The file is no DMARC report. Send the XML file of an aggregate report, or the gzip or ZIP file that contains it.',
  broken_archive: 'The archive is incomplete, encrypted or damaged. Send the file as it was attached to the mail.',
  no_report_in_archive: 'The ZIP file contains no file.',
  several_files: 'The ZIP file contains more than one file. Send one report at a time.',
  too_large: 'The report is larger than 100 MiB when it is unpacked.',
  doctype: 'The file has a DTD (<!DOCTYPE>). Reports need none, and files with one are not read.',
  entity: 'The file uses an entity that XML does not define. Such files are not read.',
  not_well_formed: 'The file is not well-formed XML. It may be cut.',
  too_deep: 'The elements of the file are nested too deep for a report.',
  too_many_rows: 'The report has more than 50,000 rows.',
  text_too_long: 'A text or tag of the file is too long for a report.',
  missing: 'This element is missing or empty.',
  invalid: 'The value of this element is not valid.',
  ends_before_begin: 'The report ends before it begins.',
  in_the_future: 'The report ends in the future.',
  longer_than_a_year: 'The report covers more than a year.',
  foreign_domain: 'The report is about a domain that no sending account and no tracking domain of this account uses.',
  too_many_reports: 'This domain has more than 300 reports within a day. Try again tomorrow.',
  too_slow: 'Reading the report took too long.',
  not_read: 'The report could not be read.',
}
