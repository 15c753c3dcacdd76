import { expect, test } from 'vitest'
import { costlyMessages } from '@overture/testing/hostile/costly-messages.ts'
import { inspectMessage } from './classify/inspect.ts'

// `npm run bench -- growth` shows what each message costs.
test.each(costlyMessages)('%s is read or set aside within its bounds', (_name, make, setAside) => {
  expect(inspectMessage(Buffer.from(make())).setAside).toBe(setAside)
})
