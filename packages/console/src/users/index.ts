export { useSignOut, useUpdateMe } from './session.actions.ts'
export { useMe, useSignInState } from './session.queries.ts'
export { SignInAgain } from './sign-in-again.panel.tsx'
export { PermissionsPanel } from './permissions.panel.tsx'
