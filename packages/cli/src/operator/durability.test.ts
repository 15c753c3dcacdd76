import fc from 'fast-check'
import { expect, test } from 'vitest'
import { durabilityRisks } from './durability.ts'

test('each setting that risks losing messages is reported, and safe settings are not', () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.boolean(),
      fc.nat(3),
      fc.constantFrom('', ' ', 'first_standby', 'ANY 1 (a, b)'),
      (fsync, fullPageWrites, standbys, synchronousStandbys) => {
        const risks = durabilityRisks({ fsync, fullPageWrites, standbys, synchronousStandbys }).join('\n')
        expect(/^fsync is off/m.test(risks)).toBe(!fsync)
        expect(/^full_page_writes is off/m.test(risks)).toBe(!fullPageWrites)
        expect(/^no standby is synchronous/m.test(risks)).toBe(standbys > 0 && synchronousStandbys.trim() === '')
        expect(risks === '').toBe(fsync && fullPageWrites && (standbys === 0 || synchronousStandbys.trim() !== ''))
      },
    ),
  )
})
