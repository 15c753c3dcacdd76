import { z } from 'zod'
import { providerMatchings, recipientProviders } from '../vocabularies.ts'

export const recipientProvider = z.enum(recipientProviders).meta({ id: 'RecipientProvider' })
export type RecipientProvider = z.infer<typeof recipientProvider>

export const providerMatching = z.enum(providerMatchings).meta({
  description:
    'Whether the sender of a first message is at the mail provider of the recipient. `prefer`: if such a sender can send today. ' +
    '`strict`: the lead waits for one. The providers `gateway`, `other` and `unknown` match every sender.',
})
