import type { Reader } from './settings/read-settings.ts'
import { readOidc, type OidcConfig } from './oidc-config.ts'

export interface SignInConfig {
  /** Off: people come by OpenID Connect alone. */
  passwords: boolean
  /** What a guess at a stolen hash costs whoever guesses, and a sign-in costs this server. */
  passwordMebibytes: number
  /** Null: there is no single sign-on. */
  oidc: OidcConfig | null
}

export function readSignIn(read: Reader): SignInConfig {
  const config = {
    passwords: read.value('OVERTURE_PASSWORD_LOGIN') === 'on',
    passwordMebibytes: read.value('OVERTURE_PASSWORD_MEBIBYTES'),
    oidc: readOidc(read),
  }
  if (!config.passwords && !read.has('OVERTURE_OIDC_ISSUER'))
    read.problems.push('OVERTURE_PASSWORD_LOGIN: without OVERTURE_OIDC_ISSUER nobody could sign in.')
  return config
}
