import { describe, expect, test } from 'vitest'
import { findReportFile } from './report-mail.ts'

const subject = 'Report Domain: run.test Submitter: google.example.com Report-ID: <1234>'
const name = 'google.example.com!run.test!1763596800!1763683199.xml.gz'
const file = (filename: string, contentType = 'application/gzip') => ({ filename, contentType, size: 1, isLast: true })

describe('a mail with an aggregate report', () => {
  test.each<[string, string, ReturnType<typeof file>[], number | null]>([
    ['has a file with the name of the RFC', 'Your report', [file(name)], 1],
    ['has an id in the name', 'Your report', [file('a.test!run.test!1!2!x7f.zip', 'application/zip')], 1],
    ['has the subject of the RFC', subject, [file('report.xml', 'text/xml')], 1],
    ['has a mark before the subject', `[Preview] ${subject}`, [file('r.gz', 'application/octet-stream')], 1],
    ['has a text before the file', subject, [file('logo.png', 'image/png'), file(name)], 2],
    ['is not one with the subject alone', subject, [], null],
    ['is not one with another file', subject, [file('report.pdf', 'application/pdf')], null],
    ['is not one with a file that only looks so', 'Invoice', [file('invoice.xml', 'text/xml')], null],
    ['is not one with a name for another type', 'Invoice', [file(name, 'image/png')], null],
    ['is not a reply with such a subject', `Re: ${subject}`, [file('report.xml', 'text/xml')], null],
  ])('%s', (_, subjectText, attachments, expected) => {
    expect(findReportFile({ subject: subjectText, attachments })).toBe(expected)
  })
})
