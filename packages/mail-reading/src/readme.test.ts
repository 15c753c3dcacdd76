import { expect, test } from 'vitest'
import { readmeExample } from '@overture/testing/docs/readme-example.ts'
import { inspectMessage } from './classify/inspect.ts'

test('the example in the README reads an opt-out', () => {
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
  expect([kind, reply?.text]).toEqual(['unsubscribe', 'Please take me off your list.'])
})

test('this file contains the example from the README', () => {
  const { blocks, missing } = readmeExample(new URL('../README.md', import.meta.url), new URL(import.meta.url))
  expect(blocks).toHaveLength(1)
  expect(missing).toEqual([])
})
