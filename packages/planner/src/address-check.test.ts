import { expect, test } from 'vitest'
import { type AddressCheck, type AddressRules, judgeAddress } from './address-check.ts'

const checkedAt = new Date('2026-03-02T09:30:00.000Z')
const checks: Record<string, AddressCheck | null> = {
  never: null,
  deliverable: { result: 'deliverable', reasons: [], checkedAt },
  risky: { result: 'risky', reasons: ['catch_all'], checkedAt },
  undeliverable: { result: 'undeliverable', reasons: ['no_mx'], checkedAt },
  unknown: { result: 'unknown', reasons: [], checkedAt },
}

test.each<[AddressRules['mode'], string[]]>([
  ['off', ['never', 'deliverable', 'risky', 'undeliverable', 'unknown']],
  ['block_undeliverable', ['never', 'deliverable', 'risky', 'unknown']],
  ['block_risky', ['never', 'deliverable', 'unknown']],
  ['require', ['deliverable']],
])('the mode %s writes to addresses that are %j', (mode, passing) => {
  const rules: AddressRules = { mode, roleAddresses: 'allow' }
  const passed = Object.keys(checks).filter((name) => judgeAddress(rules, checks[name] ?? null, true).passed)
  expect(passed).toEqual(passing)
})

test('blocks the address of a function if the campaign says so', () => {
  const rules: AddressRules = { mode: 'off', roleAddresses: 'block' }
  expect(judgeAddress(rules, null, true).passed).toBe(false)
  expect(judgeAddress(rules, null, false).passed).toBe(true)
})

test('the sentence has the result, the reasons and the date', () => {
  const rules: AddressRules = { mode: 'require', roleAddresses: 'allow' }
  expect(judgeAddress(rules, checks['risky']!, false).detail).toBe(
    'The address is risky (catch_all) by the verification of 2026-03-02.',
  )
})
