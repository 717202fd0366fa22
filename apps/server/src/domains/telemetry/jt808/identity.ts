import { canonicalPlate } from '@zhugong/contract/kit/plate'
import type { Registration } from './bodies.ts'

/** What is known of a terminal before it registers: from the device record and from its first registration. */
export interface KnownTerminal {
  /** Plate of the vehicle record; takes precedence over the bound one. */
  plate: string | undefined
  /** Terminal id of the device record, if entered. */
  terminalId: string | undefined
  /** First registration; undefined if there is none, or if the terminal is to be replaced. */
  bound: { terminalId: string; maker: string; plate: string; edition: string } | undefined
}

/** Results of 0x8100 (JT/T 808-2019, 8.5). */
export const registerResults = { done: 0, vehicleRegistered: 1, noVehicle: 2, terminalRegistered: 3, noTerminal: 4 } as const

export interface Refusal {
  result: 1 | 2 | 3 | 4
  reason: 'otherPlate' | 'otherTerminal' | 'registeredBefore' | 'registrationClosed'
  hint: string
}

const same = (a: string, b: string): boolean => canonicalPlate(a) === canonicalPlate(b)

/** Compares a registration with the known vehicle and terminal. Returns why it is refused, or undefined if it matches all that is known. */
export function strangeness(known: KnownTerminal, given: Registration): Refusal | undefined {
  const { bound } = known
  const plate = known.plate ?? bound?.plate
  if (plate && !same(plate, given.plate)) {
    const said = given.color === 0 ? `未上牌（${given.plate || '无车架号'}）` : given.plate || '空'
    return { result: registerResults.noVehicle, reason: 'otherPlate', hint: `登记的车牌是 ${plate}，终端上报 ${said}，未发鉴权码` }
  }
  const other = (expected: string, by: string): Refusal => ({
    result: bound ? registerResults.vehicleRegistered : registerResults.noTerminal,
    reason: 'otherTerminal',
    hint: `${by} ${expected || '空'}，上报的是 ${given.terminalId || '空'}（制造商 ${given.maker || '空'}），未发鉴权码`,
  })
  if (known.terminalId && known.terminalId.toUpperCase() !== given.terminalId.toUpperCase())
    return other(known.terminalId, '登记的终端 ID 是')
  if (!bound) return undefined
  // If the device record names the terminal id, it takes precedence: the terminal may have been replaced there.
  if (!known.terminalId && bound.terminalId !== given.terminalId) return other(bound.terminalId, '已绑定终端')
  // The field length of the maker differs between editions.
  if (!known.terminalId && bound.edition === given.edition && bound.maker !== given.maker)
    return other(`${bound.terminalId}（制造商 ${bound.maker || '空'}）`, '已绑定终端')
  return undefined
}

export const closed = (isBound: boolean): Refusal => ({
  result: isBound ? registerResults.terminalRegistered : registerResults.noTerminal,
  reason: isBound ? 'registeredBefore' : 'registrationClosed',
  hint: isBound ? '终端已注册过，注册没有开放，未发鉴权码' : '注册没有开放或已过期，未发鉴权码',
})
