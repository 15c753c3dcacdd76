import { z } from 'zod'
import { namedObject } from '../common.ts'

/** A person proves again who they are: with the password, or with a code of the authenticator or a recovery code. */
export const confirmation = namedObject('Confirmation', {
  password: z.string().min(1).max(1000).optional(),
  code: z.string().trim().min(1).max(40).optional(),
})
export type Confirmation = z.infer<typeof confirmation>

const sends =
  'sends `confirm` with their password or a code of their authenticator; without it, or with a wrong one, the answer is 400. ' +
  'A key sends none.'

export const confirmText = `a person who is signed in ${sends}`

/** For what a sign-in within the last ten minutes proves, too. */
export const oldSessionText = `a person who signed in more than ten minutes ago ${sends}`
