/** What people write in the demo: sentences of pleased, neutral and annoyed customers by trade, and names in three languages. */

import type { Trade } from './phrases.ts'

export const reviewers = [
  'Dana K.',
  'Marcus Okafor',
  'Jill Petersen',
  'Siobhán Ní Bhriain',
  'María Gutiérrez',
  'Łukasz Nowak',
  'pat_92',
  "Mrs. O'Neill",
  'Tom Albright',
  'Grace Lindqvist',
  'Andrzej W.',
  'Beatriz Peña',
  'A Google User',
  'Kelly Tran',
  'Ray Donahue',
  'Inés Castellano',
  'Priya S.',
  'Walter Jünger',
  'Zofia Wiśniewska',
  'Hank M.',
  'Rosalind Achebe',
  'Chris V.',
  'Elena Navarro',
  'Bill Szymański',
] as const

interface Mood {
  readonly ratings: readonly [number, number]
  readonly sentiment: readonly [number, number]
  readonly headers: readonly string[]
  /** Fits every trade. */
  readonly details: readonly string[]
}

/** From the unhappiest to the happiest. */
export const moods: readonly Mood[] = [
  {
    ratings: [1, 2],
    sentiment: [-95, -40],
    headers: ['Never again', 'Very disappointed', 'Still waiting', ''],
    details: [
      'Nobody called me back, although I left two messages.',
      'They charged me twice, and it took three calls to get my money back.',
      'Rude at the front desk.',
      'I was told "tomorrow" four days in a row.',
      'The price at the end was not the price on the phone.',
      'No me devolvieron la llamada.',
    ],
  },
  {
    ratings: [3, 3],
    sentiment: [-20, 20],
    headers: ['It was fine', 'Okay', ''],
    details: [
      'Nothing special, nothing terrible.',
      'Parking is a problem.',
      'Good in the end, but it took longer than they said.',
      'A bit more expensive than others nearby.',
      'Friendly people, but very busy on Saturdays.',
      'Poprawnie, ale bez rewelacji.',
    ],
  },
  {
    ratings: [4, 5],
    sentiment: [35, 98],
    headers: ['Great', 'Highly recommended', 'Quick and friendly', 'Thank you', '', ''],
    details: [
      'We have been coming here for eight years.',
      'They took their time and explained everything.',
      'Fair price, and no surprises.',
      'Easy to book online.',
      'My neighbor sent me here, and I will send others.',
      'Everybody was friendly, from the door to the end.',
      'Muy amables y muy profesionales.',
      'Polecam, świetna obsługa.',
    ],
  },
]

/** What only customers of the trade would say, for each mood from the unhappiest to the happiest. */
export const tradeSentences: Readonly<Record<Trade, readonly [readonly string[], readonly string[], readonly string[]]>> = {
  dental: [
    [
      'Waited 50 minutes past my appointment and left.',
      'The crown came off after two weeks.',
      'My insurance was billed for a cleaning I never had.',
      'It hurt for days, and they did not see me again before Monday.',
    ],
    [
      'The cleaning was thorough, the waiting room was full.',
      'Good dentist, slow reception.',
      'The whitening helped a little.',
      'X-rays again, although mine were from March.',
    ],
    [
      'They took me in the same day with a broken tooth.',
      'The first root canal that I did not feel.',
      'My son is no longer afraid of the dentist.',
      'Dr. Ames is gentle and tells you what she does.',
      'My implant looks like my own tooth.',
      'In and out in thirty minutes for a cleaning.',
    ],
  ],
  bakery: [
    [
      'The birthday cake had the wrong name on it.',
      'Sold out of bread at nine in the morning.',
      'The croissants were from yesterday.',
      'Our order for the wedding came an hour late.',
    ],
    [
      'Good bread, long line.',
      'The coffee is better than the cake.',
      'Nice place, few tables.',
      'The gluten free loaf was dry, the rest was good.',
    ],
    [
      'The sourdough has a crust you can hear.',
      'They made our wedding cake, and the guests still talk about it.',
      'Best croissants on this side of town.',
      'Warm rolls at seven in the morning, every day.',
      'They remembered my order the second time.',
      'The catering for forty people was on time and delicious.',
    ],
  ],
  repair: [
    [
      'The same noise was back the next day.',
      'They replaced the battery, and it was the alternator.',
      'My car stood there for a week without a word.',
      'Scratches on the door that were not there before.',
    ],
    [
      'The oil change took two hours.',
      'They fixed it at the second try.',
      'The tires are fine, the waiting room is cold.',
      'They found more to repair than I had come for.',
    ],
    [
      'They showed me the worn part before they changed it.',
      'Brakes done by noon, as promised.',
      'Told me honestly that it did not need the repair.',
      'Towed me at night, and the car was ready on Friday.',
      'Passed inspection the same day.',
      'No other shop found the leak; they did in an hour.',
    ],
  ],
  clinic: [
    [
      'Two hours in the waiting room with a fever.',
      'My results were sent to somebody else.',
      'The doctor was in the room for three minutes.',
      'They lost my referral.',
    ],
    [
      'The flu shot was quick, the paperwork was not.',
      'Competent, but in a hurry.',
      'Clean rooms, long wait.',
      'The physical therapy helped somewhat.',
    ],
    [
      'Seen within ten minutes, without an appointment.',
      'The nurse found the vein at the first try.',
      'The doctor listened, and called me the next day.',
      'Good with small children.',
      'My results were there the same evening.',
      'The therapist got me back on my feet in six weeks.',
    ],
  ],
}

/** Of a site whose customers have begun to complain about one thing. */
export const complaints = [
  'Called five times this week, nobody answers the phone.',
  'Their online booking shows free times that do not exist.',
  'My appointment was moved twice without asking me.',
  'An hour late, and no apology.',
] as const
