// oxlint-disable-next-line typescript/triple-slash-reference -- a program that imports this file finds the declarations only by it
/// <reference path="./oidc-provider.d.ts" />
export { InvalidGrant, InvalidTarget } from 'oidc-provider/lib/helpers/errors.js'
export { Provider } from 'oidc-provider/lib/provider.js'
