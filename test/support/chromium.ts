/** The browser of the tests: its headless shell, where there is one, takes half the processor time of the whole browser. */
import { findProgram } from './programs.ts'

export function findChromium(): string {
  return findProgram({
    names: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    debian: ['chromium-headless-shell', 'chromium'],
    says: 'The tests need a browser. Install Chromium (Debian: apt-get install chromium) or name one in TEST_CHROMIUM.',
  })
}
