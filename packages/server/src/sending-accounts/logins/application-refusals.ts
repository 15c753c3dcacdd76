import type { OAuthProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'

/** A provider's refusal of a login for a whole organization. */
interface ApplicationRefusal {
  provider: OAuthProvider
  /** Microsoft's number, or the OAuth error. */
  code: string
  /** Text that the description must contain too. */
  words?: RegExp
  /** Whether the refusal is about one mailbox and not about the whole connection. */
  mailbox?: true
  advice: string
}

const newSecret = 'Create a new client secret in Entra and connect the organization again with its value.'
const newKey = 'Create a new JSON key of the service account and connect the organization again with it.'
const checkTenant = 'Check the directory (tenant) id of the connection.'
const checkClient =
  'Check the application (client) id, and let an administrator of the tenant consent to the application.'
const uploadCertificate =
  'Upload the certificate of the connection to the application in Entra, under Certificates & secrets.'
const setClock = 'The clock of this server is wrong. Ask the server operator to set the time.'
const authorizeClient =
  'Authorize the client id of the service account for https://mail.google.com/ in the Google Admin console, under Manage ' +
  'Domain Wide Delegation. Google may need up to 24 hours.'

/**
 * Sources: learn.microsoft.com/entra/identity-platform/reference-error-codes and
 * developers.google.com/identity/protocols/oauth2/service-account#error-codes. The first match counts.
 */
const applicationRefusals: readonly ApplicationRefusal[] = [
  microsoft('7000215', `Enter the value of the client secret, not its id. ${newSecret}`),
  microsoft('7000222', `The client secret of the connection has expired. ${newSecret}`),
  microsoft('700016', checkClient),
  microsoft('7000229', checkClient),
  microsoft('650052', checkClient),
  microsoft('7000112', 'Enable the application in Entra, under Enterprise applications.'),
  microsoft('90002', checkTenant),
  microsoft('900023', checkTenant),
  microsoft('700027', uploadCertificate),
  microsoft('700021', uploadCertificate),
  microsoft('50027', uploadCertificate),
  microsoft('700024', setClock),
  microsoft('53003', 'Let the application pass conditional access for workload identities in Entra.'),
  google('unauthorized_client', authorizeClient),
  google('access_denied', authorizeClient),
  google('invalid_scope', authorizeClient),
  google('admin_policy_enforced', 'Let the application pass API controls in the Google Admin console.'),
  google('invalid_grant', `The key was deleted or replaced. ${newKey}`, { words: /^Invalid JWT Signature/ }),
  google('invalid_grant', setClock, { words: /short-lived token/ }),
  google('invalid_grant', 'The service account was deleted or disabled. Enable it in Google Cloud.', {
    words: /account not found/,
  }),
  google('invalid_grant', 'Google knows no mailbox with this address in the organization.', {
    words: /Invalid email or User ID|Not a valid email/,
    mailbox: true,
  }),
  google('invalid_grant', newKey),
  google('invalid_client', newKey),
  google('disabled_client', 'The service account was deleted or disabled. Enable it in Google Cloud.'),
  { provider: 'microsoft', code: 'invalid_client', advice: newSecret },
  { provider: 'microsoft', code: 'unauthorized_client', advice: checkClient },
]

/** Returns the refusal that matches the provider's text, or null. `number` is Microsoft's number in the description. */
export function findApplicationRefusal(
  provider: OAuthProvider,
  { error, description, number }: { error: string; description: string; number: string | undefined },
): ApplicationRefusal | null {
  const found = applicationRefusals.find(
    (one) =>
      one.provider === provider &&
      (one.code === error || (number !== undefined && one.code === `AADSTS${number}`)) &&
      (one.words === undefined || one.words.test(description)),
  )
  return found ?? null
}

/** The advice of all refusals, to find it at the end of a stored text. */
export const applicationAdvice: readonly string[] = applicationRefusals.map(({ advice }) => advice)

function microsoft(number: string, advice: string): ApplicationRefusal {
  return { provider: 'microsoft', code: `AADSTS${number}`, advice }
}

function google(
  code: string,
  advice: string,
  narrower: Pick<ApplicationRefusal, 'words' | 'mailbox'> = {},
): ApplicationRefusal {
  return { provider: 'google', code, advice, ...narrower }
}
