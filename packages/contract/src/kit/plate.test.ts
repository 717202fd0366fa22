import { expect, test } from 'vitest'
import type { z } from 'zod'
import * as passages from '../monitoring/gateway/passages.ts'
import * as registry from '../monitoring/gateway/vehicle-registry.ts'
import * as fixes from '../monitoring/record-fixes.ts'
import * as vehicles from '../monitoring/vehicle/vehicles.ts'
import * as weighing from '../monitoring/weigh/weighing.ts'
import { canonicalPlate, isPlate, plateField, plateSearch, vehicleNumber, withCanonicalPlate } from './plate.ts'

const spellings = [
  '鄂A9P8Q7',
  '鄂A·9P8Q7',
  '鄂A 9P8Q7',
  '鄂a•9p8q7',
  '鄂Ａ．９Ｐ８Ｑ７',
  '鄂A-9P8Q7',
  ' 鄂A・9P8Q7\u200B',
  '\u202D鄂A9P8Q7\u202C',
  '鄂A‧9P8Q7',
]

test.each(spellings)('%j is 鄂A9P8Q7 wherever it enters', (written) => {
  expect(canonicalPlate(written)).toBe('鄂A9P8Q7')
  for (const field of [plateField, vehicleNumber, plateSearch]) expect(field.parse(written)).toBe('鄂A9P8Q7')
  expect(withCanonicalPlate({ plateNo: written }).plateNo).toBe('鄂A9P8Q7')
})

test('what a device said stands beside it where it is another', () => {
  expect(withCanonicalPlate({ plateNo: '鄂A·9P8Q7', n: 1 })).toEqual({ plateNo: '鄂A9P8Q7', plateRaw: '鄂A·9P8Q7', n: 1 })
  expect(withCanonicalPlate({ plateNo: '鄂A9P8Q7' })).toEqual({ plateNo: '鄂A9P8Q7' })
  expect(withCanonicalPlate({ plateNo: 7 })).toEqual({ plateNo: 7 })
  expect(withCanonicalPlate({ other: 1 })).toEqual({ other: 1 })
})

test.each([
  ['鄂B12345', true],
  ['鄂B1234挂', true],
  ['粤Z1234港', true],
  ['沪A0023领', true],
  ['鄂X1234应急', true],
  ['鄂BD12345', true],
  ['鄂BDA1234', true],
  ['鄂B12345F', true],
  ['鄂I12345', false],
  ['鄂B1234O', false],
  ['鄂BL12345', false],
  ['B12345', false],
  ['鄂B123456', false],
  ['鄂B', false],
  ['', false],
])('plate %s: %s', (v, holds) => {
  expect(isPlate(v)).toBe(holds)
  expect(plateField.safeParse(v).success).toBe(holds)
})

test('a vehicle without a plate goes by its own number', () => {
  expect(vehicleNumber.parse('场内 03')).toBe('场内03')
  expect(vehicleNumber.safeParse(' · ').success).toBe(false)
})

/** Every call of the yard with a plate field: without canonical spelling it would find or store a different vehicle. */
const calls = [passages, vehicles, registry, fixes, weighing].flatMap((module) => Object.entries(module as Record<string, unknown>))
const entries = calls.flatMap(([name, call]) => {
  if (typeof call !== 'object' || call === null || !('schemas' in call)) return []
  const { query, body } = call.schemas as Record<string, { shape?: Record<string, z.ZodType> } | undefined>
  return [query, body].flatMap((schema) => (schema?.shape?.plateNo ? [[name, schema.shape.plateNo] as const] : []))
})

test('calls that take a plate', () => {
  expect(entries.map(([name]) => name).sort()).toEqual([
    'addRegistered',
    'changeRegistered',
    'correctPassage',
    'correctTicket',
    'listPassages',
    'listRegistry',
    'listTickets',
    'manualWeighing',
  ])
})
test.each(entries)('%s keeps and finds it in one spelling', (_name, field) => {
  for (const written of spellings) expect(field.parse(written)).toBe('鄂A9P8Q7')
})
