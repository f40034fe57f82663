/** XML schemas, one for each answer: `/schema/user.xsd`, `/schema/seo-report.xsd`. Three answers share the root `account`, so schemas have names of their own. */

import { isList } from '../../fields/shape.ts'
import { schemaText, xsdOf } from '../../fields/to-xsd.ts'
import type { Content } from '../endpoint.ts'
import { endpoints } from '../endpoints.ts'
import { contentsOf, recordOf, shapeIn } from './named-records.ts'

/** The schemas by name, in the order of the endpoints; each is written when it is called for. */
export function xmlSchemas(): ReadonlyMap<string, () => string> {
  const written = [...answers()].map(([name, content]) => [name, () => xsdOf(content.root, content.of, aboutOf(content))] as const)
  return new Map([...written, errors])
}

export function schemaNames(): string[] {
  return [...answers().keys(), errors[0]]
}

function answers(): Map<string, Content> {
  return new Map(endpoints.flatMap(contentsOf).map((content) => [schemaName(content), content]))
}

/** Lists are named by their root, records by their name in the documentation. */
export function schemaName(content: Content): string {
  return isList(content.of) ? content.root : kebab(recordOf(shapeIn(content)).name)
}

function aboutOf(content: Content): string {
  const { name } = recordOf(shapeIn(content))
  return `${isList(content.of) ? `A list of ${name}` : name}, as it is answered in XML.`
}

function kebab(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
}

const errors: readonly [string, () => string] = [
  'errors',
  () =>
    schemaText(
      'What every refusal answers in XML.',
      `<xs:element name="errors">
  <xs:complexType>
    <xs:sequence>
      <xs:element name="error" maxOccurs="unbounded">
        <xs:complexType>
          <xs:simpleContent>
            <xs:extension base="xs:string">
              <xs:attribute name="code" type="xs:NMTOKEN" use="required"/>
              <xs:attribute name="field" type="xs:NMTOKEN"/>
            </xs:extension>
          </xs:simpleContent>
        </xs:complexType>
      </xs:element>
    </xs:sequence>
  </xs:complexType>
</xs:element>
`,
    ),
]
