import { z } from 'zod'
import { namedObject } from '../common.ts'

export const waitUnit = z.enum(['minutes', 'hours', 'days', 'business_days']).meta({ id: 'WaitUnit' })
export const wait = namedObject('Wait', { value: z.number().int().min(0).max(10_000), unit: waitUnit })
export type Wait = z.infer<typeof wait>
