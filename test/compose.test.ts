import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const file = readFileSync(new URL('../compose.yaml', import.meta.url), 'utf8')
const [, services = ''] = /^services:\n([\s\S]*?)^\S/m.exec(file) ?? []
const parts = services.split(/^ {2}(?=\w+:$)/m).filter((part) => /^\w+:/.test(part))

test('whatever ends a service it comes back, its health is looked at, and neither memory nor time to stop is left to chance', () => {
  expect(parts.map((part) => part.slice(0, part.indexOf(':')))).toEqual(['postgres', 'overture'])
  for (const part of parts) {
    const has = (name: string) => new RegExp(`^ {4}${name}:`, 'm').test(part)
    const kept = ['restart', 'healthcheck', 'mem_limit', 'stop_grace_period']
    expect([part.split('\n')[0], kept.filter(has)]).toEqual([part.split('\n')[0], kept])
    expect(part).toMatch(/^ {4}restart: (?:unless-stopped|always)$/m)
  }
  const own = parts[1] ?? ''
  expect(own).toMatch(/127\.0\.0\.1:3000\/readyz/)
  expect(own).toMatch(/^ {8}USER node$/m)
})

test('what an operator has to choose for safety can be chosen there', () => {
  const names = ['OVERTURE_ENCRYPTION_KEY', 'OVERTURE_PUBLIC_URL', 'OVERTURE_METRICS_TOKEN', 'OVERTURE_DRAIN_SECONDS']
  const retention = ['OVERTURE_MESSAGE_RETENTION_DAYS', 'OVERTURE_EVENT_RETENTION_DAYS']
  for (const name of [...names, ...retention]) expect(file).toContain(`${name}: \${${name}:`)
})

test('nothing is open to a network or has a known password unless the operator says so', () => {
  expect(file).not.toMatch(/:-overture\}/)
  expect(file.match(/\$\{POSTGRES_PASSWORD:\?/g)).toHaveLength(2)
  const own = parts[1] ?? ''
  expect(own).toMatch(/^ {6}- '\$\{OVERTURE_BIND:-127\.0\.0\.1\}:3000:3000'$/m)
  expect(own).toMatch(/^ {4}cap_drop: \[ALL\]$/m)
  expect(own).toMatch(/^ {4}security_opt: \['no-new-privileges:true'\]$/m)
})
