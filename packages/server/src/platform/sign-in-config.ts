import type { Reader } from './environment.ts'

export interface SignInConfig {
  /** Off: people come by OpenID Connect alone. */
  passwords: boolean
  /** What a guess at a stolen hash costs whoever guesses, and a sign-in costs this server. */
  passwordMebibytes: number
}

export function readSignIn(read: Reader): SignInConfig {
  return {
    passwords: read.choice('OVERTURE_PASSWORD_LOGIN', ['on', 'off']) !== 'off',
    passwordMebibytes: read.integer('OVERTURE_PASSWORD_MEBIBYTES', { min: 1, max: 1024 }) ?? 64,
  }
}
