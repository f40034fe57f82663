/** Derives an XML Schema from a shape: the elements in order, each with its type and attributes. */

import { escapeAttribute } from '../lib/xml/xml.ts'
import type { KindName } from './kinds.ts'
import { kinds } from './kinds.ts'
import { type Field, isKeyed, isList, type Keyed, type List, type Scalar, type Shape, xmlFieldName } from './shape.ts'

/** A whole schema for documents with this root. */
export function xsdOf(root: string, of: Shape | List, about: string): string {
  const body = isList(of) ? listElement(xmlFieldName(root), of, '') : recordElement(xmlFieldName(root), of, '')
  return schemaText(about, `${body}${nullables}`)
}

/** Wraps the given elements in a schema. */
export function schemaText(about: string, elements: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="unqualified">
  <xs:annotation><xs:documentation>${escapeAttribute(about)}</xs:documentation></xs:annotation>
${elements.replace(/^(?=.)/gm, '  ')}</xs:schema>
`
}

const simpleTypes: Record<KindName, string> = {
  integer: 'xs:integer',
  float: 'xs:double',
  boolean: 'xs:boolean',
  string: 'xs:string',
  date: 'xs:date',
  datetime: 'xs:dateTime',
  timestamp: 'xs:string',
  moment: 'xs:string',
}

/** A null is written as an empty element, so a nullable number or date must allow the empty text. */
const nothing = '<xs:simpleType><xs:restriction base="xs:string"><xs:length value="0"/></xs:restriction></xs:simpleType>'

const nullables = Object.entries(simpleTypes)
  .filter(([kind]) => kind !== 'string')
  .map(([kind, type]) => `<xs:simpleType name="nullable-${kind}"><xs:union memberTypes="${type}">${nothing}</xs:union></xs:simpleType>\n`)
  .join('')

function recordElement(name: string, shape: Shape, occurs: string): string {
  return `<xs:element name="${name}"${occurs}>
  <xs:complexType>
    <xs:sequence>
${indented(fieldElements(shape), 6)}    </xs:sequence>
  </xs:complexType>
</xs:element>
`
}

function listElement(name: string, { item, of }: List, occurs: string): string {
  const each = isKeyed(of) ? keyedElement(xmlFieldName(item), of) : recordElement(xmlFieldName(item), of, many)
  return `<xs:element name="${name}"${occurs}>
  <xs:complexType>
    <xs:sequence>
${indented(each, 6)}    </xs:sequence>
    <xs:attribute name="type" type="xs:string" fixed="array" use="required"/>
  </xs:complexType>
</xs:element>
`
}

const many = ' minOccurs="0" maxOccurs="unbounded"'

/** An element whose name is data: XML Schema can require the element but cannot describe its content. */
function keyedElement(name: string, { by }: Keyed): string {
  return `<xs:element name="${name}"${many}>
  <xs:complexType>
    <xs:sequence>
      <xs:any processContents="skip"><xs:annotation><xs:documentation>named by the ${by}</xs:documentation></xs:annotation></xs:any>
    </xs:sequence>
  </xs:complexType>
</xs:element>
`
}

function fieldElements(shape: Shape): string {
  return Object.entries(shape)
    .map(([name, field]) => fieldElement(xmlFieldName(name), field))
    .join('')
}

function fieldElement(name: string, field: Field): string {
  if (field.is === 'one') return recordElement(name, field.of, '')
  return field.is === 'list' ? listElement(name, field, '') : scalarElement(name, field)
}

function scalarElement(name: string, field: Scalar): string {
  const { xmlType } = kinds[field.kind]
  const attributes = [
    ...(xmlType === null
      ? []
      : [`<xs:attribute name="type" type="xs:string" fixed="${xmlType}"${field.nullable ? '' : ' use="required"'}/>`]),
    ...(field.nullable ? ['<xs:attribute name="nil" type="xs:boolean" fixed="true"/>'] : []),
  ]
  if (attributes.length === 0) return `<xs:element name="${name}">${simpleType(field)}</xs:element>\n`
  return `<xs:element name="${name}">
  <xs:complexType>
    <xs:simpleContent>
      <xs:extension base="${baseOf(field)}">
${indented(attributes.map((attribute) => `${attribute}\n`).join(''), 8)}      </xs:extension>
    </xs:simpleContent>
  </xs:complexType>
</xs:element>
`
}

function baseOf({ kind, nullable }: Scalar): string {
  return nullable && kind !== 'string' ? `nullable-${kind}` : simpleTypes[kind]
}

function simpleType({ kind, oneOf }: Scalar): string {
  const words = oneOf?.map((word) => `<xs:enumeration value="${escapeAttribute(word)}"/>`).join('') ?? ''
  return `<xs:simpleType><xs:restriction base="${simpleTypes[kind]}">${words}</xs:restriction></xs:simpleType>`
}

function indented(text: string, spaces: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(spaces))
}
