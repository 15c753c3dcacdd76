import type { Reader } from './environment.ts'
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
    passwords: read.choice('OVERTURE_PASSWORD_LOGIN', ['on', 'off']) !== 'off',
    passwordMebibytes: read.integer('OVERTURE_PASSWORD_MEBIBYTES', { min: 1, max: 1024 }) ?? 64,
    oidc: readOidc(read),
  }
  if (!config.passwords && read.text('OVERTURE_OIDC_ISSUER') === null)
    read.problems.push('OVERTURE_PASSWORD_LOGIN: without OVERTURE_OIDC_ISSUER nobody could sign in.')
  return config
}
