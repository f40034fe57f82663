/** The generator of random data for property tests, drawing the same data in every `npm test`. */
import fc from 'fast-check'

const seed = process.env.HARD_SEED
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) })

export { fc }
