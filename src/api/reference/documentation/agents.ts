/** The tools for agents at `/mcp`, and how to connect an agent. */

import type { Block } from '../../../lib/document.ts'

export function agentBlocks(): Block[] {
  return [
    { heading: 'Agents', level: 1 },
    {
      text: 'Agents that use the Model Context Protocol (MCP) find a tool for each endpoint at `/mcp`: `createUser`, `listSites`, `seoReport`. The names, arguments and answers are those of the API, and so are permissions, limits and [errors](errors). A key sees the tools of its scopes; key and password are needed.',
    },
    { heading: 'Connect over HTTP', level: 2 },
    {
      text: 'The transport is streamable HTTP without sessions. Give the agent the address and an `Authorization` header with the key and its password, as for every request.',
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
    { heading: 'Large answers', level: 2 },
    { text: 'An answer is at most 256 KiB. Ask for fewer sites or days if a report is larger. Lists continue with `after`.' },
  ]
}
