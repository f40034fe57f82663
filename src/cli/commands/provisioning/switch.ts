/** `marquee switch`: turns features of a running service off and on. */

import { type Position, positionOf, setSwitch, switchNames } from '../../../model/core/switches.ts'
import type { OperatorInput, Output } from '../../command.ts'

export async function setSwitches({ caller, text }: OperatorInput): Promise<Output> {
  for (const name of switchNames) {
    const position = text(name.replaceAll('_', '-'))
    if (position !== undefined) await setSwitch(caller, name, position as Position)
  }
  const switches = await Promise.all(switchNames.map(async (name) => ({ name, position: await positionOf(caller.app, name) })))
  return { document: { switches } }
}
