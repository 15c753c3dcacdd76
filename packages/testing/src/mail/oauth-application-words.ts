import { microsoftAnswer } from './oauth-words.ts'

/** Responses that refuse logins of whole organizations, word for word, so that a double refuses like the providers. */

export type MicrosoftFault =
  | 'unknown_tenant'
  | 'unknown_application'
  | 'wrong_grant'
  | 'no_credential'
  | 'wrong_secret'
  | 'malformed_assertion'
  | 'unknown_key'
  | 'wrong_signature'
  | 'wrong_audience'
  | 'wrong_issuer'
  | 'wrong_time'
  | 'wrong_scope'

interface Named {
  tenantId: string
  clientId: string
  scope: string
}

const review =
  'Review the documentation at https://learn.microsoft.com/entra/identity-platform/certificate-credentials .'
const thumbprint = '8BDEB513EAC11E9E9DA752EB9D5087F317F6D931'

/**
 * Sources: learn.microsoft.com/entra/identity-platform/reference-error-codes for the numbers; bodies from issues of
 * Azure/azure-sdk-for-net (29007: 700027), AzureAD/microsoft-authentication-library-for-dotnet (4951: 700024, 3023: 70003),
 * databricks/databricks-sql-nodejs (226: 1002012), MicrosoftDocs/azure-docs (25959: 7000218), panva/openid-client (348: 50027).
 */
export function microsoftFault(fault: MicrosoftFault, { tenantId, clientId, scope }: Named): [number, unknown] {
  const key = (reason: string) =>
    `AADSTS700027: Client assertion contains an invalid signature. [Reason - ${reason}, Thumbprint of key used by client: ` +
    `'${thumbprint}', Please visit the Azure Portal, Graph Explorer or directly use MS Graph to see configured keys for app Id ` +
    `'${clientId}'.]`
  switch (fault) {
    case 'unknown_tenant':
      return microsoftAnswer(
        400,
        'invalid_request',
        `AADSTS90002: Tenant '${tenantId}' not found. Check to make sure you have the correct tenant ID and are signing into the ` +
          'correct cloud. Check with your subscription administrator, this may happen if there are no active subscriptions for ' +
          'the tenant.',
      )
    case 'unknown_application':
      return microsoftAnswer(
        400,
        'unauthorized_client',
        `AADSTS700016: Application with identifier '${clientId}' was not found in the directory 'Contoso'. This can happen if the ` +
          'application has not been installed by the administrator of the tenant or consented to by any user in the tenant. ' +
          'You may have sent your authentication request to the wrong tenant.',
      )
    case 'wrong_grant':
      return microsoftAnswer(
        400,
        'unsupported_grant_type',
        "AADSTS70003: The app requested an unsupported grant type 'unknown'.",
      )
    case 'no_credential':
      return microsoftAnswer(
        401,
        'invalid_client',
        "AADSTS7000218: The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
      )
    case 'wrong_secret':
      return microsoftAnswer(
        401,
        'invalid_client',
        'AADSTS7000215: Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, ' +
          `not the client secret ID, for a secret added to app '${clientId}'.`,
      )
    case 'malformed_assertion':
      return microsoftAnswer(401, 'invalid_client', 'AADSTS50027: JWT token is invalid or malformed.')
    case 'unknown_key':
      return microsoftAnswer(401, 'invalid_client', key('The key was not found.'))
    case 'wrong_signature':
      return microsoftAnswer(
        401,
        'invalid_client',
        key('The provided signature value did not match the expected signature value.'),
      )
    case 'wrong_audience':
      return microsoftAnswer(
        401,
        'invalid_client',
        `AADSTS700023: Client assertion audience claim does not match Realm issuer. ${review}`,
      )
    case 'wrong_issuer':
      return microsoftAnswer(
        401,
        'invalid_client',
        `AADSTS700021: Client assertion application identifier doesn't match 'client_id' parameter. ${review}`,
      )
    case 'wrong_time':
      return microsoftAnswer(
        401,
        'invalid_client',
        'AADSTS700024: Client assertion is not within its valid time range. Current time: 2024-10-02T22:05:03.6755165Z, assertion ' +
          `valid from 1970-01-01T00:00:00.0000000Z, expiry time of assertion 2024-10-02T21:30:53.0000000Z. ${review}`,
      )
    case 'wrong_scope':
      return microsoftAnswer(
        400,
        'invalid_scope',
        `AADSTS1002012: The provided value for scope ${scope} is not valid. Client credential flows must have a scope value with ` +
          '/.default suffixed to the resource identifier (application ID URI).',
      )
  }
}

const bad = (description: string): [number, unknown] => [
  400,
  { error: 'invalid_grant', error_description: description },
]

/**
 * Sources: developers.google.com/identity/protocols/oauth2/service-account#error-codes; bodies from issues of
 * googleapis/google-auth-library-ruby (210), googleapis/google-cloud-python (10004, 15228), googleapis/google-api-php-client
 * (1429, 1207), google/oculi (5) and hashicorp/terraform-provider-googleworkspace (228: the status 401).
 */
export const googleFaults = {
  unknownAccount: bad('Invalid grant: account not found'),
  wrongSignature: bad('Invalid JWT Signature.'),
  wrongAudience: bad('Invalid JWT: Failed audience check.'),
  wrongTime: bad(
    'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values ' +
      'and use a clock with skew to account for clock differences between systems.',
  ),
  unknownMailbox: bad('Invalid email or User ID'),
  unauthorized: [
    401,
    {
      error: 'unauthorized_client',
      error_description:
        'Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes ' +
        'requested.',
    },
  ] as [number, unknown],
} as const
