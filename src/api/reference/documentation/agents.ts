/** The tools for agents at `/mcp`, and how to connect an agent. */

import type { Block } from '../../../lib/document.ts'

export function agentBlocks(): Block[] {
  return [
    { heading: 'Agents', level: 1 },
    {
      text: 'Agents that use the Model Context Protocol (MCP) find tools at `/mcp`: `listSites`, `showSiteSummary`, `createCustomer`. There is one for each endpoint; listed are those of the usual tasks, and all at `/mcp?tools=all`. One that is not listed is called by its name all the same. The names, arguments and answers are those of the API, and so are permissions, limits and [errors](errors). A key has the tools of its scopes, one with `read` those that change nothing; key and password are needed.',
    },
    { heading: 'Connect over HTTP', level: 2 },
    {
      text: 'The transport is streamable HTTP without sessions. Give the agent the address and an `Authorization` header with the key and its password, as for every request, or `Bearer KEY:PASSWORD`.',
    },
    {
      code: `{
  "mcpServers": {
    "reports": { "type": "http", "url": "https://marquee.example/mcp", "headers": { "Authorization": "Basic ..." } }
  }
}`,
      language: 'json',
    },
    { heading: 'Connect over standard input and output', level: 2 },
    { text: 'The command forwards the messages to the service. The file contains `KEY:PASSWORD` and nothing else.' },
    {
      code: `{
  "mcpServers": {
    "reports": { "command": "marquee", "args": ["mcp", "https://marquee.example", "--credentials", "key.txt"] }
  }
}`,
      language: 'json',
    },
    { heading: 'Writes need a dry run first', level: 2 },
    {
      items: [
        'Called with `dry_run: true`, a tool changes nothing, says what would happen, and returns a value for `confirm`.',
        'Called again with the same arguments and that value within ten minutes, it makes the change. A repetition does nothing twice.',
        'Without the value the call is refused, unless the operator issued the key with `--direct-writes`.',
      ],
    },
    { heading: 'Answers, documents and prompts', level: 2 },
    {
      items: [
        'An answer comes as data (`structuredContent`, described by the `outputSchema` of the tool) and as the same JSON in text. Users come without what is made of their passwords.',
        'The conventions, the [errors](errors), the import guide and the guides are resources, in Markdown.',
        'Three prompts: `onboard_customer`, `monthly_review` and `data_check`.',
      ],
    },
    { heading: 'Large answers', level: 2 },
    { text: 'An answer is at most 256 KiB. Ask for fewer sites or days if a report is larger. Lists continue with `after`.' },
  ]
}
