/** The version of this client, as in its package.json. */
export const version = '0.1.0'
