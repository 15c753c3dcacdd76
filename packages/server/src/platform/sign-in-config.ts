import type { Reader } from './settings/read-settings.ts'
import { readOidc, type OidcConfig } from './oidc-config.ts'

export interface SignInConfig {
  /** If false, people can sign in only by OpenID Connect. */
  passwords: boolean
  /** The memory for hashing one password: the cost of each guess at a stolen hash, and of each sign-in on this server. */
  passwordMebibytes: number
  /** Null means no single sign-on. */
  oidc: OidcConfig | null
}

export function readSignIn(read: Reader): SignInConfig {
  const config = {
    passwords: read.value('OVERTURE_PASSWORD_LOGIN') === 'on',
    passwordMebibytes: read.value('OVERTURE_PASSWORD_MEBIBYTES'),
    oidc: readOidc(read),
  }
  if (!config.passwords && !read.has('OVERTURE_OIDC_ISSUER'))
    read.problems.push(
      'OVERTURE_PASSWORD_LOGIN: can be off only with OVERTURE_OIDC_ISSUER. Otherwise no user can sign in.',
    )
  return config
}
