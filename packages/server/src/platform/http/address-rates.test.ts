import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAddressRates, sharedNetwork } from './address-rates.ts'

const rate = { name: 'page', perMinute: 6, burst: 4 }

test('an address gets its burst, then its rate, and may continue after the stated wait', () => {
  const request = fc.record({ afterMs: fc.integer({ min: 0, max: 30_000 }), address: fc.constantFrom('a', 'b') })
  fc.assert(
    fc.property(fc.array(request, { maxLength: 200 }), (requests) => {
      const rates = createAddressRates()
      const passed: { address: string; atMs: number }[] = []
      let nowMs = 0
      for (const { afterMs, address } of requests) {
        nowMs += afterMs
        const waitSeconds = rates.take(rate, address, nowMs)
        if (waitSeconds === 0) passed.push({ address, atMs: nowMs })
        else {
          const later = createCopy(requests, nowMs)
          expect(later.take(rate, address, nowMs + waitSeconds * 1000)).toBe(0)
        }
      }
      for (const { address, atMs } of passed) {
        const within = passed.filter((one) => one.address === address && one.atMs <= atMs && atMs - one.atMs < 60_000)
        expect(within.length).toBeLessThanOrEqual(rate.burst + rate.perMinute)
      }
    }),
  )
})

/** A second instance that has seen the same requests so far. */
function createCopy(requests: readonly { afterMs: number; address: string }[], untilMs: number) {
  const rates = createAddressRates()
  let nowMs = 0
  for (const { afterMs, address } of requests) {
    nowMs += afterMs
    if (nowMs > untilMs) break
    rates.take(rate, address, nowMs)
  }
  return rates
}

test('kinds of pages have separate limits, and the number of addresses is bounded', () => {
  const rates = createAddressRates()
  for (let index = 0; index < rate.burst; index++) expect(rates.take(rate, 'a', 0)).toBe(0)
  expect(rates.take(rate, 'a', 0)).toBeGreaterThan(0)
  expect(rates.take({ ...rate, name: 'other' }, 'a', 0)).toBe(0)
  for (let index = 0; index < 60_000; index++) rates.take(rate, `${index}`, 0)
  expect(rates.take(rate, 'a', 0)).toBe(0)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
  ['192.0.2.1:50123', '192.0.2.1'],
  ['[2001:db8:1:2::3]:50123', '2001:db8:1:2::/64'],
  ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s belongs to the network %s', (address, network) => expect(sharedNetwork(address)).toBe(network))
