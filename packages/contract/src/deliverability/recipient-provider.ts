import { z } from 'zod'
import { recipientProviders } from '../vocabularies.ts'

export const recipientProvider = z.enum(recipientProviders).meta({ id: 'RecipientProvider' })
export type RecipientProvider = z.infer<typeof recipientProvider>
