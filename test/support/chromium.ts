/** The browser of the tests. */
import { findProgram } from './programs.ts'

export function findChromium(): string {
  return findProgram({
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    debian: 'chromium',
    says: 'The tests need a browser. Install Chromium (Debian: apt-get install chromium) or name one in TEST_CHROMIUM.',
  })
}
