/** A path in BASE_URL cannot be served: pages, assets and cookies live at the root of a host. */

interface Addressed {
  readonly baseUrl: string
}

/** Null for an address at the root of its host. */
export function basePath({ baseUrl }: Addressed): string | null {
  const { pathname } = new URL(baseUrl)
  return pathname === '/' ? null : pathname
}

export function basePathSentence(settings: Addressed): string {
  return `BASE_URL ${settings.baseUrl} has the path ${basePath(settings)}, and pages, their assets and their cookies live at the root of a host: every link would lead outside of it. Give Marquee a host name of its own and set BASE_URL without a path.`
}
