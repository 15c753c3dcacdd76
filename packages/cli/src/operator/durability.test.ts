import fc from 'fast-check'
import { expect, test } from 'vitest'
import { durabilityRisks } from './durability.ts'

test('each setting that could make the database forget a message is told, and nothing where it keeps all', () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.boolean(),
      fc.nat(3),
      fc.constantFrom('', ' ', 'first_standby', 'ANY 1 (a, b)'),
      (fsync, fullPageWrites, standbys, synchronousStandbys) => {
        const told = durabilityRisks({ fsync, fullPageWrites, standbys, synchronousStandbys }).join('\n')
        expect(/^fsync is off/m.test(told)).toBe(!fsync)
        expect(/^full_page_writes is off/m.test(told)).toBe(!fullPageWrites)
        expect(/^no standby is synchronous/m.test(told)).toBe(standbys > 0 && synchronousStandbys.trim() === '')
        expect(told === '').toBe(fsync && fullPageWrites && (standbys === 0 || synchronousStandbys.trim() !== ''))
      },
    ),
  )
})
