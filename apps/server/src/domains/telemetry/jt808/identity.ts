import { canonicalPlate } from '@zhugong/contract/kit/plate'
import type { Registration } from './bodies.ts'

/** What is known of a terminal before it registers: from the file of its device, and from its first registration. */
export interface KnownTerminal {
  /** Of the vehicle's file; goes before the bound one. */
  plate: string | undefined
  /** Of the file, where somebody has entered it. */
  terminalId: string | undefined
  /** What registered first; undefined while nothing has, or while another terminal is to take its place. */
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

/** Whether a registration is of another vehicle or terminal than the known one. Undefined: it is the same as far as is known. */
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
  // A terminal whose id stands in the file may have been exchanged there: then the file holds.
  if (!known.terminalId && bound.terminalId !== given.terminalId) return other(bound.terminalId, '已绑定终端')
  // The editions give makers of different lengths.
  if (!known.terminalId && bound.edition === given.edition && bound.maker !== given.maker)
    return other(`${bound.terminalId}（制造商 ${bound.maker || '空'}）`, '已绑定终端')
  return undefined
}

export const closed = (isBound: boolean): Refusal => ({
  result: isBound ? registerResults.terminalRegistered : registerResults.noTerminal,
  reason: isBound ? 'registeredBefore' : 'registrationClosed',
  hint: isBound ? '终端已注册过，注册没有开放，未发鉴权码' : '注册没有开放或已过期，未发鉴权码',
})
