/** Countries as tools write them: by codes of two or three letters, or by their English names. */

/** The three letters of ISO 3166-1, and its two. */
const codes = `
  afgaf alaax albal dzadz asmas andad agoao aiaai ataaq atgag argar armam abwaw ausau autat azeaz bhsbs bhrbh bgdbd brbbb blrby belbe blzbz
  benbj bmubm btnbt bolbo besbq bihba bwabw bvtbv brabr iotio brnbn bgrbg bfabf bdibi cpvcv khmkh cmrcm canca cymky cafcf tcdtd chlcl chncn
  cxrcx cckcc colco comkm cogcg codcd cokck cricr civci hrvhr cubcu cuwcw cypcy czecz dnkdk djidj dmadm domdo ecuec egyeg slvsv gnqgq erier
  estee swzsz ethet flkfk frofo fjifj finfi frafr gufgf pyfpf atftf gabga gmbgm geoge deude ghagh gibgi grcgr grlgl grdgd glpgp gumgu gtmgt
  ggygg gingn gnbgw guygy htiht hmdhm vatva hndhn hkghk hunhu islis indin idnid irnir irqiq irlie imnim isril itait jamjm jpnjp jeyje jorjo
  kazkz kenke kirki prkkp korkr kwtkw kgzkg laola lvalv lbnlb lsols lbrlr lbyly lieli ltult luxlu macmo mdgmg mwimw mysmy mdvmv mliml mltmt
  mhlmh mtqmq mrtmr musmu mytyt mexmx fsmfm mdamd mcomc mngmn mneme msrms marma mozmz mmrmm namna nrunr nplnp nldnl nclnc nzlnz nicni nerne
  ngang niunu nfknf mkdmk mnpmp norno omnom pakpk plwpw pseps panpa pngpg prypy perpe phlph pcnpn polpl prtpt pripr qatqa reure rouro rusru
  rwarw blmbl shnsh knakn lcalc mafmf spmpm vctvc wsmws smrsm stpst sausa sensn srbrs sycsc slesl sgpsg sxmsx svksk svnsi slbsb somso zafza
  sgsgs ssdss espes lkalk sdnsd sursr sjmsj swese chech syrsy twntw tjktj tzatz thath tlstl tgotg tkltk tonto ttott tuntn turtr tkmtm tcatc
  tuvtv ugaug ukrua areae gbrgb usaus umium uryuy uzbuz vutvu venve vnmvn vgbvg virvi wlfwf esheh yemye zmbzm zwezw
`

const byCode = new Map(
  codes
    .trim()
    .split(/\s+/)
    .flatMap((pair) => [
      [pair.slice(0, 3), pair.slice(3)],
      [pair.slice(3), pair.slice(3)],
    ]),
)

const others: Readonly<Record<string, string>> = {
  uk: 'gb',
  turkey: 'tr',
  'czech republic': 'cz',
  'ivory coast': 'ci',
  'hong kong': 'hk',
  macau: 'mo',
}

let byName: ReadonlyMap<string, string> | undefined

/** The two letters of a country, in lower case; undefined for what is no country. */
export function countryOf(text: string): string | undefined {
  const name = plain(text)
  byName ??= new Map([...new Set(byCode.values())].map((code) => [plain(englishNames.of(code.toUpperCase()) ?? ''), code]))
  return byCode.get(name) ?? others[name] ?? byName.get(name)
}

const englishNames = new Intl.DisplayNames(['en'], { type: 'region' })

/** Names are written with "and" or "&", and with or without accents. */
function plain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f.]/g, '')
    .replace(/\s*&\s*/g, ' and ')
    .replace(/^the /, '')
}
