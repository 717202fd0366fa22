import { crcModeKeys, crcModes } from '@zhugong/contract/protocols/hj212'
import { expect, test } from 'vitest'
import { ChecksumHabits } from './checksum-habits.ts'
import { checksumOf, fittingModes } from './crc.ts'
import { buildFrame, Hj212Decoder } from './frame.ts'

const check = Buffer.from('123456789')
const fields = {
  qn: '20261121083000000',
  st: '22',
  cn: '2011',
  pw: '123456',
  mn: 'A1B2C3D4E5',
  flag: 4,
  cp: 'DataTime=20261121083000;a34002-Rtd=92',
}

test('check values: standard of HJ 212, Modbus 4B37 and CRC-16/ARC BB3D of the catalogue of parametrised CRCs, and swapped bytes', () => {
  const example = Buffer.from('QN=20160801085857223;ST=32;CN=1062;PW=100000;MN=010000A8900016F000169DC0;Flag=5;CP=&&RtdInterval=30&&')
  expect(checksumOf('standard', example)).toBe('1C80')
  expect(checksumOf('standardSwapped', example)).toBe('801C')
  expect(checksumOf('modbus', check)).toBe('4B37')
  expect(checksumOf('modbusSwapped', check)).toBe('374B')
  expect(checksumOf('ibm', check)).toBe('BB3D')
})

test.each(crcModeKeys)('a station set to %s is read, and answered alike; with any other setting its frames are refused', (mode) => {
  const bytes = buildFrame(fields, mode)
  const read = (set: (typeof crcModeKeys)[number]) => {
    const bad: string[] = []
    const frames = new Hj212Decoder({ crcModeOf: () => set, onBad: (_kind, _bytes, hint) => bad.push(hint) }).push(bytes, 0)
    return { frames: frames.length, hint: bad[0] }
  }
  expect(read(mode).frames).toBe(1)
  for (const other of crcModeKeys.filter((key) => key !== mode)) {
    expect(read(other).frames).toBe(0)
    expect(read(other).hint).toContain(crcModes[mode])
  }
})

test('ten frames in a row of one other checksum are learned; a damaged or a good one begins anew', () => {
  const habits = new ChecksumHabits()
  const segment = Buffer.from('x')
  const fitting = fittingModes(segment, checksumOf('ibm', segment))
  expect(fitting).toContain('ibm')
  const nine = () => Array.from({ length: 9 }, () => habits.note('MN1', fitting))
  expect(nine()).toEqual(Array(9).fill(undefined))
  expect(habits.note('MN1', [])).toBeUndefined()
  expect(nine()).toEqual(Array(9).fill(undefined))
  expect(habits.note('MN2', fitting)).toBeUndefined()
  expect(habits.note('MN1', fitting)).toBe('ibm')
  nine()
  habits.forget('MN1')
  expect(habits.note('MN1', fitting)).toBeUndefined()
})
