export { useSignOut, useUpdateMe } from './session.actions.ts'
export { useMe, useSignInState, type Me, type Preferences } from './session.queries.ts'
export { SignInAgain } from './sign-in-again.panel.tsx'
