/** What people search for in the demo, and where. */

// biome-ignore format: a table reads by its columns
export const trades = {
  dental:  ['dentist', 'emergency dentist', 'teeth whitening', 'dental implants', 'root canal', 'kids dentist', 'invisalign', 'wisdom teeth removal', 'dental cleaning'],
  bakery:  ['bakery', 'sourdough bread', 'wedding cakes', 'birthday cake delivery', 'croissants', 'gluten free bakery', 'catering', 'breakfast', 'cupcakes'],
  repair:  ['auto repair', 'brake repair', 'oil change', 'car inspection', 'tire shop', 'transmission repair', 'mechanic', 'wheel alignment', 'car battery'],
  clinic:  ['clinic', 'walk in clinic', 'flu shot', 'family doctor', 'pediatrician', 'urgent care', 'x-ray', 'physical therapy', 'blood test'],
} as const

export type Trade = keyof typeof trades

export const places = ['chicago', 'near me', 'open now', 'evanston', 'oak park', '24/7', 'best', 'cheap']

export const engines = ['Google', 'Bing', 'Yahoo'] as const
