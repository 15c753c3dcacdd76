import type { Confirmation } from '@overture/contract/team/confirmation.ts'
import type { Transaction } from '../db/database.ts'
import type { RequestContext } from './route.ts'

/** What a person is told by mail after it was done in their name. */
export type ProtectionNotice =
  | 'authenticator_on'
  | 'authenticator_off'
  | 'password_changed'
  | 'role_changed'
  | 'live_admin_key_created'
  | 'mailbox_password_changed'

export type Asking = Pick<RequestContext, 'app' | 'tenant' | 'caller' | 'client' | 'requestId'>

/** For what ends a protection of an account: the person proves again who they are, and is told. */
export interface Protection {
  /** Throws unless the proof is right. A key has nothing to prove. Checks a password, so it runs outside of transactions. */
  confirm(asking: Asking, proof: Confirmation | undefined): Promise<void>
  /** Mails the person who asks, after the commit. */
  notify(asking: Asking, tx: Transaction, notice: ProtectionNotice): Promise<void>
}
