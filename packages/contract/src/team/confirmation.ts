import { z } from 'zod'
import { namedObject } from '../common.ts'

/** The refusal of an empty or missing proof. The console shows it next to the field. */
export const confirmationMissing = 'Enter your password or a code from your authenticator.'

/** A person proves again who they are: with the password, or with a code of the authenticator or a recovery code. */
export const confirmation = namedObject('Confirmation', {
  password: z.string().min(1, confirmationMissing).max(1000).optional(),
  code: z.string().trim().min(1).max(40).optional(),
})
export type Confirmation = z.infer<typeof confirmation>

const sends =
  'sends `confirm` with their password or a code from their authenticator. Without it, or with a wrong one, the response is 400. ' +
  'A key sends none.'

export const confirmText = `a signed-in user ${sends}`

/** Also for operations that a sign-in within the last ten minutes proves enough. */
export const oldSessionText = `a user who signed in more than ten minutes ago ${sends}`
