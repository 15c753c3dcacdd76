import { z } from 'zod'

const recipientsMax = 10_000_000

export const dailyExternalRecipients = z
  .number()
  .int()
  .min(1)
  .max(recipientsMax)
  .nullable()
  .meta({
    description:
      'Recipients per day in UTC that the sending accounts share. Every recipient counts, those of the own organization included. ' +
      'Null: no shared limit.',
  })

export const recipientBudget = {
  dailyExternalRecipients,
  suggestedDailyExternalRecipients: z
    .number()
    .int()
    .nullable()
    .meta({
      description:
        "Microsoft's limit of external recipients per day, 500 × licences^0.7 + 9,500, with one licence per sending account at " +
        'Microsoft 365. The organization may have more licences; a trial has 5,000 recipients. Null without such an account.',
    }),
}
