/** What is known of the tables of a database: their columns and keys. */

/** The kinds of columns that both engines have. */
export type ColumnKind = 'integer' | 'text' | 'bytes' | 'real'

export interface KnownColumn {
  /** The class of its type; a type of another class is named as the database names it. */
  readonly kind: string
  readonly isNullable: boolean
}

export interface KnownTable {
  readonly columns: Map<string, KnownColumn>
  /** The columns of each key in which no two rows are alike, the primary key among them. Their order says nothing. */
  readonly keys: (readonly string[])[]
}

export type TableMap = ReadonlyMap<string, KnownTable>
