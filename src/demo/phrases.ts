/** The texts of the demo: search phrases, and reviews of pleased, annoyed and neutral people. */

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

export const reviewers = [
  'Dana K.',
  'M. Okafor',
  'Jürgen',
  'A Google User',
  'Siobhán Ní Bhriain',
  'يوسف',
  'רותם',
  '王小明',
  'pat_92',
  "Mrs. O'Neill",
  '',
]

interface Mood {
  readonly ratings: readonly [number, number]
  readonly sentiment: readonly [number, number]
  readonly headers: readonly string[]
  readonly details: readonly string[]
}

/** From the unhappiest to the happiest. */
export const moods: readonly Mood[] = [
  {
    ratings: [1, 2],
    sentiment: [-95, -40],
    headers: ['Never again', 'Very disappointed', 'Still waiting', ''],
    details: [
      'Waited 50 minutes past my appointment and nobody said a word. I left.',
      'They charged me twice and it took three calls to get my money back.',
      'Rude at the front desk. The work itself was so-so & not worth the price.',
      'I was told "tomorrow" four days in a row 😡',
    ],
  },
  {
    ratings: [3, 3],
    sentiment: [-20, 20],
    headers: ['It was fine', 'Okay', ''],
    details: [
      'Nothing special, nothing terrible. Parking is a problem.',
      'Good work, but the price was higher than what they said on the phone (1 < 2, as we know).',
      '',
      'الخدمة مقبولة لكن الانتظار طويل',
    ],
  },
  {
    ratings: [4, 5],
    sentiment: [35, 98],
    headers: ['Great', 'Highly recommended', 'Quick and friendly', '<b>Five stars</b>', ''],
    details: [
      'They took me in the same day and explained everything. Thank you!',
      'Best in the neighbourhood. We have been coming here for eight years.',
      'שירות מצוין, צוות אדיב ומקצועי. ממליצה בחום!',
      'Friendly, fast and clean 🎉🙌 — will come back.',
      '<p>Great place!</p><script>alert("hello")</script> &amp; fair prices',
      'Très bien accueilli, travail soigné.\nJe recommande.',
    ],
  },
]
