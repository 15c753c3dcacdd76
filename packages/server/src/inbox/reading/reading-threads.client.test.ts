import { afterEach, describe, expect, test } from 'vitest'
import type { ReaderFault } from '@overture/testing/inbox/faulty-reader.thread.ts'
import { createLogger } from '../../platform/log.shell.ts'
import { createReadingThreads, type ReadingThreads, type ReadingThreadsOptions } from './reading-threads.client.ts'
import { readMessage } from '@overture/mail-reading/reading/read-message.ts'

const hostile = new URL(import.meta.resolve('@overture/testing/inbox/faulty-reader.boot.mjs'))
const broken = new URL(import.meta.resolve('@overture/testing/inbox/broken-reader.boot.mjs'))

const opened: ReadingThreads[] = []
function open(options: Partial<ReadingThreadsOptions> = {}): ReadingThreads {
  const threads = createReadingThreads({
    log: createLogger('silent'),
    secondsMax: 60,
    mebibytesMax: 128,
    threadsMax: 2,
    ...options,
  })
  opened.push(threads)
  return threads
}
afterEach(async () => {
  for (const threads of opened.splice(0)) await threads.stop()
})

const mail = (fault: ReaderFault) => Buffer.from(`From: a@b.test\nX-Fault: ${fault}\n\nHi`)
const harmless = { outcome: 'set_aside', reason: 'empty' }

describe('mail that a reading thread reads', () => {
  test('gives the same result as reading it here', async () => {
    const threads = open()
    const messages = [
      'From: Ada <ada@there.test>\nSubject: =?utf-8?q?Caf=C3=A9?=\nIn-Reply-To: <a@b.test>\n\nYes.\n> No?',
      'From: MAILER-DAEMON@there.test\nSubject: failure notice\n\n<x@there.test>: 550 5.1.1 user unknown',
      'From: a@b.test\nContent-Type: text/calendar\n\nBEGIN:VCALENDAR\nMETHOD:REPLY\nBEGIN:VEVENT\nUID:1\nDTSTART:20260401T100000Z',
      '',
    ].map((text) => Buffer.from(text))
    const readings = await Promise.all([...messages, ...messages].map((raw) => threads.read(raw)))
    expect(readings).toEqual([...messages, ...messages].map((raw) => readMessage(raw)))
  })

  test('gives its attachments and reports missing ones', async () => {
    const threads = open()
    const raw = Buffer.from('From: a@b.test\nContent-Type: application/pdf\n\nx')
    expect(await threads.readAttachment(raw, 1)).toEqual({ outcome: 'read', content: new Uint8Array(Buffer.from('x')) })
    expect(await threads.readAttachment(raw, 2)).toEqual({ outcome: 'missing' })
    expect(await threads.readAttachment(Buffer.from(''), 1)).toEqual(harmless)
  })

  test("whose attachment can't be read is set aside, and the next one is read", async () => {
    const threads = open({ boot: hostile, secondsMax: 0.2 })
    expect(await threads.readAttachment(mail('loop'), 1)).toEqual({ outcome: 'set_aside', reason: 'too_slow' })
    expect(await threads.readAttachment(mail('none'), 1)).toEqual(harmless)
  })

  test.each<[string, ReaderFault, string]>([
    ['runs in circles', 'loop', 'too_slow'],
    ['tries a pattern without end', 'pattern', 'too_slow'],
    ['takes all memory', 'memory', 'out_of_memory'],
    ['throws', 'throw', 'reader_failed'],
    ['ends its thread', 'exit', 'reader_failed'],
  ])('that %s is set aside, and the next one is read', async (_, fault, reason) => {
    const threads = open({ boot: hostile, secondsMax: reason === 'too_slow' ? 0.2 : 60, mebibytesMax: 16 })
    expect(await threads.read(mail(fault))).toEqual({ outcome: 'set_aside', reason })
    expect(await threads.read(mail('none'))).toEqual(harmless)
  })

  test('blocks no other message, even if many are hostile', async () => {
    const threads = open({ boot: hostile, secondsMax: 0.2 })
    const faults: ReaderFault[] = ['loop', 'none', 'throw', 'none', 'exit', 'none', 'loop', 'none', 'none']
    const readings = await Promise.all(faults.map((fault) => threads.read(mail(fault))))
    expect(readings.map((reading) => ('reason' in reading ? reading.reason : null))).toEqual(
      faults.map((fault) => (fault === 'loop' ? 'too_slow' : fault === 'none' ? 'empty' : 'reader_failed')),
    )
  })

  test('is not set aside if no thread can be started, so it can be tried again', async () => {
    const threads = open({ boot: broken })
    await expect(threads.read(mail('none'))).rejects.toThrow('No such module.')
    await expect(threads.read(mail('none'))).rejects.toThrow('No such module.')
  })

  test('is rejected after a stop', async () => {
    const threads = open({ boot: hostile })
    const reading = expect(threads.read(mail('loop'))).rejects.toThrow('not read any more')
    const next = expect(threads.read(mail('none'))).rejects.toThrow('not read any more')
    await threads.stop()
    await Promise.all([reading, next])
    await expect(threads.read(mail('none'))).rejects.toThrow('not read any more')
  })
})
