/** The version of the product, as in every package.json. */
export const version = '0.1.0'
