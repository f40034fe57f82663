/** The version of the package: that of the next release until it is made by `npm run release:client`. */

export const clientVersion = '0.2.0'
