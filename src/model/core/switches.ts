/** Switches: features that the operator can turn off in a running service. Each request that depends on one reads it. */

import type { Param } from '../../store/store.ts'
import { type App, perApp } from './app.ts'
import { audit } from './audit.ts'
import type { OperatorCaller } from './caller.ts'
import { change } from './transaction.ts'

export const switchNames = ['get_actions'] as const
export type Switch = (typeof switchNames)[number]
export type Position = 'on' | 'off'

/** Off if either the settings or the operator turned it off. */
export async function isOn(app: App, name: Switch): Promise<boolean> {
  return app.settings.getActions === 'on' && (await positionOf(app, name)) === 'on'
}

export async function setSwitch(caller: OperatorCaller, name: Switch, position: Position): Promise<void> {
  const before = await positionOf(caller.app, name)
  if (before === position) return
  await change(caller, async (tx) => {
    const row = { name: `switch:${name}`, value: position }
    const facts = tx.insertInto('facts').values(row)
    await facts.onConflict((on) => on.column('name').doUpdateSet({ value: position })).execute()
    await audit(tx, caller, `switch.${name}`, { id: null }, { before: { position: before }, after: { position } })
  })
}

export async function positionOf(app: App, name: Switch): Promise<Position> {
  const [row] = await factNamed(app)({ name: `switch:${name}` })
  return row?.value === 'off' ? 'off' : 'on'
}

const factNamed = perApp(({ store }) =>
  store.prepare((db, param: Param<{ name: string }>) => db.selectFrom('facts').select('value').where('name', '=', param('name'))),
)
