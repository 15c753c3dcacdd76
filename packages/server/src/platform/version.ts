/** Of the product, the one in every package.json. */
export const version = '0.1.0'
