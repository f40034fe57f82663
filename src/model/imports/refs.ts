/** What an import is for, and what it refers to: sites, their subjects, and the pages of those. */

/** The target of an import: all accounts of a partner, one account, or one site. */
export interface Target {
  readonly partnerId: number
  readonly accountId?: number
  readonly siteId?: number
}

/** A site that comes while the import is being read. */
export interface SiteToCome {
  readonly id: number
  readonly account_id: number
  readonly domain: string
  /** In a dry run it is not, and its id is a placeholder. */
  readonly isStored: boolean
}

/** A reference with the id 0 does not exist yet; it gets its id when the import is stored. */
export interface SiteRef {
  readonly index: number
  id: number
  readonly account_id: number
  readonly domain: string
  readonly business: string
  /** Whether a record refers to it that is good. */
  isUsed: boolean
  subjects: ReadonlyMap<string, SubjectRef>
  hasLocation: boolean
}

export interface SubjectRef {
  readonly index: number
  id: number
  readonly site: SiteRef
  readonly domain: string
  isUsed: boolean
  /** Maps a phrase to the keyword's index in `keywordIds`. */
  keywords: ReadonlyMap<string, number>
  /** Maps source and address to the page. */
  pages: ReadonlyMap<string, PageRef>
  hasKeywordsLoaded: boolean
  hasPagesLoaded: boolean
}

export interface PageRef {
  readonly index: number
  id: number
  readonly isNew: boolean
  isUsed: boolean
  readonly subject: SubjectRef
  readonly source: string
  readonly page_url: string
}
