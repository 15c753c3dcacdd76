import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inspectMessage } from './classify/inspect.ts'

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

test('the example of the README reads an opt-out', () => {
  // example
  const raw = Buffer.from(
    [
      'From: Ada <ada@acme.test>',
      'To: Mara <mara@run.test>',
      'Subject: Re: Invoices',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Please take me off your list.',
      '',
      'On Mon, 2 Mar 2026 at 09:00, Mara <mara@run.test> wrote:',
      '> Hello Ada, how do you send invoices?',
    ].join('\r\n'),
  )
  const { kind, reply } = inspectMessage(raw)
  // end of example
  expect([kind, reply?.text]).toEqual(['unsubscribe', 'Please take me off your list.'])
  const [, example = ''] = /\/\/ example\n([^]*?)\n {2}\/\/ end of example/.exec(read('./readme.test.ts')) ?? []
  expect(read('../README.md')).toContain(example.replaceAll(/^ {2}/gm, ''))
})
