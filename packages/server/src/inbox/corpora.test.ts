import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lacks } from '@overture/testing/tools.ts'

/** Folders of real mail, which are not in the repository. See docs/inbox-accuracy.md. */
const folder = process.env['OVERTURE_MAIL_CORPORA'] ?? ''
const absent = lacks('mail corpora', folder !== '' && existsSync(folder))

test.skipIf(absent)('accuracy targets are met on real mail', () => {
  const printed = execFileSync(process.execPath, ['--import', 'tsx', 'bench/inbox-accuracy.ts', folder], {
    encoding: 'utf8',
  })
  const percent = (name: string) => Number(new RegExp(`^${name}\\s.*?([\\d.]+) %`, 'm').exec(printed)?.[1])
  expect(percent('sisimai seen')).toBeGreaterThanOrEqual(98)
  expect(percent('sisimai type')).toBeGreaterThanOrEqual(97)
  expect(percent('sisimai status')).toBeGreaterThanOrEqual(90)
  expect(percent('sisimai vacation')).toBe(100)
  expect(percent('bounce_email none')).toBe(100)
  expect(percent('discourse reply text exact')).toBeGreaterThanOrEqual(85)
  expect(percent('discourse reply text kept')).toBe(100)
})
