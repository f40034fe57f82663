/** `/llms.txt`: what a language model should read first, in the form of llmstxt.org. */

import { endpoints } from '../endpoints.ts'
import { guides } from './documentation/guides.ts'
import { type ResourceName, resources } from './resources.ts'

export function llmsText(): string {
  const guideLines = Object.entries(guides).map(([slug, { title, about }]) => `- [${title}](/docs/guides/${slug}): ${about}`)
  const resourceLines = (Object.keys(resources) as ResourceName[]).map(
    (name) => `- [${resources[name].title}](/docs/${name}): ${resources[name].about}`,
  )
  const endpointLines = endpoints.map(({ method, path, summary, access }) => `- ${method} /api/${path}.json: ${summary} (scope ${access})`)
  return `# Marquee

> Self-hosted partner provisioning and reporting over HTTP: users, abilities and businesses in, SEO and reputation reports out. HTTP Basic with a partner key and its password; add .json or .xml to each path.

Read the code of an error, not its sentence. Send an Idempotency-Key with every POST and PUT. Lists go on behind Link rel="next". Wait as long as Retry-After says.

## Reference

- [OpenAPI 3.1](/openapi.json): every operation, for addresses in .json
- [OpenAPI 3.1 in XML](/openapi-xml.json): the same for addresses in .xml
- [Errors](/docs/errors): every code, its cause and its cure
- [TypeScript client](/docs/client): @marquee/client, served by this service
- [Agents](/docs/agents): the same endpoints as tools of the Model Context Protocol, at /mcp
${resourceLines.join('\n')}

## Guides

${guideLines.join('\n')}

## Endpoints

${endpointLines.join('\n')}
`
}
